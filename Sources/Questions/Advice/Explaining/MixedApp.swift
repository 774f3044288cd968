internal import FrameBudget

/// An app with some parts of another: `explain` runs these between *before* and *after*.
struct MixedApp: Sendable {
  let before: Side
  let after: Side

  /// A scenario and its arrangement.
  struct Side: Sendable {
    let scenario: Scenario
    let arrangement: Arrangement
  }

  /// The parts that differ: the services in the order of *after*, all copies of one together, then the rest.
  var parts: [Part] {
    let names = services.map(\.fileName).distinct()
    let all =
      names.map(Part.service) + [.results, .reads] + framePartNames.map(Part.framePart)
      + [.drawing, .arrivals, .arrangement, .settings]
    return all.filter { isDifferent($0) }
  }

  /// *Before*, with these parts of *after*.
  func side(with parts: Set<Part>) -> Side {
    var scenario = (parts.contains(.settings) ? after : before).scenario
    let reading = (parts.contains(.reads) ? after : before).scenario
    scenario.display = (parts.contains(.drawing) ? after : before).scenario.display
    scenario.phase = (parts.contains(.arrivals) ? after : before).scenario.phase
    scenario.services = PerService(
      services.map { service in
        let (first, second) =
          parts.contains(.service(service.fileName)) ? (after, before) : (before, after)
        return first.service(service.name) ?? second.service(service.name) ?? service
      })
    scenario.reads = reading.reads.map { read in
      UIRead(service: place(of: reading.services[read.service].name), cpu: read.cpu)
    }
    scenario.frameParts = framePartNames.compactMap { name in
      (parts.contains(.framePart(name)) ? after : before).framePart(name)
    }
    let settings = parts.contains(.settings) ? (after, before) : (before, after)
    scenario.resources = PerResource(
      resources.map { name in
        settings.0.resource(name) ?? settings.1.resource(name) ?? Resource(name: name, parallel: 1)
      })
    scenario.workloads = PerWorkload(workloads(with: parts))
    let sides = parts.contains(.arrangement) ? (after, before) : (before, after)
    return Side(
      scenario: scenario,
      arrangement: ArrangementUnion(sides.0, sides.1).arrangement(of: scenario))
  }

  // MARK: Content of both sides

  /// Those of *after*, then those that only *before* has.
  private var services: [Service] {
    let old = before.scenario.services.filter { after.service($0.name) == nil }
    return Array(after.scenario.services) + old
  }

  /// The names of the resources of *after*, then those that only *before* has.
  private var resources: [String] {
    (after.scenario.resources + before.scenario.resources).map(\.name).distinct()
  }

  /// The names of the parts of drawing of *after*, then those that only *before* has.
  private var framePartNames: [String] {
    (after.scenario.frameParts + before.scenario.frameParts).map(\.name).distinct()
  }

  private func place(of service: String) -> ServiceIndex {
    guard let place = services.firstIndex(where: { $0.name == service }) else {
      preconditionFailure("a service of either side")
    }
    return ServiceIndex(place)
  }

  private func isDifferent(_ part: Part) -> Bool {
    let (one, other) = (side(with: []), side(with: [part]))
    return one.arrangement != other.arrangement
      || one.scenario.withoutLabels != other.scenario.withoutLabels
  }

  /// The workloads of the side with the arrivals, in its order.
  private func workloads(with parts: Set<Part>) -> [Workload] {
    let (side, other) = parts.contains(.arrivals) ? (after, before) : (before, after)
    let showing = parts.contains(.results) ? after : before
    let fileNames = Dictionary(services.map { ($0.name, $0.fileName) }) { first, _ in first }
    return side.scenario.workloads.map { workload in
      var workload = workload
      workload.result = showing.workload(workload.name)?.result ?? workload.result
      let isHere = { (service: String) in
        parts.contains(.service(fileNames[service] ?? service)) == parts.contains(.arrivals)
      }
      workload.steps = steps(
        of: workload, in: side, other.workload(workload.name), in: other, isHere)
      return workload
    }
  }

  /// The steps of a workload, each from the side that its service comes from. A step that only the other side has is inserted
  /// after the step that precedes it there.
  private func steps(
    of workload: Workload, in side: Side, _ others: Workload?, in other: Side,
    _ isHere: (String) -> Bool
  ) -> [Step] {
    let mine = NamedSteps(workload, in: side.scenario)
    guard let others else { return mine.steps.map { moved($0.step, from: side) } }
    let theirs = NamedSteps(others, in: other.scenario)
    var steps: [Step] = []
    var next = 0
    /// Inserts the steps that only the other side has, up to its step at `end`.
    func add(upTo end: Int) {
      while next < end {
        let step = theirs.steps[next]
        if mine.place(of: step.key) == nil, !isHere(step.key.service) {
          steps.append(moved(step.step, from: other))
        }
        next += 1
      }
    }
    for step in mine.steps {
      guard let place = theirs.place(of: step.key) else {
        if isHere(step.key.service) { steps.append(moved(step.step, from: side)) }
        continue
      }
      add(upTo: place)
      next = max(next, place + 1)
      steps.append(
        isHere(step.key.service)
          ? moved(step.step, from: side) : moved(theirs.steps[place].step, from: other))
    }
    add(upTo: theirs.steps.count)
    return steps
  }

