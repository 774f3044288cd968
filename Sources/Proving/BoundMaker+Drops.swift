internal import FrameBudget

// How many frames a run drops where one can be late.
extension BoundMaker {
  /// The most that are dropped; nil where nothing bounds that.
  func drops() -> FrameBound.Drops? {
    let refresh = scenario.display.refresh
    let vsyncs = refresh.vsyncs(through: .zero + scenario.duration)
    guard scenario.display.mainLoop == .frame, !scenario.display.pipeline.hasSecondStage,
      let longest = longestFrame(of: vsyncs),
      let work = workOfRun
    else { return nil }
    let late = min(lateFrames(of: work, windows: longest) ?? vsyncs, vsyncs)
    // Each of them takes longer than the periods after its first: together less than all that they do.
    let all = work.and(emptyFrame.times(late))
    return FrameBound.Drops(
      inARow: longest - 1, lateFrames: late, byWork: max(0, refresh.periods(in: all) - 1),
      vsyncs: vsyncs)
  }

  /// How many periods a frame takes at most. While none before took longer than so many, one does what arrived in so many; if
  /// that takes no longer, none ever does.
  private func longestFrame(of vsyncs: Int) -> Int? {
    let refresh = scenario.display.refresh
    var (periods, tries) = (1, 0)
    while periods <= vsyncs {
      guard let frame = frame(behind: periods) else { return nil }
      let taken = max(1, refresh.periods(in: frame))
      if taken <= periods { return periods }
      tries += 1
      // Any number that holds is a bound: a slow approach is not worth its exactness.
      periods = tries < 32 ? taken : max(taken, periods * 2)
    }
    return frame(behind: vsyncs + 1) == nil ? nil : vsyncs + 1
  }

  /// What all items of a run take on the main thread, and for how long others take all cores; nil for any time.
  private var workOfRun: TimeSpan? {
    let own = whole(scenario.workloads.indices.map { ($0, cost(of: $0)) })
    guard sharesCores else { return own }
    let counts = PerWorkload(repeating: 0, count: scenario.workloads.count)
    guard let own, let wait = coreWait(CoreWait(), counts, inRun: true) else { return nil }
    return [own, wait.delay, turn.times(wait.switches)].total
  }

  /// All that an item takes on the main thread, what waking and blocking cost included.
  private func cost(of workload: WorkloadIndex) -> TimeSpan {
    let handOver = handOffLane(of: workload).map { lane in
      postCost(to: lane, events: plans[workload].events(from: 0, in: arrangement))
        .and(wakeCost(of: lane))
    }
    let isElsewhere = endLane(of: workload) != .main
    let result = isElsewhere ? resultCost(workload) : .zero
    return segments(of: workload).map { total(of: $0) }.total.and(handOver ?? .zero).and(result)
  }

  /// How many frames of a run are late at most, which all do `work` besides drawing; nil where each may be.
  private func lateFrames(of work: TimeSpan, windows periods: Int) -> Int? {
    let empty = emptyFrame
    guard empty <= period else { return nil }
    // A late frame does more than the rest of a period.
    let byWork = work.nanoseconds / (period - empty + .nanoseconds(1)).nanoseconds
    return ([Int(byWork)] + arrivalsOfLateFrames(beside: empty, windows: periods)).min()
  }

  /// Where everything is done in the frame that follows its arrival: how many frames can be late as a late one needs arrivals,
  /// and those of any workload without which none is.
  private func arrivalsOfLateFrames(beside empty: TimeSpan, windows periods: Int) -> [Int] {
    guard arrangement.lanes.count == 1, arrangement.admission == .all, !sharesCores else {
      return []
    }
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
      guard rest >= .zero, let all = inRun(workload) else { continue }
      guard each > .zero else { return [0] }
      bounds.append(all / Int(rest.nanoseconds / each.nanoseconds + 1))
      if let instants = scenario.workloads[workload].arrival.instants(within: duration) {
        bounds.append(instants)
      }
    }
    return bounds
  }
}
