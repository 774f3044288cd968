internal import FrameBudget

// The cost of other threads to the main thread: hand-offs and results.
extension FrameBoundCalculator {
  /// The cost of posting an item, without waking.
  func postCost(to lane: LaneIndex, events: Int) -> TimeSpan {
    let post = costs.handOff(to: arrangement.lanes[lane]).post
    return slow(post.times(events))
  }

  // MARK: Posting

  mutating func addPosting(_ counts: PerWorkload<Int>) {
    var posted = PerLane<Int>(repeating: 0, count: arrangement.lanes.count)
    for workload in counts.indices {
      guard let lane = handOffLane(of: workload) else { continue }
      let events = plans[workload].events(from: 0, in: arrangement)
      posted[lane] += isHeldBack(workload) ? 0 : counts[workload]
      add(
        .posting, scenario.workloads[workload].name, counts[workload],
        postCost(to: lane, events: events))
    }
    for lane in posted.indices { posted[lane] += admitted(to: lane, counts) }
    addWaking(posted)
  }

  /// The most items of a batch that go to `lane`; the most expensive items need not be those that wake a thread.
  private func admitted(to lane: LaneIndex, _ counts: PerWorkload<Int>) -> Int {
    let held = counts.indices.filter { isHeldBack($0) && handOffLane(of: $0) == lane }
    let admitted = counts.indices.reduce(0) { $0 + (isHeldBack($1) ? counts[$1] : 0) }
    return held.isEmpty ? 0 : admitted
  }

  /// A woken thread sleeps again only after it has run the item for which it was woken, so a long series of posts wakes it
  /// rarely: during `posting`, once at the beginning and once per such cycle.
  private mutating func addWaking(_ posted: PerLane<Int>) {
    let lanes = arrangement.lanes
    var wakes = posted
    let posting = parts.filter { $0.kind == .posting }.map(\.total).total
    let wakeCosts = PerLane(lanes.indices.map { wakeCost(of: $0) })
    let cycles = PerLane(lanes.indices.map { posted[$0] > 0 ? cycle(of: $0) : .zero })
    // If the main thread may lose its core, there are gaps between its posts.
    while !sharesCores {
      let length = zip(wakes, wakeCosts).map { $1.times($0) }.total.and(posting)
      var fewer = wakes
      for lane in posted.indices where cycles[lane] > .zero {
        let (often, overflows) = (length.nanoseconds / cycles[lane].nanoseconds + 1)
          .multipliedReportingOverflow(by: Int64(lanes[lane].width))
        if !overflows { fewer[lane] = min(fewer[lane], Int(often)) }
      }
      if fewer == wakes { break }
      wakes = fewer
    }
    for lane in wakes.indices { add(.waking, lanes[lane].name, wakes[lane], wakeCosts[lane]) }
  }

  /// The least time from the start of a wake-up of a thread of `lane` until it sleeps again.
  private func cycle(of lane: LaneIndex) -> TimeSpan {
    let handOff = costs.handOff(to: arrangement.lanes[lane])
    return fast(handOff.post.and(handOff.wake)).and(handOff.latency).and(minStepTime(on: lane))
  }

  /// The least time of a step on `lane`.
  private func minStepTime(on lane: LaneIndex) -> TimeSpan {
    var least = TimeSpan.limit
    for workload in plans.indices {
      for (index, step) in plans[workload].steps.enumerated() where step.lane == lane {
        least = min(least, minCost(of: workload, index))
      }
    }
    return least == .limit ? .zero : least
  }

  private func minCost(of workload: WorkloadIndex, _ step: Int) -> TimeSpan {
    let load = least.workloads[workload].steps[step].load
    return fast(load.duration.smallest.divided(by: arrangement.speedup))
  }

  /// The least time that a thread works without a break on an item of `workload` until the end of the step `last`.
  func minRunTime(of workload: WorkloadIndex, upTo last: Int) -> TimeSpan {
    let steps = plans[workload].steps
    var first = last
    while first > 0, steps[first - 1].lane == steps[last].lane,
      !plans[workload].isSplit(at: first, in: arrangement)
    {
      first -= 1
    }
    return (first...last).map { step in
      minCost(of: workload, step).and(least.workloads[workload].steps[step].wait.smallest)
    }.total
  }

  // MARK: Results

  /// Whether results run in frames, not behind their items.
  func returnsInFrames(_ workload: WorkloadIndex) -> Bool {
    endLane(of: workload) != .main || arrangement.returning == .coalesced
  }

