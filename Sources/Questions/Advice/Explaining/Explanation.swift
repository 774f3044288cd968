public import FrameBudget

/// The parts of an app that account for a change in its dropped frames.
public struct Explanation: Sendable {
  /// Dropped frames before.
  public let before: Int
  /// Dropped frames after.
  public let after: Int
  /// The share of each part that differs, the largest first; they add up to the difference.
  public let shares: [Share]

  /// The share of one part.
  public struct Share: Hashable, Sendable {
    /// The part.
    public let part: Part
    /// Dropped frames, as a fraction, so that the shares add up exactly.
    public let numerator: Int
    /// The denominator, which all shares have.
    public let denominator: Int
    /// Half of a 95 % interval if there were too many parts to try all orders; otherwise nil.
    public let error: Double?
  }

  /// Nil if it was interrupted. Runs use the first strategy of each scenario.
  public init?(
    before: Scenario, under old: Strategy, after: Scenario, under new: Strategy,
    costs: Costs = .standard, maker: any RunMaker = SequentialRuns()
  ) {
    let mixed = MixedApp(
      before: .init(scenario: before, arrangement: old.arrangement),
      after: .init(scenario: after, arrangement: new.arrangement))
    let parts = mixed.parts
    let shapley = Shapley(parts.count, seed: after.seed)
    let sets = shapley.sets
    // Both ends use exactly the given scenarios.
    let ends = [mixed.before, mixed.after]
    let between = sets.filter { !$0.isEmpty && $0.count < parts.count }
    let drops = maker.outputs(ends.count + between.count) { place in
      let side =
        place < ends.count
        ? ends[place]
        : mixed.side(with: Set(between[place - ends.count].map { parts[$0] }))
      return ArrangementRunner(scenario: side.scenario, costs: costs, aims: [])
        .outcome(side.arrangement).dropped
    }
    guard drops.count == ends.count + between.count else { return nil }
    (self.before, self.after) = (drops[0], drops[1])
    var values = Dictionary(zip(between, drops.dropFirst(ends.count))) { first, _ in first }
    values[Set(parts.indices)] = drops[1]
    values[[]] = drops[0]
    shares = zip(parts, shapley.shares { values[$0] ?? 0 }).map { part, share in
      Share(
        part: part, numerator: share.numerator, denominator: share.denominator,
        error: share.error)
    }.enumerated().sorted { one, other in
      let (mine, others) = (abs(one.element.numerator), abs(other.element.numerator))
      return mine == others ? one.offset < other.offset : mine > others
    }.map(\.element)
  }
}

/// A part of an app that can drop frames.
public enum Part: Hashable, Sendable, CustomStringConvertible {
  /// The steps of a service, and the size of its state.
  case service(String)
  /// All items of a workload.
  case workload(String)
  /// The results of items, which the main thread handles.
  case results
  /// What the UI reads in each frame.
  case reads
  /// A part of drawing that has a name.
  case framePart(String)
  /// The screen: the rest of drawing, and the second stage.
  case drawing
  /// The arrivals, their times and phase, and the responses that users wait for.
  case arrivals
  /// The arrangement.
  case arrangement
  /// Length, seed, machine, resources and accounts.
  case settings

  /// Its name in tables.
  public var description: String {
    switch self {
    case .service(let name): "service \(name)"
    case .workload(let name): "workload \(name)"
    case .results: "results"
    case .reads: "reads"
    case .framePart(let name): "part \(name)"
    case .drawing: "drawing"
    case .arrivals: "arrivals"
    case .arrangement: "arrangement"
    case .settings: "settings"
    }
  }
}

extension Scenario {
  /// The app without the work of `part`; nothing else changes.
  func without(_ part: Part) -> Scenario {
    var scenario = self
    for index in workloads.indices {
      switch part {
      case .service(let name): scenario.workloads[index].empty(stepsOf: name, in: self)
      case .workload(let name) where workloads[index].fileName == name:
        scenario.workloads[index].arrival = .at([])
      case .results: scenario.workloads[index].result = .none
      default: break
      }
    }
    if part == .drawing {
      scenario.display.render = .none
      scenario.display.pipeline.compositor = .none
    }
    if part == .reads {
      for read in reads.indices { scenario.reads[read].cpu = .none }
    }
    for index in frameParts.indices where part == .framePart(frameParts[index].name) {
      scenario.frameParts[index].cpu = .none
    }
    return scenario
  }
}

extension Workload {
  fileprivate mutating func empty(stepsOf service: String, in scenario: Scenario) {
    for step in steps.indices where scenario.services[steps[step].service].fileName == service {
      steps[step].load = .cpu(.none)
      steps[step].wait = .none
      steps[step].suspension = nil
    }
  }
}

/// The outcome without a part of the app, and with it alone.
public struct PartEffect: Hashable, Sendable {
  /// The part.
  public let part: Part
  /// Without it.
  public let without: Outcome
  /// With it alone, and with what cannot be left out.
  public let alone: Outcome
}

