// Metrics of what it cost: the main thread's share, hand-offs, locks, snapshots, processors.

extension MetricCatalog {
  static let work: [Metric] =
    [("p50", 0.5), ("p99", 0.99), ("max", 1)].map { name, q in
      Metric(
        name: "state_age_ms_\(name)", unit: .milliseconds,
        formula:
          "\(name), at each UI read, of now minus completion of the newest item the read state misses; "
          + "a hang that is open at D counts as a read then"
      ) { $0.stateAges?.quantile(q).map { .real($0 / 1e6) } }
    } + [
      Metric(
        name: "main_logic_ms_per_frame", unit: .milliseconds, formula: "mean logic over frames"
      ) { metrics in
        let frames = metrics.log.frames
        guard !frames.begins.isEmpty else { return nil }
        return .real(frames.totals[.logic].inMilliseconds / Double(frames.begins.count))
      },
      Metric(
        name: "handoff_us_per_item", unit: .microseconds,
        formula: "(post + drain + release) on the main thread / items that arrived"
      ) { metrics in
        let spans = metrics.log.frames.totals
        return metrics.perItem((spans[.post] + spans[.drain] + spans[.release]).inMicroseconds)
      },
      Metric(
        name: "hops_per_item", unit: .count,
        formula: "events posted to a lane for a step / items that arrived"
      ) { $0.perItem(Double($0.log.totals.hops)) },
      Metric(
        name: "lock_wait_ms_total", unit: .milliseconds, formula: "main thread blocked on locks"
      ) { .real($0.log.frames.totals[.lockWait].inMilliseconds) },
      Metric(
        name: "lock_wait_ms_max", unit: .milliseconds,
        formula: "longest time that the main thread was blocked on one lock"
      ) { .real($0.log.frames.longestLockWait.inMilliseconds) },
      Metric(
        name: "publish_ms_total", unit: .milliseconds,
        formula: "copying state for snapshots, on whichever thread"
      ) { .real($0.log.totals.publishing.inMilliseconds) },
      Metric(
        name: "queue_depth_max", unit: .count,
        formula: "most items waiting after a frame had delivered what arrived"
      ) { .count($0.log.frames.deepestQueue) },
    ]

  static let system: [Metric] =
    [
      Metric(
        name: "main_cpu_ms", unit: .milliseconds, formula: "processor time of the main thread"
      ) { $0.log.totals.mainCPU.map { .real($0.inMilliseconds) } },
      Metric(
        name: "background_cpu_ms", unit: .milliseconds,
        formula: "processor time of all other threads"
      ) { $0.log.totals.backgroundCPU.map { .real($0.inMilliseconds) } },
      Metric(
        name: "context_switches", unit: .count, formula: "voluntary and forced, of all threads"
      ) { $0.log.totals.contextSwitches.map(MetricValue.count) },
      Metric(
        name: "order_violations", unit: .count,
        formula: "items done after a later one of their workload"
      ) { .count($0.items.orderViolations) },
      Metric(
        name: "exclusion_violations", unit: .count,
        formula: "two threads inside one service at once"
      ) { .count($0.log.totals.exclusionViolations) },
    ]
    + [("p50", 0.5), ("p99", 0.99), ("max", 1)].map { name, q in
      Metric(
        name: "wakeup_late_us_\(name)", unit: .microseconds,
        formula: "\(name) of actual begin - V(b), real clock only"
      ) { $0.frames.wakeups.quantile(q).map { .real($0 / 1e3) } }
    }
}

extension MetricCatalog {
  static let disturbed = Metric(
    name: "disturbed", unit: .count,
    formula:
      "1 if, during the run, \(HostLoad.limits), or drops_machine > 0, else 0; real clock only"
  ) { metrics in
    metrics.isDisturbed.map { .count($0 ? 1 : 0) }
  }
}

extension RunMetrics {
  /// Whether others used the processors so much that a quiet machine would have given other figures; nil in virtual
  /// time.
  public var isDisturbed: Bool? {
    guard log.engine == .real else { return nil }
    let isBusy = log.totals.hostLoad?.isDisturbing ?? false
    return isBusy || frames.drops[Int(Cause.machine.rawValue)] > 0
  }

  /// `amount` shared among the items that arrived.
  func perItem(_ amount: Double) -> MetricValue? {
    items.arrived == 0 ? nil : .real(amount / Double(items.arrived))
  }
}
