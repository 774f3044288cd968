internal import FrameBudget

// Items that leave steps to other lanes and go on meanwhile: `ItemParts` knows how far their parts have come.
extension LaneWorkers {
  /// What an item does next that no thread has begun with.
  enum Onward {
    /// It leaves its next step to another lane, and goes on.
    case forks
    /// Its next step is on the main thread, or on another lane.
    case isHere, isElsewhere
    /// Others have what is left of it.
    case isLeft
  }

  /// What `item` does next, which the main thread starts.
  mutating func onward(_ item: Item) -> Onward {
    let step = steps[item]
    if step.isDone { return ended(item) == .isDone ? .isHere : .isLeft }
    // Whether it has to wait there, is seen when it has its turn.
    if step.lane == .main { return .isHere }
    if step.joins && parts.waits(item.workload, Int(item.number), at: Int(item.step)) {
      return .isLeft
    }
    return step.isFork ? .forks : .isElsewhere
  }

  /// Posts the next step of `item` as a part of its own.
  mutating func fork(_ item: Item, at now: Instant) -> Operation {
    parts.forks(item.workload, Int(item.number))
    return post(steps.part(of: item), at: now)
  }

  /// Where `thread` goes on behind a step: it posts what the item leaves to others, or lets go of an item that may have to
  /// wait for them.
  mutating func chooseStep(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let step = steps[item]
    let isHere = step.lane == runners[thread].lane
    if step.joins && parts.hasOpen(item.workload, Int(item.number)) {
      runners[thread].stage = .lettingGo
    } else if step.isFork && !isHere {
      runners[thread].item = item.next
      return fork(item, at: now)
    } else {
      runners[thread].stage = step.isPostedAnew && isHere ? .lettingGo : .takingLock
    }
    return nil
  }

  /// `item` leaves `thread`: for the lane of its next step, unless that one waits for others first.
  mutating func leave(_ item: Item, _ thread: ThreadIndex, at now: Instant) -> Operation? {
    letGoOfPart(thread)
    let waits =
      steps[item].joins && parts.waits(item.workload, Int(item.number), at: Int(item.step))
    return waits ? nil : post(item, at: now)
  }

  /// The item that `thread` has run goes on elsewhere, with what it has changed.
  mutating func letGoOfPart(_ thread: ThreadIndex) {
    letGo(thread)
    services.carry(runners[thread].item, from: thread)
  }

  // MARK: The end of a part

  /// What follows from the end of `item`, or of the part of it, that stands behind its last step.
  mutating func ended(_ item: Item) -> ItemParts.End {
    guard parts.covers(item.workload) else { return .isDone }
    return steps[item].isPart
      ? parts.forkEnds(item.workload, Int(item.number))
      : parts.chainEnds(item.workload, Int(item.number))
  }

  /// The same on a lane's thread: what is done is handed back, and what has waited goes on there later.
  @inline(__always)
  mutating func endPart(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    switch ended(item) {
    case .isDone: handBack(item, from: thread, at: now)
    case .nothing: letGoOfPart(thread)
    case .resumes(let step): runners[thread].resumed = item.at(Int32(step))
    }
  }

  /// Goes on with the item that has waited for the part which `thread` has run; false if there is none.
  mutating func resume(_ thread: ThreadIndex) -> Bool {
    guard let item = runners[thread].resumed.take() else { return false }
    resume(item, on: thread)
    return true
  }

  mutating func resume(_ item: Item, on thread: ThreadIndex) {
    runners[thread].item = item
    runners[thread].stage = .choosingStep
  }

  // MARK: Threads at an item

  /// Whether nobody is at the item that a thread begins with.
  @inline(__always)
  mutating func isFirst(at item: Item) -> Bool {
    !parts.covers(item.workload) || parts.begins(item.workload, Int(item.number))
  }

  /// Whether nobody is at the item any more that a thread lets go of.
  @inline(__always)
  mutating func isLast(at item: Item) -> Bool {
    !parts.covers(item.workload) || parts.letsGo(item.workload, Int(item.number))
  }
}
