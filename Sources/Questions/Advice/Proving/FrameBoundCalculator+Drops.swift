internal import FrameBudget

// The most frames that a run can drop if a frame can be late.
extension FrameBoundCalculator {
  /// Bounds of dropped frames; nil if they are unbounded.
  func drops() -> FrameBound.Drops? {
    let refresh = scenario.display.refresh
    let vsyncs = refresh.vsyncs(through: .zero + scenario.duration)
    guard scenario.display.mainLoop == .frame, !scenario.display.pipeline.hasSecondStage,
      let longest = longestFrame(of: vsyncs),
      let work = workOfRun
    else { return nil }
    let late = min(lateFrames(of: work, windows: longest) ?? vsyncs, vsyncs)
    // Each late frame takes longer than the periods after its first one; together less than all their work.
    let all = work.and(emptyFrame.times(late))
    return FrameBound.Drops(
      inARow: longest - 1, lateFrames: late, byWork: max(0, refresh.periods(in: all) - 1),
      vsyncs: vsyncs)
  }

  /// The longest frame, in periods. If no earlier frame took longer than `n` periods, a frame does the work that arrived in `n`
  /// periods; if that takes no longer, no frame ever does.
  private func longestFrame(of vsyncs: Int) -> Int? {
    let refresh = scenario.display.refresh
    var (periods, tries) = (1, 0)
    while periods <= vsyncs {
      guard let frame = frame(behind: periods) else { return nil }
      let taken = max(1, refresh.periods(in: frame))
      if taken <= periods { return periods }
      tries += 1
      // Any valid number is a bound; if the iteration converges slowly, doubling is exact enough.
      periods = tries < 32 ? taken : max(taken, periods * 2)
    }
    return frame(behind: vsyncs + 1) == nil ? nil : vsyncs + 1
  }

  /// The time of all items of a run on the main thread, and of waits for cores; nil if unbounded.
  private var workOfRun: TimeSpan? {
    let own = whole(scenario.workloads.indices.map { ($0, cost(of: $0)) })
    guard sharesCores else { return own }
    let counts = PerWorkload(repeating: 0, count: scenario.workloads.count)
    guard let own, let wait = coreWait(CoreWait(), counts, inRun: true) else { return nil }
    return [own, wait.delay, turn.times(wait.switches)].total
  }

  /// The whole time of an item on the main thread, including the costs of waking and blocking.
  private func cost(of workload: WorkloadIndex) -> TimeSpan {
    let handOver = handOffLane(of: workload).map { lane in
      postCost(to: lane, events: plans[workload].events(from: 0, in: arrangement))
        .and(wakeCost(of: lane))
    }
    let result = returnsInFrames(workload) ? resultCost(workload) : .zero
    return segments(of: workload).map { total(of: $0) }.total.and(handOver ?? .zero).and(result)
  }

  /// The most late frames of a run whose frames do `work` besides drawing; nil if each may be late.
  private func lateFrames(of work: TimeSpan, windows periods: Int) -> Int? {
    let empty = emptyFrame
    guard empty <= period else { return nil }
    // A late frame does more work than the rest of a period.
    let byWork = work.nanoseconds / (period - empty + .nanoseconds(1)).nanoseconds
    return ([Int(byWork)] + arrivalsOfLateFrames(beside: empty, windows: periods)).min()
  }

  /// If everything is done in the frame after its arrival: the number of frames that can be late because a late frame needs
  /// arrivals; also by each workload without which no frame is late.
  private func arrivalsOfLateFrames(beside empty: TimeSpan, windows periods: Int) -> [Int] {
    // With one update for all results, an item makes the frame after its own late, too.
    guard arrangement.lanes.count == 1, arrangement.admission == .all, !sharesCores,
      arrangement.returning != .coalesced
    else { return [] }
    let duration = scenario.duration
    let window = scenario.display.refresh.longest(periods: periods)
    let arrivals = scenario.workloads.map(\.arrival)
    let instants = arrivals.compactMap { $0.instants(within: duration) }
    let most = scenario.workloads.indices.map { workload in
      scenario.workloads[workload].arrival.most(within: window).map { cost(of: workload).times($0) }
        ?? .limit
    }
    var bounds: [Int] = []
    if instants.count == arrivals.count { bounds.append(instants.reduce(0, +)) }
    for workload in scenario.workloads.indices {
      let others = most.indices.filter { $0 != workload.position }.map { most[$0] }.total
      let rest = period - empty.and(others)
      let each = cost(of: workload)
      guard rest >= .zero, let all = arrivalsInRun(workload) else { continue }
      guard each > .zero else { return [0] }
      bounds.append(all / Int(rest.nanoseconds / each.nanoseconds + 1))
      if let instants = scenario.workloads[workload].arrival.instants(within: duration) {
        bounds.append(instants)
      }
    }
    return bounds
  }
}
