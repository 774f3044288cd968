internal import FrameBudget

/// Works out what a placement of services means for all else: what one move forces is not another move.
struct ArrangementBuilder {
  private let ground: Ground
  private let layout: Layout
  private var result: Arrangement

  private var scenario: Scenario { ground.scenario }
  private var today: Arrangement { ground.today }

  /// The arrangement; whether it can be, it does not say.
  var arrangement: Arrangement { result }

  init(_ ground: Ground, _ layout: Layout) {
    self.ground = ground
    self.layout = layout
    result = ground.today
    addLanes()
    place()
    enter()
    dropIdleLanes()
    dropIdleLocks()
    fitRules()
  }

  private var carrier: CarrierKind { ground.request.carriers[layout.carrier] }

  private mutating func addLanes() {
    for _ in 0..<layout.newLanes { addLane() }
  }

  private mutating func addLane() {
    let names = Set(result.lanes.map(\.name))
    var (name, number) = ("background", 1)
    while names.contains(name) {
      number += 1
      name = "background-\(number)"
    }
    result.lanes.append(Lane(name: name, carrier: carrier))
  }

  private func newLane(_ number: Int) -> LaneIndex {
    today.lanes.endIndex.advanced(by: number)
  }

  private mutating func place() {
    for (unit, home) in zip(ground.units, layout.homes) {
      guard let placement = placement(of: unit, home) else { continue }
      for service in unit.services { result.placement[service] = placement }
    }
  }

  /// Nil where it stays.
  private mutating func placement(of unit: AppUnit, _ home: Home) -> Placement? {
    switch home {
    case .today: nil
    case .main: .home(.main)
    case .lane(let lane): .home(lane)
    case .newLane(let number): .home(newLane(number))
    case .lock: .guarded(addLock(for: unit))
    }
  }

  private mutating func addLock(for unit: AppUnit) -> LockIndex {
    let names = Set(result.locks.map(\.name))
    let name = unit.name
    result.locks.append(
      Lock(name: names.contains(name) ? "\(name)-lock" : name, kind: .standard))
    return result.locks.endIndex.advanced(by: -1)
  }

  /// A workload that begins behind a lock, of which something moved, begins on the lane where it goes next; one that is
  /// behind locks altogether stays on main if somebody waits for it, and is otherwise handed to a lane.
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

  /// The first lane that a service lives on, the new ones first; one for this alone if there is none.
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

  /// Takes the lanes away on which nothing happens any more.
  private mutating func dropIdleLanes() {
    var used: Set<LaneIndex> = [.main]
    used.formUnion(result.entry)
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

  /// What the new places allow is kept as it is; the rest is what they ask for.
  private mutating func fitRules() {
    let reading = result.fittingReading(scenario)
    if reading != today.fittingReading(scenario) { result.reading = reading }
    if result.endsOnMain(scenario) != today.endsOnMain(scenario) {
      result.returning = result.fittingReturning(scenario)
    }
    if case .fitting = result.admission, result.lanes.count > 1 { result.admission = .all }
  }
}
