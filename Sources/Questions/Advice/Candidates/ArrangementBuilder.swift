internal import FrameBudget

/// Derives the rest of an arrangement from the homes of its services. A change that a move forces does not count as a move.
struct ArrangementBuilder {
  private let space: SearchSpace
  private let layout: PlacementCandidate
  private var result: Arrangement

  private var scenario: Scenario { space.scenario }
  private var today: Arrangement { space.today }

  /// The arrangement, which may be invalid.
  var arrangement: Arrangement { result }

  init(_ space: SearchSpace, _ layout: PlacementCandidate) {
    self.space = space
    self.layout = layout
    result = space.today
    addLanes()
    place()
    enter()
    dropIdleLanes()
    dropIdleLocks()
    fitRules()
  }

  private var carrier: CarrierKind { space.request.carriers[layout.carrier] }

  private mutating func addLanes() {
    for _ in 0..<layout.newLanes { addLane() }
  }

  private mutating func addLane() { _ = result.addLane("background", on: carrier) }

  private func newLane(_ number: Int) -> LaneIndex {
    today.lanes.endIndex.advanced(by: number)
  }

  private mutating func place() {
    for (unit, home) in zip(space.units, layout.homes) {
      guard let placement = placement(of: unit, home) else { continue }
      for service in unit.services { result.placement[service] = placement }
    }
  }

  /// Nil if it stays.
  private mutating func placement(of unit: MovableUnit, _ home: Home) -> Placement? {
    switch home {
    case .today: nil
    case .main: .home(.main)
    case .lane(let lane): .home(lane)
    case .newLane(let number): .home(newLane(number))
    case .lock: .guarded(addLock(for: unit))
    }
  }

  private mutating func addLock(for unit: MovableUnit) -> LockIndex {
    let names = Set(result.locks.map(\.name))
    let name = unit.name
    result.locks.append(
      Lock(name: names.contains(name) ? "\(name)-lock" : name, kind: .standard))
    return result.locks.endIndex.advanced(by: -1)
  }

  /// A workload that begins behind a lock, and one of whose services moved, begins on the lane of its next step. One that is
  /// entirely behind locks stays on main if a user waits for it, and otherwise begins on a lane.
  private mutating func enter() {
    var shared: LaneIndex?
    for (index, workload) in scenario.workloads.indexed {
      guard let first = workload.steps.first, result.placement[first.service].lock != nil else {
        result.entry[index] = .main
        continue
      }
      guard
        workload.steps.contains(where: {
          result.placement[$0.service] != today.placement[$0.service]
        })
      else { continue }
      if let home = workload.steps.compactMap({ home(of: $0) }).first {
        result.entry[index] = home
      } else if workload.priority == .user {
        result.entry[index] = .main
      } else {
        let lane = shared ?? laneForAll()
        shared = lane
        result.entry[index] = lane
      }
    }
  }

  private func home(of step: Step) -> LaneIndex? {
    if case .home(let lane) = result.placement[step.service] { lane } else { nil }
  }

  /// The first lane with a service, new ones first; a lane for this purpose alone if no service has one.
  private mutating func laneForAll() -> LaneIndex {
    let homes = Set(
      scenario.services.indices.compactMap { service -> LaneIndex? in
        guard case .home(let lane) = result.placement[service], lane != .main else { return nil }
        return lane
      })
    if let lane = homes.filter({ $0 >= today.lanes.endIndex }).min() ?? homes.min() { return lane }
    addLane()
    return result.lanes.endIndex.advanced(by: -1)
  }

  /// Removes lanes that nothing uses any more.
  private mutating func dropIdleLanes() {
    var used: Set<LaneIndex> = [.main]
    used.formUnion(result.entry)
    used.formUnion(result.frameParts.compactMap(\.lane))
    for placement in result.placement {
      if case .home(let lane) = placement { used.insert(lane) }
    }
    let kept = result.lanes.indices.filter(used.contains)
    let places = Dictionary(
      uniqueKeysWithValues: kept.enumerated().map { ($1, LaneIndex($0)) })
    func moved(_ lane: LaneIndex) -> LaneIndex { places[lane] ?? .main }
    result.entry = result.entry.mapValues(moved)
    result.placement = result.placement.mapValues { placement in
      if case .home(let lane) = placement { .home(moved(lane)) } else { placement }
    }
    result.frameParts = result.frameParts.map { rule in
      rule.lane.map { rule.on(moved($0)) } ?? rule
    }
    result.lanes = PerLane(kept.map { result.lanes[$0] })
  }

  private mutating func dropIdleLocks() {
    let used = Set(result.placement.compactMap(\.lock))
    let kept = result.locks.indices.filter(used.contains)
    let places = Dictionary(
      uniqueKeysWithValues: kept.enumerated().map { ($1, LockIndex($0)) })
    result.placement = result.placement.mapValues { placement in
      placement.lock.flatMap { places[$0] }.map(Placement.guarded) ?? placement
    }
    result.locks = PerLock(kept.map { result.locks[$0] })
  }

  /// Keeps the rules that the new homes allow, and replaces the others with those that they require.
  private mutating func fitRules() {
    let reading = result.fittingReading(scenario)
    if reading != today.fittingReading(scenario) { result.reading = reading }
    if result.endsOnMain(scenario) != today.endsOnMain(scenario) {
      result.returning = result.fittingReturning(scenario)
    }
    if case .fitting = result.admission, result.lanes.count > 1 { result.admission = .all }
  }
}
