/// The reason why an arrangement cannot run a scenario, in words that fit after `the arrangement `.
public struct ArrangementError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  /// - Parameter description: the problem, as a sentence for people.
  public init(_ description: String) { self.description = description }
}

extension Arrangement {
  /// Whether results can always run where items end: the last steps of every workload are on the main lane.
  public func endsOnMain(_ scenario: Scenario) -> Bool {
    scenario.workloads.indexed.allSatisfy { index, workload in
      let steps = zip(workload.steps, lanes(of: index, in: scenario)).reversed()
      // The last step, and steps that may still run beside it: all unjoined forks.
      guard let last = steps.first, last.1 == .main else { return steps.isEmpty }
      let open = steps.firstIndex { $0.0.joins }.map { steps[...$0] } ?? steps[...]
      return open.allSatisfy { step, lane in !canFork(step) || lane == .main }
    }
  }

  /// By step: the lane that runs it. A guarded step runs on the lane that calls it, and a step that is not awaited does not
  /// move the item to another lane.
  public func lanes(of workload: WorkloadIndex, in scenario: Scenario) -> [LaneIndex] {
    var current = entry[workload]
    return scenario.workloads[workload].steps.map { step in
      guard case .home(let lane) = placement[step.service] else { return current }
      if !canFork(step) { current = lane }
      return lane
    }
  }

  /// Whether an item may leave `step` to another lane. A step under a lock runs on the item's own lane.
  func canFork(_ step: Step) -> Bool { !step.isAwaited && placement[step.service].lock == nil }

  /// Checks that both engines can run `scenario` this way.
  public func validate(for scenario: Scenario) throws(ArrangementError) {
    precondition(placement.count == scenario.services.count, "a placement for each service")
    precondition(entry.count == scenario.workloads.count, "an entry for each workload")
    precondition(lanes.first?.carrier == .main, "the main thread is the first lane")
    for lane in lanes.dropFirst() { try validate(lane) }
    try validate(on: scenario.machine)
    for service in scenario.services.indices { try validateHome(of: service, in: scenario) }
    for read in scenario.reads { try validate(read, of: scenario.services[read.service].name) }
    try validateFrameParts(of: scenario)
    let pipeline = scenario.display.presenting(later: presentsLater).pipeline
    if !pipeline.isAllowed {
      throw ArrangementError(
        "shows frames after \(pipeline.deadline) periods from \(pipeline.buffers) buffers; allowed: up to "
          + "\(Pipeline.deadlines.upperBound) and \(Pipeline.maxBuffers)")
    }
    if yielding != nil, !Yielding.isPossible(on: scenario.display) {
      throw ArrangementError("yields; that \(Yielding.need)")
    }
    if newest != nil, !scenario.hasReplaceableItems {
      throw ArrangementError("starts only the newest items; that \(NewestRule.need)")
    }
    if case .fitting = admission {
      let busy = scenario.workloads.indices.contains { workload in
        lanes(of: workload, in: scenario).contains { $0 != .main }
      }
      if busy { throw ArrangementError("fits work into frames, so every step must run on main") }
    }
  }

  /// Checks that `machine` has the cores on which lanes are kept.
  public func validate(on machine: Machine) throws(ArrangementError) {
    for lane in lanes {
      guard let missing = lane.cores?.cores.first(where: { $0 >= machine.cores }) else { continue }
      throw ArrangementError(
        "keeps lane '\(lane.name)' on core \(missing), but the machine has \(machine.cores), "
          + "counted from 0")
    }
  }

  /// Throws if several threads could be inside a service that only one of them may enter.
  private func validateHome(
    of service: ServiceIndex, in scenario: Scenario
  ) throws(ArrangementError) {
    guard case .home(let index) = placement[service], lanes[index].width > 1,
      scenario.services[service].isExclusive
    else { return }
    let lane = lanes[index]
    let what =
      "keeps '\(scenario.services[service].name)' on lane '\(lane.name)', whose \(lane.width) "
    guard lane.carrier.description.order == .perWorkload else {
      throw ArrangementError(what + "threads could be inside it at once; guard it with a lock")
    }
    let users = scenario.workloads.count { $0.steps.contains { $0.service == service } }
    if users > 1 {
      throw ArrangementError(
        what + "threads keep each workload in order, but \(users) workloads could be inside it at "
          + "once; guard it with a lock")
    }
  }

