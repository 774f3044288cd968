internal import FrameBudget

// A main loop that runs events one after another, including frames, in the order of `LoopTurns`. A frame waits for earlier
// events, and does only the work of frames.
extension FrameBoundCalculator {
  /// The bound of frames in `loop`: from the vsync that wants a frame to the end of the frame.
  func bound(_ loop: MainLoop.Events) -> FrameBound {
    var calculator = self
    calculator.addEventLoopGaps(of: loop)
    guard calculator.gaps.isEmpty else { return FrameBound(budgets: [], gaps: calculator.gaps) }
    var (known, attempts) = (TimeSpan.zero, 0)
    while true {
      // A frame that waits longer may find more results, which take more time.
      let isLast = attempts == Self.maxAttempts
      let frame = calculator.frame(within: isLast ? scenario.duration : window.and(known))
      let wait = calculator.wait(in: loop, beside: frame.parts.map(\.total).total)
      let gaps = frame.gaps + calculator.gaps
      guard gaps.isEmpty else { return FrameBound(budgets: [], gaps: gaps) }
      if wait <= known || isLast { return frame.bound(behind: wait) }
      known = wait
      attempts += 1
    }
  }

  /// The bound of a frame with the current parts and this wait.
  private func bound(behind wait: TimeSpan) -> FrameBound {
    let work = parts.filter { $0.total > .zero }
    let queue = FrameBound.Part(kind: .queue, name: "", count: 1, each: wait)
    // A frame that begins at the next vsync belongs to that vsync.
    let available = work.isEmpty ? period - .nanoseconds(1) : period
    let main = FrameBound.Budget(
      name: "frame work", available: available, parts: (wait > .zero ? [queue] : []) + work)
    return FrameBound(budgets: [main] + secondStage(behind: main), gaps: [])
  }

  private mutating func addEventLoopGaps(of loop: MainLoop.Events) {
    if loop.deferral != nil, scenario.workloads.contains(where: \.isInput) {
      addGap(
        "tasks wait for a frame behind an input", "remove 'defer-after-input' from the main loop")
    }
    if sharesCores {
      addGap(
        "\(1 + otherThreads) threads share \(coresInWords) beside a main loop of events",
        "choose 'main-loop: frame', or give the machine \(1 + otherThreads) cores")
    }
    if arrangement.admission != .all {
      addGap("a main loop of events limits admission", "choose 'main-loop: frame'")
    }
    if arrangement.lanes[.main].overtaking {
      addGap("items overtake others on a main loop of events", "choose 'main-loop: frame'")
    }
    for segment in scenario.workloads.indices.flatMap({ segments(of: $0) }) {
      guard let lane = segment.from else { continue }
      addGap(
        "items come back from lane '\(arrangement.lanes[lane].name)' to a main loop of events",
        "choose 'main-loop: frame', or lanes for all later steps")
    }
    for service in publishedOnMain {
      addGap(
        "a main loop of events publishes snapshots of service '\(scenario.services[service].name)'",
        "choose 'main-loop: frame', or a lane for the service")
    }
  }

  /// The work of the frame itself, including results that came back within `length`.
  private func frame(within length: TimeSpan) -> FrameBoundCalculator {
    var frame = self
    // Results that want no frame wait for a frame that something else wants.
    let isUnseen = scenario.display.frames.isOnDemand && !scenario.workloads.allSatisfy(\.shows)
    frame.addReturned(within: isUnseen ? scenario.duration : length)
    frame.addBlocking(PerLock(repeating: 0, count: arrangement.locks.count))
    frame.addDrawing(drawing())
    return frame
  }

  // MARK: Events before a frame

  /// The wait of a frame that takes `frame`, if all earlier frames were on time.
  private mutating func wait(in loop: MainLoop.Events, beside frame: TimeSpan) -> TimeSpan {
    let events = scenario.workloads.indices.map { event(of: $0) }
    let queue = EventBacklog(
      items: zip(scenario.workloads, events).map { (arrival: $0.arrival, cost: $1.whole) },
      frame: frame,
      period: period, duration: scenario.duration)
    if loop.order == .fifo || loop.batch == .queued {
      for workload in scenario.workloads.indices where queue.isUnbounded(workload.position) {
        reportUnboundedArrival(of: workload)
      }
      guard gaps.isEmpty else { return .zero }
    }
    let wait =
      switch (loop.order, loop.batch) {
      case (.first, .one), (.alternate, .one): events.map(\.longest).max() ?? .zero
      case (.fifo, .one): queue.longest(beforeVsync: true)
      case (.first, .queued), (.alternate, .queued): queue.longest(beforeVsync: false)
      case (.fifo, .queued): queue.longestTwoTurns
      }
    // At its vsync a frame goes first, so it waits only for an event that began before. But if both alternate, or if something
    // at that instant wants the frame or frees its buffer, an event may begin then.
    let display = scenario.display
    let isKnown = !display.frames.isOnDemand && !display.pipeline.hasSecondStage
    return loop.order != .alternate && isKnown ? max(.zero, wait - .nanoseconds(1)) : wait
  }

