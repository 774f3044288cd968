import FrameBudget

@testable import FrameBudgetReports

/// A run written down by hand: the work of each frame, and the times at which each item is done and shown. The ledgers
/// calculate the rest.
struct HandMadeRun {
  var scenario = HandMadeRun.upload
  var strategy = "main-thread"
  var options = ""
  var engine = EngineKind.real
  /// By vsync: the phases of the frame that begins there, and their times.
  var work: (Int) -> [(Phase, TimeSpan)] = { _ in [(.render, .milliseconds(10))] }
  /// When an item is done; nil for one that stays pending.
  var done: (ArrivalSchedule.Item) -> Instant? = { $0.instant }
  /// When its result is shown.
  var shown: (ArrivalSchedule.Item) -> Instant? = { $0.instant }
  var totals = RunTotals()
  var end: Instant?
  var lateness = TimeSpan.zero

  /// Ten seconds at 60 Hz: 2500 files after one, and nine taps with responses.
  static let upload = Scenario(
    name: "camera-upload", display: Display(refresh: RefreshRate(60)), duration: .seconds(10),
    seed: 42, services: [Service(name: "gallery")],
    workloads: [
      workload("add-file", .once(2500, start: .seconds(1))),
      workload(
        "tap", .batch(1, every: .seconds(1), start: .milliseconds(1500)),
        within: .milliseconds(100)),
    ])

  static func workload(
    _ name: String, _ arrival: Arrival, within: TimeSpan? = nil
  ) -> Workload {
    let step = Step(name: name, service: 0, load: .cpu(.constant(.milliseconds(1))))
    return Workload(name: name, arrival: arrival, steps: [step], respondWithin: within)
  }

  func row(changes: String = "", repetition: Int = 1) -> ReportRow {
    ReportRow(log, changes: changes, cores: 2, repetition: repetition)
  }

  var log: RunLog {
    let arrangement = Arrangement.onMain(scenario)
    let strategy = Strategy(name: strategy, options: options, arrangement: arrangement)
    let plan = RunPlan(scenario, under: strategy)
    let end = end ?? .zero + scenario.duration
    return RunLog(
      plan, engine: engine, duration: end.sinceZero, warmupFrames: 18, frames: frames(until: end),
      items: items(plan, until: end), totals: totals,
      interrupted: end.sinceZero < scenario.duration)
  }

  private func frames(until end: Instant) -> FrameLog {
    let refresh = scenario.display.refresh
    var ledger = FrameLedger(
      scenario.display, duration: scenario.duration, detail: .frames, hasRealClock: engine == .real)
    var vsync = 0
    while refresh.vsync(vsync) < end {
      var now = refresh.vsync(vsync) + lateness
      ledger.begin(vsync: vsync, wokeAt: now)
      for (phase, span) in work(vsync) {
        ledger.spend(span, on: phase)
        now = now + span
      }
      guard now <= end else { break }
      vsync = ledger.end(at: now) ?? vsync
    }
    return ledger.finish(at: end)
  }

  private func items(_ plan: RunPlan, until end: Instant) -> [ItemLog] {
    var ledger = ItemLedger(plan, duration: end.sinceZero)
    var schedule = ArrivalSchedule(plan)
    while let item = schedule.next(atOrBefore: end - .nanoseconds(1)) {
      ledger.arrived(item)
      guard let done = done(item), done <= end else {
        ledger.pending(item.workload, item.number)
        continue
      }
      ledger.done(item.workload, item.number, at: done)
      if let shown = shown(item) {
        ledger.resultRan(item.workload, item.number)
        ledger.frameShown(at: shown)
      }
    }
    return ledger.finish()
  }
}

extension HandMadeRun {
  /// 6.5 s of business logic in the frame that begins at vsync 60.
  static var mainThread: HandMadeRun {
    var run = HandMadeRun()
    run.work = { vsync in
      (vsync == 60 ? [(.logic, .milliseconds(6500))] : []) + [(.render, .milliseconds(10))]
    }
    run.done = { item in
      item.workload == 0
        ? .zero + .milliseconds(1000) + .microseconds(2600) * (item.number + 1)
        : max(item.instant, .zero + .milliseconds(7500))
    }
    run.shown = { item in
      item.workload == 0
        ? .zero + .milliseconds(7516) : max(item.instant, .zero + .milliseconds(7516))
    }
    return run
  }

  /// Two bursts of 2.6 s; the remaining items never start.
  static var throttled: HandMadeRun {
    var run = HandMadeRun()
    run.strategy = "throttled"
    run.options = "batch=1000;interval=5 s"
    run.work = { vsync in
      ([60, 360].contains(vsync) ? [(.logic, .milliseconds(2600))] : [])
        + [(.render, .milliseconds(10))]
    }
    run.done = { item in
      item.workload == 1 ? item.instant : item.number < 2000 ? item.instant + .seconds(6) : nil
    }
    run.shown = { $0.instant + .milliseconds(50) }
    return run
  }

  /// Everything in the background, and taps wait behind the files.
  static var schedulable: HandMadeRun {
    var run = HandMadeRun()
    run.strategy = "schedulable"
    run.work = { _ in
      [(.post, .microseconds(120)), (.drain, .microseconds(80)), (.render, .milliseconds(10))]
    }
    run.done = { item in
      item.workload == 0
        ? .zero + .milliseconds(1000) + .microseconds(2600) * (item.number + 1)
        : max(item.instant, .zero + .milliseconds(7500))
    }
    run.shown = { item in max(item.instant, .zero + .milliseconds(7516)) }
    run.totals.hops = 2509
    run.totals.publishing = .milliseconds(734)
    return run
  }

  /// The UI waits for a lock in one frame of three.
  static var locks: HandMadeRun {
    var run = HandMadeRun()
    run.strategy = "threads-and-locks"
    run.options = "lock=fair"
    run.work = { vsync in
      (vsync % 3 == 0 ? [(.lockWait, .milliseconds(8))] : []) + [(.render, .milliseconds(10))]
    }
    run.shown = { $0.instant + .milliseconds(20) }
    return run
  }
}