  /// Adds the cost of a frame's drain: all results since the previous one, or fewer.
  mutating func addReturned(within length: TimeSpan) {
    let returning = scenario.workloads.indices.filter(returnsInFrames)
    let most = returning.map { resultCost($0) }.max() ?? .zero
    guard most > .zero else { return }
    switch arrangement.returning {
    case .coalesced:
      for workload in returning {
        add(.returned, scenario.workloads[workload].name, 1, resultCost(workload))
      }
    case .inPlace: addReturned(arrivedResults(returning, within: length))
    case .drained(let budget):
      // If all results of a frame fit, none are left for later frames.
      if let arrived = arrivedResults(returning, within: length), arrived <= budget {
        return addReturned(arrived)
      }
      let drained = budget == .zero ? most : (budget - .nanoseconds(1)).and(most)
      let all = whole(returning.map { ($0, resultCost($0)) })
      add(.returned, "", 1, all.map { min($0, drained) } ?? drained)
    }
  }

  private mutating func addReturned(_ arrived: TimeSpan?) {
    guard let arrived else {
      return addGap(
        "any number of results may come back in a frame",
        "give 'results' a drain, or let items arrive by 'every'")
    }
    add(.returned, "", 1, arrived)
  }

  /// The lane on which items of `workload` end.
  func endLane(of workload: WorkloadIndex) -> LaneIndex {
    plans[workload].steps.last?.lane ?? .main
  }

  func resultCost(_ workload: WorkloadIndex) -> TimeSpan {
    slow(scenario.workloads[workload].result.largest ?? .zero)
  }

  /// The cost of results that come back within `length`; nil if unbounded. A thread runs the last steps one after another.
  private func arrivedResults(
    _ workloads: [WorkloadIndex], within length: TimeSpan
  ) -> TimeSpan? {
    let groups = Dictionary(grouping: workloads) { endLane(of: $0) }
    var sum = TimeSpan.zero
    for (lane, workloads) in groups.sorted(by: { $0.key < $1.key }) {
      let outputs = workloads.map { workload in
        LaneOutput.Kind(
          run: minRunTime(of: workload, upTo: plans[workload].steps.count - 1),
          cost: resultCost(workload), inRun: arrivalsInRun(workload))
      }
      let output = LaneOutput(kinds: outputs, threads: arrangement.lanes[lane].width)
      guard let most = output.most(within: length) else { return nil }
      sum = sum.and(most)
    }
    return sum
  }
}

/// The items that return to the main thread from the threads of a lane.
struct LaneOutput {
  let kinds: [Kind]
  let threads: Int

  /// Items of one workload.
  struct Kind {
    /// The least time that a thread works on such an item without a break before it returns.
    let run: TimeSpan
    /// The largest cost of such an item on the main thread.
    let cost: TimeSpan
    /// The most such items in the run; nil for any number.
    let inRun: Int?

    /// The cost of all of them; nil if unbounded.
    fileprivate var whole: TimeSpan? { cost == .zero ? .zero : inRun.map { cost.times($0) } }
  }

  /// The largest cost on the main thread of items that return within `length`; nil if unbounded.
  ///
  /// A thread runs one item after the other. It may have begun the first returning item before `length`, and runs each further
  /// one completely within it.
  func most(within length: TimeSpan) -> TimeSpan? {
    let highest = kinds.map(\.cost).max() ?? .zero
    let bounds = [
      kinds.reduce(TimeSpan?.some(.zero)) { sum, kind in
        guard let sum, let whole = kind.whole else { return nil }
        return sum.and(whole)
      },
      count(within: length).map { highest.times($0) },
      costliest(within: length).map { highest.times(threads).and($0) },
    ]
    return bounds.compactMap(\.self).min()
  }

  /// The most items that return if each takes the least time; nil for any number.
  private func count(within length: TimeSpan) -> Int? {
    guard let least = kinds.map(\.run).min(), least > .zero else { return nil }
    return Int(length.nanoseconds / least.nanoseconds + 1) * threads
  }

  /// The largest cost of items whose runs fill `length` on each thread: first the kinds with the largest cost per time, as far
  /// as their number goes, the last one partly. Nil if unbounded.
  private func costliest(within length: TimeSpan) -> TimeSpan? {
    var left = length.times(threads)
    var sum = TimeSpan.zero
    let sorted = kinds.filter { $0.cost > .zero }.sorted { left, right in
      Int128(left.cost.nanoseconds) * Int128(right.run.nanoseconds)
        > Int128(right.cost.nanoseconds) * Int128(left.run.nanoseconds)
    }
    for kind in sorted {
      if let count = kind.inRun, kind.run.times(count) <= left {
        sum = sum.and(kind.cost.times(count))
        left = left - kind.run.times(count)
        continue
      }
      guard kind.run > .zero else { return nil }
      let share = Int128(kind.cost.nanoseconds) * Int128(left.nanoseconds)
      let run = Int128(kind.run.nanoseconds)
      return sum.and(TimeSpan(clamping: (share + run - 1) / run))
    }
    return sum
  }
}