  /// The time of an item on the main thread when it is dequeued: until other events may run, and in all.
  private func event(of workload: WorkloadIndex) -> (longest: TimeSpan, whole: TimeSpan) {
    // The item may find the thread on another core.
    let switching = isShuffled ? costs.contextSwitch : .zero
    guard let segment = segments(of: workload).first else {
      let waking = handOffLane(of: workload).map { wakeCost(of: $0) } ?? .zero
      let post = mainCost(of: workload).and(waking).and(switching)
      return (post, post)
    }
    let whole = total(of: segment).and(switching.times(max(1, segment.steps.count)))
    guard let yielding = arrangement.yielding, yielding.yieldsToOthers else {
      return (whole, whole)
    }
    let steps = segment.steps.map { index in
      time(
        of: Segment(workload: workload, steps: index..<(index + 1), from: nil, to: nil)
      ).and(switching)
    }
    // Work after the last step belongs to its part.
    let longest = (steps.max() ?? .zero).and(max(.zero, whole - steps.total))
    return switch yielding.grain {
    case .step: (min(whole, longest), whole)
    case .after(let least): (min(whole, longest.and(least)), whole)
    }
  }
}

/// The work that waits on the main thread besides frames, while it is not idle.
struct EventBacklog {
  /// Arrivals of items, and the cost of each.
  let items: [(arrival: Arrival, cost: TimeSpan)]
  /// The cost of a frame.
  let frame: TimeSpan
  let period: TimeSpan
  let duration: TimeSpan

  /// Whether any number of items of that workload may wait.
  func isUnbounded(_ workload: Int) -> Bool {
    items[workload].cost > .zero && items[workload].arrival.most(within: duration) == nil
  }

  /// The largest cost of items that wait at once: at a vsync those that arrived before it, otherwise those that arrived by
  /// then.
  func longest(beforeVsync: Bool) -> TimeSpan {
    let moments = moments
    var longest = TimeSpan.zero
    for (moment, next) in zip(moments, moments.dropFirst()) {
      // These items have arrived, and this many frames may have run, since the thread was last idle.
      let arrived = arriving(within: next)
      let frames = Int((next.nanoseconds - 1) / period.nanoseconds) + (beforeVsync ? 0 : 1)
      // Frames took no longer than the elapsed time.
      longest = max(longest, arrived - max(.zero, moment - frame.times(frames)))
      if arrived.and(frame.times(frames + 1)) <= next { break }
    }
    return longest
  }

  /// A turn runs the events that waited when it began; the next one runs those that arrived by its end.
  var longestTwoTurns: TimeSpan {
    let turn = longest(beforeVsync: false)
    return turn.and(arriving(within: turn))
  }

  private func arriving(within length: TimeSpan) -> TimeSpan {
    items.map { arrival, cost -> TimeSpan in
      cost == .zero ? .zero : arrival.most(within: length).map { cost.times($0) } ?? .limit
    }.total
  }

  /// Times up to the end of the run; nothing arrives between them.
  private var moments: [TimeSpan] {
    var moments: Set<TimeSpan> = [.zero, duration]
    // A grid replaces shorter intervals than this; the bound then assumes more arrivals than there are.
    let finest = TimeSpan(nanoseconds: duration.nanoseconds / Self.maxMoments + 1)
    let intervals = items.compactMap { arrival, _ -> TimeSpan? in
      guard case .batch(_, let every, _) = arrival else { return nil }
      return every
    }
    for interval in [period] + intervals {
      var moment = max(interval, finest)
      while moment < duration {
        moments.insert(moment)
        moment += max(interval, finest)
      }
    }
    return moments.sorted()
  }

  private static let maxMoments: Int64 = 20_000
}
