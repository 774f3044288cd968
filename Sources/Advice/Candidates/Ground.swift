internal import FrameBudget

/// What is given, worked out once: the units, where they are, and where they may go.
struct Ground: Sendable {
  let request: AdviceRequest
  let units: [AppUnit]
  /// By unit: where it may live, where it is first.
  let choices: [[Home]]
  /// How many lanes services may live on beside main.
  let mostLanes: Int
  /// How many lanes there may be that there are not yet.
  let mostNewLanes: Int
  /// Units that share items: those of each workload, and all that hang together.
  let clusters: [[Int]]

  var scenario: Scenario { request.scenario }
  var today: Arrangement { request.today.arrangement }

  /// Lanes of today's that services may be sent to; where there is one for each of many services none is like another.
  private static let mostOldLanes = 8

  init(_ request: AdviceRequest) {
    self.request = request
    units = AppUnit.all(in: request.scenario)
    mostLanes = Self.mostLanes(of: request, units)
    let old = request.today.arrangement.lanes.count - 1
    mostNewLanes = old == 0 ? mostLanes : max(1, mostLanes - old)
    clusters = Self.clusters(of: units, in: request.scenario)
    choices = units.map { Self.choices(for: $0, in: request) }
  }

  private static func mostLanes(of request: AdviceRequest, _ units: [AppUnit]) -> Int {
    if let most = request.mostLanes { return most }
    let scenario = request.scenario
    let waiting = units.count { unit in
      scenario.workloads.contains { workload in
        workload.steps.contains { $0.wait > .zero && unit.services.contains($0.service) }
      }
    }
    return max(2, scenario.machine.cores) + waiting
  }

  /// Of new lanes, number 0 stands for all.
  private static func choices(for unit: AppUnit, in request: AdviceRequest) -> [Home] {
    let today = request.today.arrangement
    let placements = Set(unit.services.map { today.placement[$0] })
    var homes: [Home] = [.main]
    homes += today.lanes.indices.dropFirst().prefix(mostOldLanes).map { .lane($0) }
    homes += [.newLane(0), .lock]
    let elsewhere = homes.filter { !$0.isThat(of: placements) }
    let all = [Home.today] + elsewhere
    guard let kept = request.kept[unit.name] else { return all }
    return all.filter { home in
      home == .today ? kept.allows(placements) : kept.allows(home)
    }
  }

  /// The units of each workload, and all that are connected by them; each set once, the smaller ones first.
  private static func clusters(of units: [AppUnit], in scenario: Scenario) -> [[Int]] {
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
  /// Whether units that are placed like that live there already.
  fileprivate func isThat(of placements: Set<Placement>) -> Bool {
    switch self {
    case .today: true
    case .main: placements == [.home(.main)]
    case .lane(let lane): placements == [.home(lane)]
    case .newLane: false
    case .lock: placements.allSatisfy { $0.lock != nil }
    }
  }
}

extension KeptHome {
  fileprivate func allows(_ home: Home) -> Bool {
    switch (self, home) {
    case (.main, .main), (.anyLane, .lane), (.anyLane, .newLane), (.lock, .lock): true
    case (.lane(let kept), .lane(let lane)): kept == lane
    default: false
    }
  }

  /// Whether what is placed like that today may stay.
  fileprivate func allows(_ placements: Set<Placement>) -> Bool {
    switch self {
    case .today: true
    case .main: Home.main.isThat(of: placements)
    case .lock: Home.lock.isThat(of: placements)
    case .lane(let lane): Home.lane(lane).isThat(of: placements)
    case .anyLane:
      placements.allSatisfy { placement in
        if case .home(let lane) = placement { lane != .main } else { false }
      }
    }
  }
}
