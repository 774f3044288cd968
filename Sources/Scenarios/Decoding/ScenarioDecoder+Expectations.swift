import FrameBudget

extension ScenarioDecoder {
  /// What stands in an engine's place where it is meant of no strategy in particular.
  static let anyStrategy = "any"

  /// `{any: {METRIC: {min: X, max: Y}}}`: what an arrangement is looked for that reaches it.
  func aims(_ node: SourceNode) -> [Aim] {
    guard let any = node.pairs?.first(where: { $0.key == Self.anyStrategy }) else { return [] }
    return pairs(any.value, "metrics").compactMap { metric in
      let bounds = bounds(metric.value)
      guard isNumeric(metric), let bounds else { return nil }
      return Aim(metric.key, minimum: bounds.min, maximum: bounds.max)
    }
  }

  /// `{ENGINE: {STRATEGY: {METRIC: {min: X, max: Y}}}}`; without a scenario, strategies are not looked up.
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
        engine: engine, strategy: strategy, metric: metric.key, minimum: bounds.min,
        maximum: bounds.max)
    }
  }

  /// The strategy as results name it: a bare name for every row of it, or exactly one row's label.
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
    let remedy = nearest.map { "did you mean '\($0)'?" } ?? "allowed is what 'list metrics' shows"
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
      fields.recordMissing("this expects nothing; allowed are min, max or both")
    }
    if let least, let most, least > most {
      faults.record(
        "min is above max, which nothing meets; allowed are values of min up to max",
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
