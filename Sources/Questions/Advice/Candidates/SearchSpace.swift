internal import FrameBudget

/// The space of the search, computed once: the units, their homes, and where they may move.
struct SearchSpace: Sendable {
  let request: AdviceRequest
  let units: [MovableUnit]
  /// The changes of rules to try.
  let policies: [Policy]
  /// The possible homes of each unit, the current one first.
  let choices: [[Home]]
  /// The largest number of lanes besides main that services may use.
  let maxLanes: Int
  /// The largest number of new lanes.
  let maxNewLanes: Int
  /// Sets of units that share items: those of each workload, and their connected components.
  let clusters: [[Int]]

  var scenario: Scenario { request.scenario }
  var today: Arrangement { request.today.arrangement }

  /// The largest number of existing lanes to try, for apps with a lane for each of many services.
  private static let maxOldLanes = 8

  init(_ request: AdviceRequest) {
    self.request = request
    units = MovableUnit.all(in: request.scenario)
    policies = Policy.all(in: request.scenario)
    maxLanes = Self.maxLanes(of: request, units)
    let old = request.today.arrangement.lanes.count - 1
    maxNewLanes = old == 0 ? maxLanes : max(1, maxLanes - old)
    clusters = Self.clusters(of: units, in: request.scenario)
    choices = units.map { Self.choices(for: $0, in: request) }
  }

  private static func maxLanes(of request: AdviceRequest, _ units: [MovableUnit]) -> Int {
    if let most = request.maxLanes { return most }
    let scenario = request.scenario
    let waiting = units.count { unit in
      scenario.workloads.contains { workload in
        workload.steps.contains { $0.wait != .none && unit.services.contains($0.service) }
      }
    }
    return max(2, scenario.machine.cores) + waiting
  }

  /// Number 0 means all new lanes.
  private static func choices(for unit: MovableUnit, in request: AdviceRequest) -> [Home] {
    let today = request.today.arrangement
    let placements = Set(unit.services.map { today.placement[$0] })
    var homes: [Home] = [.main]
    homes += today.lanes.indices.dropFirst().prefix(maxOldLanes).map { .lane($0) }
    homes += [.newLane(0), .lock]
    let elsewhere = homes.filter { !$0.isCurrent(of: placements) }
    let all = [Home.today] + elsewhere
    let isKept = unit.services.contains { request.scenario.services[$0].isKept }
    guard let kept = request.kept[unit.name] ?? (isKept ? .today : nil) else { return all }
    return all.filter { home in
      home == .today ? kept.allows(placements) : kept.allows(home)
    }
  }

  /// The units of each workload, and their connected components; each set once, the smaller ones first.
  private static func clusters(of units: [MovableUnit], in scenario: Scenario) -> [[Int]] {
    var places: [ServiceIndex: Int] = [:]
    for (place, unit) in units.enumerated() {
      for service in unit.services { places[service] = place }
    }
    let shared = scenario.distinctWorkloads.map { workload in
      Set(scenario.workloads[workload].steps.compactMap { places[$0.service] })
    }
    var connected: [Set<Int>] = []
    for set in shared {
      let touching = connected.filter { !$0.isDisjoint(with: set) }
      connected.removeAll { !$0.isDisjoint(with: set) }
      connected.append(touching.reduce(set) { $0.union($1) })
    }
    let all = (shared + connected).filter { $0.count > 1 }.map { $0.sorted() }
    return Array(Set(all)).sorted { ($0.count, $0[0], $0[1]) < ($1.count, $1[0], $1[1]) }
  }
}

extension Home {
  /// Whether this is already the home of units with these placements.
  fileprivate func isCurrent(of placements: Set<Placement>) -> Bool {
    switch self {
    case .today: true
    case .main: placements == [.home(.main)]
    case .lane(let lane): placements == [.home(lane)]
    case .newLane: false
    case .lock: placements.allSatisfy { $0.lock != nil }
    }
  }
}

extension HomeConstraint {
  fileprivate func allows(_ home: Home) -> Bool {
    switch (self, home) {
    case (.main, .main), (.anyLane, .lane), (.anyLane, .newLane), (.lock, .lock): true
    case (.lane(let kept), .lane(let lane)): kept == lane
    default: false
    }
  }

  /// Whether units with these placements may stay.
  fileprivate func allows(_ placements: Set<Placement>) -> Bool {
    switch self {
    case .today: true
    case .main: Home.main.isCurrent(of: placements)
    case .lock: Home.lock.isCurrent(of: placements)
    case .lane(let lane): Home.lane(lane).isCurrent(of: placements)
    case .anyLane:
      placements.allSatisfy { placement in
        if case .home(let lane) = placement { lane != .main } else { false }
      }
    }
  }
}

