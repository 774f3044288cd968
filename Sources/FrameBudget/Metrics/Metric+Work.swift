// Metrics of costs: the main thread's share, hand-offs, locks, snapshots, processors.

extension Metric {
  package static func stateAge(_ quantile: Quantile) -> Metric {
    Metric(
      "state_age_ms_\(quantile)", .milliseconds,
      "\(quantile), at each UI read, of now minus the completion of the newest item that the read state misses; "
        + "a hang that is open at D counts as a read",
      of: .run { $0.stateAges?.quantile(quantile.share).map { .real($0 / 1e6) } })
  }

  package static let mainLogic = Metric(
    "main_logic_ms_per_frame", .milliseconds, "business steps on the main thread", over: .frames,
    of: .run { metrics in
      let frames = metrics.log.frames
      guard !frames.begins.isEmpty else { return nil }
      return .real(frames.totals[.logic].inMilliseconds / Double(frames.begins.count))
    })
  package static let handOff = Metric(
    "handoff_us_per_item", .microseconds,
    "(post + drain + release) on the main thread", over: .items,
    of: .run { metrics in
      metrics.perItem(metrics.log.frames.totals.handOff.inMicroseconds)
    })
  package static let hops = Metric(
    "hops_per_item", .count, "events posted to a lane for a step", over: .items,
    of: .run { $0.perItem(Double($0.log.totals.hops)) })
  package static let lockWait = Metric(
    "lock_wait_ms_total", .milliseconds, "main thread blocked on locks",
    of: .run { .real($0.log.frames.totals[.lockWait].inMilliseconds) })
  package static let longestLockWait = Metric(
    "lock_wait_ms_max", .milliseconds,
    "longest time that the main thread was blocked on one lock",
    of: .run { .real($0.log.frames.longestLockWait.inMilliseconds) })
  package static let publishing = Metric(
    "publish_ms_total", .milliseconds, "copying state for snapshots, on any thread",
    of: .run { .real($0.log.totals.publishing.inMilliseconds) })
  package static let deepestQueue = Metric(
    "queue_depth_max", .count, "most items waiting after a frame had delivered the arrivals",
    of: .run { .count($0.log.frames.deepestQueue) })

  package static let mainCPU = Metric(
    "main_cpu_ms", .milliseconds, "processor time of the main thread",
    of: .run { $0.log.totals.mainCPU.map { .real($0.inMilliseconds) } })
  package static let backgroundCPU = Metric(
    "background_cpu_ms", .milliseconds, "processor time of all other threads",
    of: .run { $0.log.totals.backgroundCPU.map { .real($0.inMilliseconds) } })
  package static let contextSwitches = Metric(
    "context_switches", .count, "voluntary and forced, of all threads",
    of: .run { $0.log.totals.contextSwitches.map(MetricValue.count) })
  package static let orderViolations = Metric(
    "order_violations", .count, "items done after a later one of their workload",
    of: .run { .count($0.items.orderViolations) })
  package static let exclusionViolations = Metric(
    "exclusion_violations", .count, "two threads inside one service at once",
    of: .run { .count($0.log.totals.exclusionViolations) })

  package static func wakeupLateness(_ quantile: Quantile) -> Metric {
    Metric(
      "wakeup_late_us_\(quantile)", .microseconds,
      "\(quantile) of actual begin - V(b), without the work of the app on the main thread meanwhile; real clock only",
      of: .run { $0.frames.wakeups.quantile(quantile.share).map { .real($0 / 1e3) } })
  }

  package static let disturbed = Metric(
    "disturbed", .count,
    "1 if, during the run, \(HostLoad.limits), or \(dropsOfMachine) > 0, else 0; real clock only",
    of: .run { $0.isDisturbed.map { .count($0 ? 1 : 0) } })
  private static let dropsOfMachine = Cause.allCases.filter { $0.traits.blame == .machine }
    .map { drops(by: $0).name }.joined(separator: " + ")
}

extension RunMetrics {
  /// Whether the processor use of other processes was high enough to change the figures; nil in virtual time.
  public var isDisturbed: Bool? {
    guard log.engine == .real else { return nil }
    let isBusy = log.totals.hostLoad?.isDisturbing ?? false
    return isBusy
      || Cause.allCases.contains { $0.traits.blame == .machine && frames.drops(by: $0) > 0 }
  }

  /// `amount` per arrived item.
  func perItem(_ amount: Double) -> MetricValue? {
    items.arrived == 0 ? nil : .real(amount / Double(items.arrived))
  }
}
