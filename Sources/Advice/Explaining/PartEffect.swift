public import FrameBudget

/// What a part of an app costs in frames: without it, and it alone.
public struct PartEffect: Hashable, Sendable {
  /// What was left out.
  public let part: Part
  /// Dropped frames of all but it.
  public let without: Int
  /// Dropped frames of it alone, and what cannot be left out.
  public let alone: Int
}

/// Which part of an app its dropped frames come from.
public struct Inventory: Sendable {
  /// Dropped frames of the whole app.
  public let dropped: Int
  /// How many vsyncs there were.
  public let frames: Int
  /// By part: the services, the workloads, drawing.
  public let effects: [PartEffect]

  /// Nil where it was interrupted.
  public init?(
    of scenario: Scenario, under strategy: Strategy, costs: Costs = .standard,
    maker: any RunMaker = OneByOne()
  ) {
    let units = AppUnit.all(in: scenario).map { Part.service($0.name) }
    let workloads = scenario.distinctWorkloads.map {
      Part.workload(scenario.workloads[$0].fileName)
    }
    let work = units + [.drawing]
    let parts = units + workloads + [.drawing]
    var apps = [scenario]
    for part in parts {
      apps.append(scenario.without(part))
      // A workload alone still has services that work for it, and a service workloads that it works for.
      let others = (workloads.contains(part) ? workloads + [.drawing] : work).filter { $0 != part }
      apps.append(others.reduce(scenario) { $0.without($1) })
    }
    let runs = apps
    let found = maker.outputs(runs.count) { place in
      let judge = Judge(scenario: runs[place], costs: costs, aims: [])
      return judge.outcome(strategy.arrangement)
    }
    guard found.count == runs.count else { return nil }
    dropped = found[0].dropped
    frames = found[0].frames
    effects = parts.enumerated().map { place, part in
      PartEffect(
        part: part, without: found[1 + 2 * place].dropped, alone: found[2 + 2 * place].dropped)
    }
  }
}