// The layouts, and the arrangement and words of each.
extension SearchSpace {
  /// All placements without a change of rules, in the order of the units' choices, the last unit changing fastest; only
  /// the first `limit`. New lanes are alike, so the first one that a unit uses is number 0.
  func layouts(limit: Int) -> [PlacementCandidate] {
    var found: [PlacementCandidate] = []
    var homes: [Home] = []
    func extend(_ used: Int) {
      guard found.count < limit else { return }
      guard homes.count < units.count else {
        return found += carried(PlacementCandidate(homes: homes))
      }
      for choice in choices[homes.count] {
        guard case .newLane = choice else {
          homes.append(choice)
          extend(used)
          homes.removeLast()
          continue
        }
        for number in 0..<min(used + 1, maxNewLanes) {
          homes.append(.newLane(number))
          extend(max(used, number + 1))
          homes.removeLast()
        }
      }
    }
    extend(0)
    return Array(found.prefix(limit))
  }

  /// The layout with each carrier that its new lanes may use.
  func carried(_ layout: PlacementCandidate) -> [PlacementCandidate] {
    guard layout.newLanes > 0 else { return [layout] }
    return request.carriers.indices.map { carrier in
      var layout = layout
      layout.carrier = carrier
      return layout
    }
  }

  /// The arrangement of `layout`; nil if it is not valid.
  func arrangement(_ layout: PlacementCandidate) -> Arrangement? {
    let isInPlace = layout.homes.allSatisfy { $0 == .today }
    var arrangement = isInPlace ? today : ArrangementBuilder(self, layout).arrangement
    for policy in layout.policies {
      let carrier = request.carriers[layout.carrier]
      guard let changed = policy.applied(to: arrangement, of: scenario, newLaneOn: carrier)
      else { return nil }
      arrangement = changed
    }
    do throws(ArrangementError) {
      try arrangement.validate(for: scenario)
    } catch {
      return nil
    }
    let conflicts = arrangement.lockOrderConflicts(in: scenario).count
    return conflicts <= today.lockOrderConflicts(in: scenario).count ? arrangement : nil
  }
}

extension SearchSpace {
  /// The steps to take, in a few words each: services that move to one place form one step.
  func words(for change: Change, _ arrangement: Arrangement, _ policies: [Policy]) -> [String] {
    let moved = units.filter { change.moved.contains($0.name) }
    return moved.grouped { place(of: $0, in: arrangement) }.map { place, units in
      let list = English.list(units.map(\.name))
      if place.isEmpty { return "guard \(list) with \(units.count == 1 ? "a lock" : "locks")" }
      return "move \(list) to \(place)"
    } + policies.map(\.words)
  }

  /// Empty for a lock.
  private func place(of unit: MovableUnit, in arrangement: Arrangement) -> String {
    let homes = Set(unit.services.map { arrangement.placement[$0] })
    guard let service = unit.services.first, case .home = arrangement.placement[service]
    else { return "" }
    return homes.count > 1 ? "lanes of their own" : arrangement.nameOfPlace(of: service)
  }
}

/// The home of a unit in a candidate.
enum Home: Hashable, Sendable {
  /// The current home; all other cases are a move.
  case today
  case main
  /// An existing lane.
  case lane(LaneIndex)
  /// A new lane, by its number.
  case newLane(Int)
  /// Behind a lock of its own, on the calling thread.
  case lock
}

/// A candidate in short form: the home of each unit, and the rules that change.
struct PlacementCandidate: Hashable, Sendable {
  var homes: [Home]
  /// The carrier of the new lanes, as an index of the request's carriers.
  var carrier = 0
  var policies: [Policy] = []

  /// The number of new lanes.
  var newLanes: Int {
    (homes.compactMap { if case .newLane(let number) = $0 { number } else { nil } }.max() ?? -1) + 1
  }

  /// The same homes under the current rules.
  var withoutPolicies: PlacementCandidate { PlacementCandidate(homes: homes, carrier: carrier) }

  /// The same with new lanes numbered in the order in which units use them, so that equivalent layouts are equal.
  var canonical: PlacementCandidate {
    var numbers: [Int: Int] = [:]
    var layout = self
    for unit in homes.indices {
      guard case .newLane(let number) = homes[unit] else { continue }
      let place = numbers[number] ?? numbers.count
      numbers[number] = place
      layout.homes[unit] = .newLane(place)
    }
    return layout
  }
}

/// A unit of moving: a service, or all copies of one.
struct MovableUnit: Hashable, Sendable {
  /// Its name in the file.
  let name: String
  let services: [ServiceIndex]

  /// The units of `scenario`, in the file's order.
  static func all(in scenario: Scenario) -> [MovableUnit] {
    scenario.services.indexed.grouped { $0.1.fileName }.map { name, services in
      MovableUnit(name: name, services: services.map(\.0))
    }
  }
}

extension Scenario {
  /// One workload for all of its copies, which use copies of the same services.
  var distinctWorkloads: [WorkloadIndex] {
    var seen: Set<String> = []
    return workloads.indexed.compactMap { index, workload in
      seen.insert(workload.fileName).inserted ? index : nil
    }
  }
}
