import FrameBudget

extension ScenarioDecoder {
  /// What is compared where a scenario lists no strategies: the hang, and four ways out that differ in kind.
  private static let usual = [
    "main-thread", "time-sliced", "threads-and-locks", "schedulable-priorities", "actors",
  ]

  /// The listed strategies; without a list, the usual ones.
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
          "\(strategy.label.quoted) is listed twice; allowed is once, or with other options",
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
      let place = isKnown ? option?.value.origin : option?.origin
      faults.record(error.description, at: place ?? origin)
      return nil
    }
  }
}

extension ScalarReader<String> {
  /// What an option may hold: what can also be written on a command line.
  fileprivate static var option: Self {
    text.checked("has one of , : ; =; allowed is a value without them") { value in
      !value.contains { ",:;=".contains($0) }
    }
  }
}
