import FrameBudget

/// A run that a test writes down frame by frame and item by item, and its metrics.
struct TestRun: ~Copyable {
  let plan: RunPlan
  let rate: RefreshRate
  let duration: TimeSpan
  var frames: FrameLedger
  var items: ItemLedger
  var totals = RunTotals()

  init(
    _ workloads: [Workload] = [], rate: RefreshRate = RefreshRate(100),
    duration: TimeSpan = .seconds(1), realClock: Bool = false, arrangement: Arrangement? = nil
  ) {
    let scenario = Scenario.with(workloads, refresh: rate, duration: duration)
    let arrangement = arrangement ?? .onMain(scenario)
    plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    self.rate = rate
    self.duration = duration
    frames = FrameLedger(
      refresh: rate, duration: duration, detail: .summary, hasRealClock: realClock)
    items = ItemLedger(plan, duration: duration)
  }

  /// Frames of these lengths of work, in milliseconds, one after the other.
  mutating func frames(_ lengths: [Double], _ phase: Phase = .logic, late: Double = 0) -> Int {
    var vsync = 0
    for length in lengths {
      let end = rate.vsync(vsync) + .ms(length)
      vsync = frames.frame(vsync, late: .ms(late), to: end, at: rate, [(phase, .ms(length - late))])
    }
    return vsync
  }

  /// Everything that arrives before the end has arrived.
  mutating func arriveAll() {
    var schedule = ArrivalSchedule(plan)
    while let item = schedule.next(atOrBefore: .zero + duration) { items.arrived(item) }
  }

  consuming func finish(at end: Instant? = nil, interrupted: Bool = false) -> RunLog {
    let end = end ?? .zero + duration
    return RunLog(
      plan, engine: .virtual, duration: end.sinceZero, warmupFrames: 0,
      frames: frames.finish(at: end), items: items.finish(), totals: totals,
      interrupted: interrupted)
  }
}

extension Workload {
  /// Items that arrive at these milliseconds.
  static func at(
    _ milliseconds: [Double], respondWithin: TimeSpan? = nil, name: String = "file"
  ) -> Workload {
    .files(
      .at(milliseconds.map { TimeSpan.ms($0) }), respondWithin: respondWithin, name: name)
  }
}
