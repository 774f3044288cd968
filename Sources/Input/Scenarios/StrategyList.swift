public import FrameBudget

/// Parses the command line's lists of strategies: `NAME[:KEY=VALUE…][,…]`.
///
/// `all` means every named arrangement, with its default options, that the scenario can run and that is wanted. Arrangements in
/// the scenario's YAML have names, but no options.
public enum StrategyList {
  /// `isWanted` filters `all`; named strategies are always included.
  public static func parse(
    _ text: String, for scenario: Scenario, all isWanted: (Strategy) -> Bool = { _ in true }
  ) throws(StrategyError) -> [Strategy] {
    var strategies = [Strategy]()
    for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
      for strategy in try self.strategies(entry.trimmed, for: scenario, isWanted) {
        guard !strategies.contains(where: { $0.label == strategy.label }) else {
          throw StrategyError("'\(strategy.label)' is listed twice; allowed: once")
        }
        strategies.append(strategy)
      }
    }
    return strategies
  }

  /// Whether `text` contains `all`.
  public static func hasAll(_ text: String) -> Bool {
    text.split(separator: ",").contains { $0.trimmed == "all" }
  }

  private static func strategies(
    _ entry: Substring, for scenario: Scenario, _ isWanted: (Strategy) -> Bool
  ) throws(StrategyError) -> [Strategy] {
    guard entry == "all" else { return [try strategy(entry, for: scenario)] }
    return try StrategyCatalog.all(for: scenario).map { named throws(StrategyError) in
      try StrategyCatalog.strategy(named.name, for: scenario)
    }.filter(isWanted)
  }

  /// The strategy in `entry`, `NAME[:KEY=VALUE…]`.
  static func strategy(
    _ entry: Substring, for scenario: Scenario
  ) throws(StrategyError) -> Strategy {
    let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
    let name = String(parts[0])
    let options = try parts.dropFirst().map { part throws(StrategyError) in try option(part) }
    let own = scenario.strategies.filter { StrategyCatalog.named($0.name) == nil }
    if let strategy = own.first(where: { $0.name == name }) {
      guard let option = options.first else { return strategy }
      throw StrategyError("'\(option.key)' is not an option of \(name), which has none")
    }
    if StrategyCatalog.named(name) == nil,
      let nearest = Spelling.nearest(to: name, among: own.map(\.name))
    {
      throw StrategyError("'\(name)' is not a strategy; did you mean '\(nearest)'?")
    }
    return try StrategyCatalog.strategy(name, options: options, for: scenario)
  }

  private static func option(
    _ text: Substring
  ) throws(StrategyError) -> (key: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw StrategyError("'\(text)' is not an option; allowed: KEY=VALUE")
    }
    return (String(parts[0]), String(parts[1]))
  }
}

/// A strategy in the format of a file, which `ArrangementDecoder` reads as the same strategy.
struct StrategyNode {
  private let strategy: Strategy
  private let scenario: Scenario

  init(_ strategy: Strategy, in scenario: Scenario) {
    self.strategy = strategy
    self.scenario = scenario
  }

  private var arrangement: Arrangement { strategy.arrangement }

  var node: SourceNode {
    guard StrategyCatalog.named(strategy.name) == nil else { return named }
    var pairs = [("as", SourceNode(strategy.name))]
    if strategy.isAdvised { pairs.append(("advised", SourceNode("on"))) }
    if arrangement.lanes.count > 1 { pairs.append(("lanes", lanes)) }
    if !arrangement.locks.isEmpty { pairs.append(("locks", locks)) }
    if let services { pairs.append(("services", services)) }
    if let entry { pairs.append(("entry", entry)) }
    if let admission { pairs.append(("admission", admission)) }
    pairs.append(("reads", reads))
    pairs.append(("results", results))
    if let yielding = arrangement.yielding { pairs.append(("yield", node(of: yielding))) }
    if let newest = arrangement.newest { pairs.append(("newest", node(of: newest))) }
    if let frameParts { pairs.append(("frame", frameParts)) }
    if arrangement.presentsLater > 0 {
      let later = [(key: "later", value: SourceNode("\(arrangement.presentsLater)"))]
      pairs.append(("present", SourceNode(later)))
    }
    if arrangement.speedup != 1 {
      pairs.append(("speedup", SourceNode(Decimal.text(arrangement.speedup, places: 3))))
    }
    return SourceNode(pairs.map { (key: $0.0, value: $0.1) })
  }

  private var named: SourceNode {
    let options = CellList.elements(strategy.options).compactMap(CellList.setting).map {
      (key: $0.name, value: SourceNode($0.value))
    }
    return options.isEmpty
      ? SourceNode(strategy.name) : SourceNode([(key: strategy.name, value: SourceNode(options))])
  }

  private var lanes: SourceNode {
    SourceNode(
      arrangement.lanes.dropFirst().map { lane in
        var pairs = [("carrier", SourceNode(lane.carrier.rawValue))]
        if lane.nice != 0 { pairs.append(("nice", SourceNode("\(lane.nice)"))) }
        if !lane.renices.isEmpty { pairs.append(("renice", renices(of: lane))) }
        if lane.width != 1 { pairs.append(("width", SourceNode("\(lane.width)"))) }
        if lane.overtaking { pairs.append(("overtaking", SourceNode("on"))) }
        if let cores = lane.cores { pairs.append(("on", node(of: cores))) }
        for option in lane.carrier.description.options
        where lane.options[option] != option.standard {
          pairs.append((option.name, SourceNode("\(lane.options[option])")))
        }
        return (key: lane.name, value: SourceNode(pairs.map { (key: $0.0, value: $0.1) }))
      })
  }

