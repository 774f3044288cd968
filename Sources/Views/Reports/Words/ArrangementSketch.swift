public import FrameBudget

/// An arrangement of a scenario as a text picture: the services on each thread, and the path of items.
public struct ArrangementSketch {
  private let scenario: Scenario
  private let arrangement: Arrangement

  public init(_ scenario: Scenario, under arrangement: Arrangement) {
    self.scenario = scenario
    self.arrangement = arrangement
  }

  public var text: String {
    let threads = arrangement.lanes.indices.map { (arrangement.lanes[$0].name, lane($0)) }
    let locks = arrangement.locks.indices.map { ("lock \(arrangement.locks[$0].name)", lock($0)) }
    let ways = scenario.workloads.indices.map { (scenario.workloads[$0].name, way(of: $0)) }
    let groups = [threads, locks, ways, reads, calls].filter { !$0.isEmpty }
    let width = groups.joined().map(\.0.count).max() ?? 0
    return groups.map { group in
      group.map { name, text in
        "\(name)\(String(repeating: " ", count: width - name.count))   \(text)\n"
      }.joined()
    }.joined(separator: "\n")
  }

  // MARK: Threads and locks

  private func lane(_ index: LaneIndex) -> String {
    let lane = arrangement.lanes[index]
    let isLoop = scenario.display.mainLoop.events == nil
    let kind = index == .main ? (isLoop ? "frame loop" : "event loop") : lane.carrier.rawValue
    let changes = lane.renices.map { ", then \($0.nice) from \($0.at) on" }
    let nice =
      lane.nice == 0 && changes.isEmpty ? "" : ", nice \(lane.nice)" + changes.joined()
    let width = lane.width == 1 ? "" : " of \(lane.width) threads"
    let cores = lane.cores.map { ", on \(English.list($0.cores.map { "core \($0)" }))" } ?? ""
    let work =
      [residents(of: index), parts(on: index)]
      + (index == .main ? [admission, newest, yielding, returning, drawing] : [])
    return (["[\(kind)\(width)\(nice)\(cores)]"] + work.compactMap(\.self)).joined(separator: "  ")
  }

  /// `draws, bind-rows up to 3 frames early, icons from memory in 80 % of frames, made earlier`.
  private var drawing: String {
    (["draws"] + arrangement.movedParts(of: scenario)).joined(separator: ", ")
  }

  private func residents(of lane: LaneIndex) -> String? {
    let names = scenario.services.indices.filter { arrangement.placement[$0] == .home(lane) }
      .map { scenario.services[$0].name }
    return names.isEmpty ? nil : "home of \(names.joined(separator: ", "))"
  }

  private func parts(on lane: LaneIndex) -> String? {
    let names = scenario.frameParts.enumerated().filter {
      arrangement.rule(ofFramePart: $0.offset).lane == lane
    }.map(\.element.name)
    return names.isEmpty ? nil : "prepares \(names.joined(separator: ", "))"
  }

  private func lock(_ index: LockIndex) -> String {
    let lock = arrangement.locks[index]
    let names = scenario.services.indices.filter {
      arrangement.placement[$0] == .guarded(index) && scenario.services[$0].isExclusive
    }.map { scenario.services[$0].name }
    if names.isEmpty { return "[\(lock.kind.rawValue)]  is never taken" }
    return "[\(lock.kind.rawValue)]  guards \(names.joined(separator: ", ")), "
      + "held \(lock.hold.words)"
  }

  // MARK: Work

  /// `main ─▶ files: stat, hash ─▶ main: result`; forks to another lane are in brackets, followed by a join.
  private func way(of workload: WorkloadIndex) -> String {
    let plan = WorkloadPlan(workload, in: scenario, under: arrangement)
    var stops: [(lane: LaneIndex, work: [String])] = [(.main, [])]
    for (step, plan) in zip(plan.workload.steps, plan.steps) {
      let here = stops[stops.count - 1].lane
      let name = (plan.joins ? "join, " : "") + step.name + wait(after: step)
      if plan.isFork && plan.lane != here {
        let lane = arrangement.lanes[plan.lane].name
        stops[stops.count - 1].work.append("(─▶ \(lane): \(name))")
        continue
      }
      if here != plan.lane { stops.append((plan.lane, [])) }
      stops[stops.count - 1].work.append(name)
    }
    if stops[stops.count - 1].lane != .main { stops.append((.main, [])) }
    stops[stops.count - 1].work.append("result")
    return stops.map { stop in
      let work = stop.work.isEmpty ? "" : ": \(stop.work.joined(separator: ", "))"
      return arrangement.lanes[stop.lane].name + work
    }.joined(separator: " ─▶ ")
  }

  private func wait(after step: Step) -> String {
    guard let suspension = step.suspension else { return "" }
    let resource = suspension.resource.map { scenario.resources[$0].name }
    return resource.map { " (then waits for \($0))" } ?? " (then suspended)"
  }

  /// Calls to another lane, for which the caller cannot wait, so they have to be rewritten.
  private var calls: [(String, String)] {
    let calls = CallCount(scenario, under: arrangement)
    guard calls.all > 0 else { return [] }
    let verb = calls.acrossLanes == 1 ? "goes" : "go"
    return [("calls", "\(calls.acrossLanes) of \(calls.all) \(verb) to another lane")]
  }

  private var reads: [(String, String)] {
    guard !scenario.reads.isEmpty else { return [] }
    let names = scenario.reads.map { scenario.services[$0.service].name }.joined(separator: ", ")
    let how =
      switch arrangement.reading {
      case .direct: "in place"
      case .locked: "in place, under the lock"
      case .snapshot(.perFrame): "from a copy, made at most once a frame"
      case .snapshot(.perStep): "from a copy, made after every step"
      }
    return [("UI", "reads \(names) \(how)")]
  }

  private var admission: String? {
    switch arrangement.admission {
    case .all: nil
    case .batch(let count, let interval): "starts \(count) items each \(interval)"
    case .fitting(let fitting):
      "starts units that fit into the frame, by the \(fitting.unit.rawValue)"
    }
  }

  private var newest: String? {
    switch arrangement.newest {
    case nil: nil
    case .all: "starts every item"
    case .latest: "ends items for newer ones"
    case .debounce(let span): "starts the newest item after \(span) without another"
    case .throttle(let span): "starts the newest item each \(span)"
    }
  }

  private var yielding: String? {
    guard let yielding = arrangement.yielding else { return nil }
    let grain = yielding.grain == .step ? "after each step" : "after \(yielding.grain) of a task"
    return "yields \(grain), resumes \(yielding.resumes.rawValue)"
  }

  private var returning: String? {
    switch arrangement.returning {
    case .inPlace: nil
    case .drained(let budget): "runs results for up to \(budget) per frame"
    case .coalesced: "shows all results of a workload as one update"
    }
  }
}

extension Lock.Hold {
  fileprivate var words: String {
    switch self {
    case .step: "for a step"
    case .item: "for an item"
    case .nested: "to the item's end, beside others"
    }
  }
}
