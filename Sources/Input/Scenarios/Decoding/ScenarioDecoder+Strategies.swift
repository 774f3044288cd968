import FrameBudget

extension ScenarioDecoder {
  /// The default strategies of a scenario without a list: the hang, and four different ways to avoid it.
  private static let usual = [
    "main-thread", "time-sliced", "threads-and-locks", "schedulable-priorities", "actors",
  ]

  /// The listed strategies; without a list, the default ones.
  func strategies(_ fields: Fields, _ expansion: Expansion) -> [Strategy] {
    let scenario = expansion.scenario
    guard let list = fields["strategies"] else {
      return Self.usual.compactMap { named($0, at: fields.origin, scenario) }
    }
    guard let nodes = list.items(of: "strategies", limit: Limits.strategies, faults) else {
      return []
    }
    if nodes.isEmpty {
      let names = StrategyCatalog.all.map(\.name).list
      faults.record("no strategy is listed; allowed: \(names)", at: list.origin)
    }
    return nodes.reduce(into: []) { strategies, node in
      guard let strategy = strategy(node, expansion) else { return }
      if strategies.contains(where: { $0.label == strategy.label }) {
        faults.record(
          "\(strategy.label.quoted) is listed twice; allowed: once, or with other options",
          at: node.origin)
      }
      strategies.append(strategy)
    }
  }

  /// A name, `{NAME: {OPTION: VALUE}}`, or an arrangement, which has the key `as`.
  private func strategy(_ node: SourceNode, _ expansion: Expansion) -> Strategy? {
    let scenario = expansion.scenario
    if let name = node.text { return named(name, at: node.origin, scenario) }
    if node.pairs?.contains(where: { $0.key == "as" }) == true {
      return ArrangementDecoder(expansion: expansion, faults: faults).strategy(node)
    }
    let allowed = "a strategy's name, {NAME: {OPTION: VALUE}} or an arrangement {as: NAME, …}"
    guard let pair = node.onlyPair(allowed, faults),
      let pairs = pair.value.mapping(of: "a mapping of options", faults)
    else { return nil }
    let options = pairs.compactMap { option -> (key: String, value: String)? in
      ScalarReader.option.value(of: option.value, faults).map { (option.key, $0) }
    }
    return named(pair.key, options, given: pairs, at: pair.origin, scenario)
  }

  private func named(
    _ name: String, _ options: [(key: String, value: String)] = [], given: [SourceNode.Pair] = [],
    at origin: Origin, _ scenario: Scenario
  ) -> Strategy? {
    do throws(StrategyError) {
      return try StrategyCatalog.strategy(name, options: options, for: scenario)
    } catch {
      let option = given.first { $0.key == error.option }
      let known = StrategyCatalog.named(name)?.options.map(\.name) ?? []
      let isKnown = option.map { known.contains($0.key) } ?? false
      let source = isKnown ? option?.value.origin : option?.origin
      faults.record(error.description, at: source ?? origin)
      return nil
    }
  }
}

extension ScalarReader<String> {
  /// The value of an option; it must be one that a command line can have.
  fileprivate static var option: Self {
    text.checked("has one of , : ; =; allowed: a value without them") { value in
      !value.contains { ",:;=".contains($0) }
    }
  }
}

extension ScenarioDecoder {
  /// The name that means any strategy, instead of an engine.
  static let anyStrategy = "any"

  /// `{any: {METRIC: {min: X, max: Y}}}`: the aims of a search for an arrangement.
  func aims(_ node: SourceNode) -> [Aim] {
    guard let any = node.pairs?.first(where: { $0.key == Self.anyStrategy }) else { return [] }
    return pairs(any.value, "metrics").compactMap { metric in
      let bounds = bounds(metric.value)
      guard isNumeric(metric), let bounds else { return nil }
      return Aim(metric.key, minimum: bounds.min, maximum: bounds.max)
    }
  }

  /// `{ENGINE: {STRATEGY: {METRIC: {min: X, max: Y}}}}`; without a scenario, strategies are not checked.
  func expectations(_ node: SourceNode, _ scenario: Scenario?) -> [Expectation] {
    pairs(node, "engines").flatMap { engine -> [Expectation] in
      if engine.key == Self.anyStrategy { return [] }
      let names = EngineKind.allCases.map(\.rawValue)
      guard let kind = EngineKind(rawValue: engine.key) else {
        let remedy = Spelling.suggestion(for: engine.key, among: names)
        faults.record("\(engine.key.quoted) is not an engine\(remedy)", at: engine.origin)
        return []
      }
      return pairs(engine.value, "strategies").flatMap { strategy in
        expectations(strategy, kind, scenario)
      }
    }
  }

  private func pairs(_ node: SourceNode, _ what: String) -> [SourceNode.Pair] {
    node.mapping(of: "a mapping of \(what)", faults) ?? []
  }

  private func expectations(
    _ pair: SourceNode.Pair, _ engine: EngineKind, _ scenario: Scenario?
  ) -> [Expectation] {
    let strategy = scenario.map { label(pair, $0) } ?? pair.key
    return pairs(pair.value, "metrics").compactMap { metric in
      let bounds = bounds(metric.value)
      guard isNumeric(metric), let strategy, let bounds else { return nil }
      return Expectation(
        engine: engine, strategy: strategy,
        Aim(metric.key, minimum: bounds.min, maximum: bounds.max))
    }
  }

  /// The strategy as named in results: a name without options for all its rows, or the label of exactly one row.
  private func label(_ pair: SourceNode.Pair, _ scenario: Scenario) -> String? {
    let listed = scenario.strategies
    if listed.contains(where: { $0.name == pair.key }) { return pair.key }
    if pair.key.contains(":"),
      let wanted = try? StrategyList.strategy(pair.key[...], for: scenario),
      let row = listed.first(where: { !$0.options.isEmpty && $0.runs(like: wanted) })
    {
      return row.label
    }
    var names = listed.map(\.name)
    for label in listed.map(\.label) where !names.contains(label) { names.append(label) }
    let remedy = Spelling.suggestion(for: pair.key, among: names)
    faults.record(
      "\(pair.key.quoted) is not among the strategies of this scenario\(remedy)", at: pair.origin)
    return nil
  }

  private func isNumeric(_ pair: SourceNode.Pair) -> Bool {
    let names = MetricCatalog.numbers.map(\.name)
    if names.contains(pair.key) { return true }
    let nearest = Spelling.nearest(to: pair.key, among: names)
    let remedy = nearest.map { "did you mean '\($0)'?" } ?? "allowed: what 'list metrics' shows"
    faults.record("\(pair.key.quoted) is not a metric; \(remedy)", at: pair.origin)
    return false
  }

  private func bounds(_ node: SourceNode) -> (min: Double?, max: Double?)? {
    guard let fields = Fields(node, of: "an expectation", keys: ["min", "max"], faults) else {
      return nil
    }
    let least = fields.optional("min", .number)
    let most = fields.optional("max", .number)
    if fields.present(["min", "max"]).isEmpty {
      fields.recordMissing("this has no bound; allowed: min, max or both")
    }
    if let least, let most, least > most {
      faults.record(
        "min is above max, which no value meets; allowed: values of min up to max",
        at: fields.origin(of: "min"))
    }
    return (least, most)
  }
}

extension Strategy {
  fileprivate func runs(like other: Strategy) -> Bool {
    name == other.name && arrangement == other.arrangement
  }
}