  private func moved(_ step: Step, from side: Side) -> Step {
    var step = step
    step.service = place(of: side.scenario.services[step.service].name)
    if let resource = step.suspension?.resource {
      let place = resources.firstIndex(of: side.scenario.resources[resource].name)
      step.suspension?.resource = place.map { ResourceIndex($0) }
    }
    return step
  }
}

extension MixedApp.Side {
  fileprivate func service(_ name: String) -> Service? {
    scenario.services.first { $0.name == name }
  }

  fileprivate func framePart(_ name: String) -> FramePart? {
    scenario.frameParts.first { $0.name == name }
  }

  fileprivate func resource(_ name: String) -> Resource? {
    scenario.resources.first { $0.name == name }
  }

  fileprivate func workload(_ name: String) -> Workload? {
    scenario.workloads.first { $0.name == name }
  }
}

/// Steps that can be found on the other side, by service, name, and number among those.
private struct NamedSteps {
  struct Key: Hashable {
    let service: String
    let name: String
    let number: Int
  }

  let steps: [(key: Key, step: Step)]
  private let places: [Key: Int]

  init(_ workload: Workload, in scenario: Scenario) {
    var counts: [[String]: Int] = [:]
    steps = workload.steps.map { step in
      let service = scenario.services[step.service].name
      counts[[service, step.name], default: 0] += 1
      let number = counts[[service, step.name]] ?? 1
      return (Key(service: service, name: step.name, number: number), step)
    }
    places = Dictionary(steps.enumerated().map { ($1.key, $0) }) { first, _ in first }
  }

  func place(of key: Key) -> Int? { places[key] }
}

/// The arrangement of one side for the services and workloads of both. A service that it does not know has its home on the
/// other side if that lane or lock exists here too, and otherwise is on main.
private struct ArrangementUnion {
  private let side: MixedApp.Side
  private let other: MixedApp.Side

  init(_ side: MixedApp.Side, _ other: MixedApp.Side) {
    self.side = side
    self.other = other
  }

  func arrangement(of scenario: Scenario) -> Arrangement {
    var arrangement = side.arrangement
    arrangement.placement = PerService(scenario.services.map { placement(of: $0.name) })
    arrangement.entry = PerWorkload(scenario.workloads.map { entry(of: $0.name) })
    arrangement.setRules(ofFrameParts: scenario.frameParts.map { rule(ofFramePart: $0.name) })
    return arrangement
  }

  private func placement(of service: String) -> Placement {
    if let place = side.scenario.services.firstIndex(where: { $0.name == service }) {
      return side.arrangement.placement[place]
    }
    guard let place = other.scenario.services.firstIndex(where: { $0.name == service }) else {
      return .home(.main)
    }
    switch other.arrangement.placement[place] {
    case .home(let lane): return .home(matchingLane(lane))
    case .guarded(let lock):
      let name = other.arrangement.locks[lock].name
      let found = side.arrangement.locks.firstIndex { $0.name == name }
      return found.map(Placement.guarded) ?? .home(.main)
    }
  }

  private func rule(ofFramePart name: String) -> FramePartRule {
    for side in [side, other] {
      guard let index = side.scenario.frameParts.firstIndex(where: { $0.name == name })
      else { continue }
      let rule = side.arrangement.rule(ofFramePart: index)
      return rule.lane.map { rule.on(place(of: side.arrangement.lanes[$0].name)) } ?? rule
    }
    return .inFrame
  }

  private func entry(of workload: String) -> LaneIndex {
    if let place = side.scenario.workloads.firstIndex(where: { $0.name == workload }) {
      return side.arrangement.entry[place]
    }
    let place = other.scenario.workloads.firstIndex { $0.name == workload }
    return place.map { matchingLane(other.arrangement.entry[$0]) } ?? .main
  }

  private func matchingLane(_ lane: LaneIndex) -> LaneIndex {
    place(of: other.arrangement.lanes[lane].name)
  }

  private func place(of lane: String) -> LaneIndex {
    side.arrangement.lanes.firstIndex { $0.name == lane } ?? .main
  }
}

extension Scenario {
  /// The same without what no run in virtual time depends on: texts, expectations, and what only real runs or advice read.
  /// Whatever is not removed here counts as a difference.
  fileprivate var withoutLabels: Scenario {
    var scenario = self
    (scenario.name, scenario.about, scenario.learned) = ("", "", nil)
    (scenario.strategies, scenario.expectations, scenario.aims) = ([], [], [])
    scenario.services = services.mapValues { service in
      var service = service
      (service.copyOf, service.isKept) = (nil, false)
      return service
    }
    scenario.workloads = workloads.mapValues { workload in
      var workload = workload
      (workload.copyOf, workload.item, workload.files) = (nil, nil, nil)
      return workload
    }
    return scenario
  }
}