  private func node(of cores: CoreSet) -> SourceNode {
    SourceNode(cores.cores.map { SourceNode("\($0)") })
  }

  private func renices(of lane: Lane) -> SourceNode {
    SourceNode(
      lane.renices.map { renice in
        SourceNode([
          (key: "at", value: SourceNode("\(renice.at)")),
          (key: "nice", value: SourceNode("\(renice.nice)")),
        ])
      })
  }

  private var locks: SourceNode {
    SourceNode(
      arrangement.locks.map { lock in
        let pairs = [
          (key: "kind", value: SourceNode(lock.kind.rawValue)),
          (key: "hold", value: SourceNode(lock.hold.rawValue)),
        ]
        return (key: lock.name, value: SourceNode(pairs))
      })
  }

  /// Nil if all services live on main.
  private var services: SourceNode? {
    var seen: Set<String> = []
    let pairs = zip(scenario.services, arrangement.placement).compactMap { service, placement in
      let name = service.fileName
      guard seen.insert(name).inserted, placement != .home(.main) else {
        return nil as (key: String, value: SourceNode)?
      }
      return (key: name, value: node(of: placement))
    }
    return pairs.isEmpty ? nil : SourceNode(pairs)
  }

  private func node(of placement: Placement) -> SourceNode {
    switch placement {
    case .home(let lane): SourceNode(arrangement.lanes[lane].name)
    case .guarded(let lock):
      SourceNode([(key: "lock", value: SourceNode(arrangement.locks[lock].name))])
    }
  }

  /// Nil if all items begin on main.
  private var entry: SourceNode? {
    var seen: Set<String> = []
    let pairs = zip(scenario.workloads, arrangement.entry).compactMap { workload, lane in
      let name = workload.fileName
      guard seen.insert(name).inserted, lane != .main else {
        return nil as (key: String, value: SourceNode)?
      }
      return (key: name, value: SourceNode(arrangement.lanes[lane].name))
    }
    return pairs.isEmpty ? nil : SourceNode(pairs)
  }

  /// Nil if all items may start.
  private var admission: SourceNode? {
    switch arrangement.admission {
    case .all: return nil
    case .batch(let count, let every):
      return SourceNode([
        (key: "batch", value: SourceNode("\(count)")),
        (key: "every", value: SourceNode("\(every)")),
      ])
    case .fitting(let fitting):
      let pairs = [
        (key: "estimate", value: SourceNode(fitting.estimate.rawValue)),
        (key: "unit", value: SourceNode(fitting.unit.rawValue)),
        (key: "look-ahead", value: SourceNode(fitting.lookAhead ? "on" : "off")),
      ]
      return SourceNode([(key: "fitting", value: SourceNode(pairs))])
    }
  }

  private var reads: SourceNode {
    switch arrangement.reading {
    case .direct: SourceNode("direct")
    case .locked: SourceNode("locked")
    case .snapshot(let rule): SourceNode([(key: "snapshot", value: SourceNode(rule.rawValue))])
    }
  }

  private var results: SourceNode {
    switch arrangement.returning {
    case .inPlace: SourceNode("in-place")
    case .coalesced: SourceNode("coalesced")
    case .drained(let budget): SourceNode([(key: "drain", value: SourceNode("\(budget)"))])
    }
  }

  private func node(of newest: NewestRule) -> SourceNode {
    switch newest {
    case .all: SourceNode("all")
    case .latest: SourceNode("latest")
    case .debounce(let span): SourceNode([(key: "debounce", value: SourceNode("\(span)"))])
    case .throttle(let span): SourceNode([(key: "throttle", value: SourceNode("\(span)"))])
    }
  }

  /// Nil if all parts of drawing run in their frames.
  private var frameParts: SourceNode? {
    let pairs = scenario.frameParts.enumerated().compactMap { index, part in
      node(of: arrangement.rule(ofFramePart: index)).map { (key: part.name, value: $0) }
    }
    return pairs.isEmpty ? nil : SourceNode(pairs)
  }

  /// Nil in its frame.
  private func node(of rule: FramePartRule) -> SourceNode? {
    switch rule {
    case .inFrame: return nil
    case .prefetched(let frames, let estimate):
      let prefetch = SourceNode([
        (key: "frames", value: SourceNode("\(frames)")),
        (key: "estimate", value: SourceNode(estimate.rawValue)),
      ])
      return SourceNode([(key: "prefetch", value: prefetch)])
    case .cached(let hits):
      let text = "\(Decimal.text(100 * hits, places: 3)) %"
      let cache = SourceNode([(key: "hits", value: SourceNode(text))])
      return SourceNode([(key: "cache", value: cache)])
    case .spread(let budget):
      let spread = SourceNode([(key: "budget", value: SourceNode("\(budget)"))])
      return SourceNode([(key: "spread", value: spread)])
    case .prepared(let lane, let frames):
      let prepare = SourceNode([
        (key: "lane", value: SourceNode(arrangement.lanes[lane].name)),
        (key: "frames", value: SourceNode("\(frames)")),
      ])
      return SourceNode([(key: "prepare", value: prepare)])
    }
  }

  private func node(of yielding: Yielding) -> SourceNode {
    SourceNode([
      (key: "every", value: SourceNode("\(yielding.grain)")),
      (key: "resumes", value: SourceNode(yielding.resumes.rawValue)),
    ])
  }
}