  private func validate(_ lane: Lane) throws(ArrangementError) {
    if lane.carrier == .main {
      throw ArrangementError(
        "has a lane '\(lane.name)' on carrier main; only the first lane can be")
    }
    if lane.overtaking && !lane.carrier.description.canOvertake {
      throw ArrangementError(
        "lets priorities overtake on lane '\(lane.name)', which carrier \(lane.carrier.rawValue) cannot do"
      )
    }
    if lane.width > 1 && !lane.carrier.description.canBeWide {
      throw ArrangementError(
        "gives lane '\(lane.name)' \(lane.width) threads, but carrier \(lane.carrier.rawValue) "
          + "has one")
    }
    let options = lane.carrier.description.options
    for option in lane.options.chosen where !options.contains(option) {
      throw ArrangementError(
        "sets '\(option.name)' on lane '\(lane.name)', but that is not an option of carrier "
          + lane.carrier.rawValue)
    }
    if !lane.renices.isEmpty && !lane.carrier.description.canRenice {
      throw ArrangementError(
        "changes the nice value of lane '\(lane.name)' while it runs, which carrier "
          + "\(lane.carrier.rawValue) cannot do")
    }
    if lane.cores != nil && !lane.carrier.description.canChooseCores {
      throw ArrangementError(
        "keeps lane '\(lane.name)' on some of the cores, but carrier \(lane.carrier.rawValue) has "
          + "no thread of its own to keep there")
    }
    if let allowed = lane.carrier.description.niceValues, !allowed.contains(lane.nice) {
      let values = allowed.map(String.init).joined(separator: ", ")
      throw ArrangementError(
        "gives lane '\(lane.name)' nice \(lane.nice), but carrier \(lane.carrier.rawValue) offers only \(values)"
      )
    }
  }

  private func validate(_ read: UIRead, of service: String) throws(ArrangementError) {
    switch (reading, placement[read.service]) {
    case (.direct, .home(.main)), (.locked, .guarded), (.snapshot, .home): return
    case (.locked, .home(.main)): return
    case (.direct, _):
      throw ArrangementError("reads '\(service)' directly, but it does not run on main")
    case (.locked, _):
      throw ArrangementError("reads '\(service)' under a lock, but no lock guards it")
    case (.snapshot, .guarded):
      throw ArrangementError("reads a snapshot of '\(service)', but it has no lane to publish one")
    }
  }
}

/// Two workloads whose items can wait for each other's locks without end.
public struct LockOrderConflict: Hashable, Sendable {
  /// One takes the second lock while it holds the first; the other one takes them the other way round.
  public let workloads: [WorkloadIndex]
  /// Each is taken while the one before it is held, and the first while the last is held.
  public let locks: [LockIndex]
}

extension Arrangement {
  /// Whether a thread can hold one lock while it waits for another.
  public var nestsLocks: Bool { locks.contains { $0.hold == .nested } }

  /// The pairs of workloads that take two locks in opposite orders, on different threads; known before any run.
  ///
  /// It finds only pairs; a run finds cycles of three or more locks.
  public func lockOrderConflicts(in scenario: Scenario) -> [LockOrderConflict] {
    // Few arrangements nest locks; the others need no further check.
    guard nestsLocks else { return [] }
    let all = scenario.workloads.indices.flatMap { acquisitions(by: $0, in: scenario) }
    // Limited, because comparing every pair of the most steps that a file may have would take minutes.
    let checked = all.prefix(1000)
    var found: [LockOrderConflict] = []
    for (index, one) in checked.enumerated() {
      for other in checked.dropFirst(index + 1) where one.conflicts(with: other, lanes) {
        let conflict = LockOrderConflict(
          workloads: [one.workload, other.workload], locks: [other.wanted, one.wanted])
        if !found.contains(conflict) { found.append(conflict) }
      }
    }
    return found
  }

  /// The points at which an item takes a lock while it holds others.
  private func acquisitions(by workload: WorkloadIndex, in scenario: Scenario)
    -> [NestedAcquisition]
  {
    var acquisitions: [NestedAcquisition] = []
    var held: Set<LockIndex> = []
    var current: LaneIndex?
    var isSuspended = false
    for (step, lane) in zip(scenario.workloads[workload].steps, lanes(of: workload, in: scenario)) {
      // A fork to another lane does not move the item, and takes no lock.
      if canFork(step) { continue }
      if lane != current || lanes[lane].splitsSteps || isSuspended { held = [] }
      current = lane
      isSuspended = step.suspension != nil
      guard case .guarded(let lock) = placement[step.service],
        scenario.services[step.service].isExclusive
      else { continue }
      if !held.isEmpty && !held.contains(lock) {
        acquisitions.append(
          NestedAcquisition(workload: workload, lane: lane, held: held, wanted: lock))
      }
      if locks[lock].hold == .nested { held.insert(lock) }
    }
    return acquisitions
  }

  private struct NestedAcquisition {
    let workload: WorkloadIndex
    let lane: LaneIndex
    let held: Set<LockIndex>
    let wanted: LockIndex

    /// Whether two threads can be at both points at once. A common lock that both hold prevents that.
    func conflicts(with other: NestedAcquisition, _ lanes: PerLane<Lane>) -> Bool {
      (lane != other.lane || lanes[lane].width > 1) && held.contains(other.wanted)
        && other.held.contains(wanted) && held.isDisjoint(with: other.held)
    }
  }
}