/// The parts of an app that its dropped frames and late answers come from.
public struct Inventory: Sendable {
  /// The outcome of the whole app.
  public let whole: Outcome
  /// By part: the services, the workloads, results and reads if there are any, the parts of drawing that have names, the rest
  /// of drawing.
  public let effects: [PartEffect]

  /// Nil if it was interrupted.
  public init?(
    of scenario: Scenario, under strategy: Strategy, costs: Costs = .standard,
    maker: any RunMaker = SequentialRuns()
  ) {
    let units = MovableUnit.all(in: scenario).map { Part.service($0.name) }
    let workloads = scenario.distinctWorkloads.map {
      Part.workload(scenario.workloads[$0].fileName)
    }
    let hasResults = scenario.workloads.contains { $0.result != .none }
    let screen: [Part] =
      (hasResults ? [.results] : []) + (scenario.reads.isEmpty ? [] : [.reads])
      + scenario.frameParts.map { .framePart($0.name) } + [.drawing]
    let work = units + screen
    let parts = units + workloads + screen
    var apps = [scenario]
    for part in parts {
      apps.append(scenario.without(part))
      // A workload alone still has its services, and a service alone its workloads.
      let others = (workloads.contains(part) ? workloads + screen : work).filter { $0 != part }
      apps.append(others.reduce(scenario) { $0.without($1) })
    }
    let runs = apps
    let found = maker.outputs(runs.count) { place in
      let runner = ArrangementRunner(scenario: runs[place], costs: costs, aims: [])
      return runner.outcome(strategy.arrangement)
    }
    guard found.count == runs.count else { return nil }
    whole = found[0]
    effects = parts.enumerated().map { place, part in
      PartEffect(
        part: part, without: found[1 + 2 * place],
        alone: found[2 + 2 * place])
    }
  }
}

/// Divides the difference of two states among the parts that differ: each gets the mean of its contribution over all
/// orders in which the parts can change. The shares add up to the difference exactly.
struct Shapley {
  /// The share of one part: a fraction of whole numbers, so that sums are exact.
  struct Share: Hashable {
    var numerator: Int
    var denominator: Int
    /// Half of a 95 % interval if orders were drawn; nil if all were tried.
    var error: Double?
  }

  /// Up to this number of parts, all orders are tried.
  static let maxExact = 8
  /// The number of orders that are drawn for more parts, each with its reverse.
  static let drawnPairs = 60

  /// The sets of parts whose values are needed, as indices.
  let sets: [Set<Int>]
  private let parts: Int
  private let orders: [[Int]]

  init(_ parts: Int, seed: UInt64) {
    self.parts = parts
    if parts <= Self.maxExact {
      orders = []
      sets = (0..<(1 << parts)).map { mask in
        Set((0..<parts).filter { mask >> $0 & 1 == 1 })
      }
      return
    }
    var stream = RandomStream(seed: seed, name: "explain")
    let drawn = (0..<Self.drawnPairs).map { _ in Array(0..<parts).shuffled(using: &stream) }
    orders = drawn.flatMap { [$0, $0.reversed()] }
    sets = orders.flatMap(Self.prefixes).distinct()
  }

  private static func prefixes(_ order: [Int]) -> [Set<Int>] {
    order.reduce(into: [[]]) { sets, part in
      sets.append((sets.last ?? []).union([part]))
    }
  }

  /// The share of each part, given the value of each set.
  func shares(_ value: (Set<Int>) -> Int) -> [Share] {
    orders.isEmpty ? exact(value) : drawn(value)
  }

  private func exact(_ value: (Set<Int>) -> Int) -> [Share] {
    let factorials = (1...max(1, parts)).reduce(into: [1]) { $0.append(($0.last ?? 1) * $1) }
    return (0..<parts).map { part in
      let sum = sets.filter { !$0.contains(part) }.reduce(0) { sum, set in
        let weight = factorials[set.count] * factorials[parts - set.count - 1]
        return sum + weight * (value(set.union([part])) - value(set))
      }
      return Share(numerator: sum, denominator: factorials[parts])
    }
  }

  private func drawn(_ value: (Set<Int>) -> Int) -> [Share] {
    // By part: what it adds in an order and its reverse together, which are one observation.
    var added = [[Int]](repeating: [], count: parts)
    for pair in stride(from: 0, to: orders.count, by: 2) {
      var sums = [Int](repeating: 0, count: parts)
      for order in orders[pair...(pair + 1)] {
        for (set, part) in zip(Self.prefixes(order), order) {
          sums[part] += value(set.union([part])) - value(set)
        }
      }
      for part in 0..<parts { added[part].append(sums[part]) }
    }
    return added.map { sums in
      let mean = Double(sums.reduce(0, +)) / Double(sums.count)
      let squares = sums.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
      let deviation = (squares / Double(sums.count - 1) / Double(sums.count)).squareRoot()
      // Each observation is the sum of two orders.
      return Share(
        numerator: sums.reduce(0, +), denominator: orders.count,
        error: StudentT.quantile(degrees: sums.count - 1) * deviation / 2)
    }
  }
}
