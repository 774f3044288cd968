internal import FrameBudget

// The work of items on the main thread, from arriving there to leaving it.
extension FrameBoundCalculator {
  /// Consecutive steps of an item on the main thread.
  struct Segment {
    let workload: WorkloadIndex
    let steps: Range<Int>
    /// The lane before and after the segment; nil if the item arrives or ends here.
    let from: LaneIndex?
    let to: LaneIndex?
  }

  func segments(of workload: WorkloadIndex) -> [Segment] {
    let lanes = plans[workload].steps.map(\.lane)
    guard !lanes.isEmpty else {
      return [Segment(workload: workload, steps: 0..<0, from: nil, to: nil)]
    }
    var segments: [Segment] = []
    var first = 0
    for end in 1...lanes.count where end == lanes.count || lanes[end] != lanes[first] {
      if lanes[first] == .main {
        segments.append(
          Segment(
            workload: workload, steps: first..<end, from: first > 0 ? lanes[first - 1] : nil,
            to: end < lanes.count ? lanes[end] : nil))
      }
      first = end
    }
    return segments
  }

  /// Adds the first segments of items that start, `counts` of each workload.
  mutating func addLogic(_ counts: PerWorkload<Int>) {
    var acquisitions = PerLock<Int>(repeating: 0, count: arrangement.locks.count)
    for workload in counts.indices {
      guard let segment = segments(of: workload).first, segment.from == nil else { continue }
      let (name, count) = (scenario.workloads[workload].name, counts[workload])
      let time = item(workload)
      let steps = time.steps[segment.steps]
      add(.logic, name, count, steps.map(\.logic).total)
      add(.waiting, name, count, steps.map(\.wait).total)
      add(.copying, name, count, copying(in: segment))
      add(.results, name, count, segment.to == nil ? time.result.taken : .zero)
      if let lane = segment.to {
        add(.posting, name, count, postCost(to: lane, events: events(behind: segment)))
        add(.waking, arrangement.lanes[lane].name, count, wakeCost(of: lane))
      }
      add(.switching, name, count, switchTime(in: segment))
      for lock in plans[workload].steps[segment.steps].compactMap(\.lock) {
        acquisitions[lock] += count
      }
    }
    addBlocking(acquisitions)
  }

  /// The whole time of an item in `segment`.
  func total(of segment: Segment) -> TimeSpan {
    let end =
      segment.to.map {
        postCost(to: $0, events: events(behind: segment)).and(wakeCost(of: $0))
      } ?? item(segment.workload).result.taken
    return time(of: segment).and(end)
  }

  /// The time of the steps of `segment`, with all their waits.
  func time(of segment: Segment) -> TimeSpan {
    let steps = item(segment.workload).steps[segment.steps].map { $0.logic.and($0.wait) }.total
    return [steps, copying(in: segment), switchTime(in: segment), blocking(in: segment)].total
  }

  private func events(behind segment: Segment) -> Int {
    plans[segment.workload].events(from: segment.steps.upperBound, in: arrangement)
  }

  func wakeCost(of lane: LaneIndex) -> TimeSpan {
    slow(wakingCosts(of: lane).wake)
  }

  /// The losses of cores by wake-ups of the main thread in `segment`: after waits of its steps and, if cores are shared, after
  /// waits for locks.
  func switchTime(in segment: Segment) -> TimeSpan {
    let waits = item(segment.workload).steps[segment.steps].count { $0.wait > .zero }
    guard sharesCores else { return isShuffled ? costs.contextSwitch.times(waits) : .zero }
    let locks = plans[segment.workload].steps[segment.steps].count { $0.lock != nil }
    return turn.times((waits + locks) * turnsForWake)
  }

  // MARK: Returning items

  /// Adds items that other threads have returned to the main thread since the previous frame: as many as their earlier steps
  /// allow, at most all.
  mutating func addReturningItems(within length: TimeSpan) {
    let all = scenario.workloads.indices.flatMap { segments(of: $0) }
    for lane in arrangement.lanes.indices.dropFirst() {
      let segments = all.filter { $0.from == lane }
      guard !segments.isEmpty else { continue }
      let name = arrangement.lanes[lane].name
      let outputs = segments.map { segment in
        LaneOutput.Kind(
          run: minRunTime(of: segment.workload, upTo: segment.steps.lowerBound - 1),
          cost: total(of: segment), inRun: arrivalsInRun(segment.workload))
      }
      let output = LaneOutput(kinds: outputs, threads: arrangement.lanes[lane].width)
      guard let most = output.most(within: length) else {
        addGap(
          "any number of items may come back from lane '\(name)' in a frame",
          "let items arrive by 'every', or give steps there a smallest cost")
        continue
      }
      add(.comingBack, name, 1, most)
    }
  }

  /// The total cost if each item of the run has a cost once; nil if unbounded.
  func whole(_ costs: [(WorkloadIndex, TimeSpan)]) -> TimeSpan? {
    var sum = TimeSpan.zero
    for (workload, cost) in costs {
      guard let count = arrivalsInRun(workload) else { return nil }
      sum = sum.and(cost.times(count))
    }
    return sum
  }

  // MARK: Snapshots of services on the main thread

  var publishedOnMain: [ServiceIndex] {
    guard arrangement.reading.publishRule != nil else { return [] }
    return scenario.services.indices.filter { service in
      arrangement.placement[service] == .home(.main)
        && scenario.reads.contains { $0.service == service }
        && plans.contains { $0.steps.contains { $0.service == service } }
    }
  }

  /// The cost of copying a state before a change of it, and of freeing the previous copy afterwards.
  private func copying(of service: ServiceIndex) -> TimeSpan {
    let records = scenario.services[service].records
    return slow(costs.copyPerRecord.times(records)).and(freeing(of: service))
  }

  private func freeing(of service: ServiceIndex) -> TimeSpan {
    slow(costs.releasePerRecord.times(scenario.services[service].records))
  }

  /// The same if each step publishes.
  private func copying(in segment: Segment) -> TimeSpan {
    guard arrangement.reading.publishRule == .perStep else { return .zero }
    let published = publishedOnMain
    return plans[segment.workload].steps[segment.steps].filter { published.contains($0.service) }
      .map { copying(of: $0.service) }.total
  }

  /// Adds publications: one per step, and one at the end of the frame; each may copy the state first.
  mutating func addPublishing() {
    guard arrangement.reading.publishRule == .perFrame else { return }
    for service in publishedOnMain {
      add(.copying, scenario.services[service].name, 2, copying(of: service))
    }
  }
}
