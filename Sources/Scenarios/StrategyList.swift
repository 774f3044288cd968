public import FrameBudget

/// The command line's way to name strategies: `NAME[:KEY=VALUE…][,…]`.
///
/// `all` stands for every named arrangement with its default options that the scenario has all for and that is wanted. Arrangements that a scenario
/// brings along in YAML are called by their own names, and have no options.
public enum StrategyList {
  /// `isWanted` is asked of what `all` stands for; whoever is called by name is wanted.
  public static func parse(
    _ text: String, for scenario: Scenario, all isWanted: (Strategy) -> Bool = { _ in true }
  ) throws(StrategyError) -> [Strategy] {
    var strategies = [Strategy]()
    for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
      for strategy in try self.strategies(entry.trimmed, for: scenario, isWanted) {
        guard !strategies.contains(where: { $0.label == strategy.label }) else {
          throw StrategyError("'\(strategy.label)' is there twice; allowed is once")
        }
        strategies.append(strategy)
      }
    }
    return strategies
  }

  /// Whether `text` asks for all there are.
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

  /// The strategy that `entry`, `NAME[:KEY=VALUE…]`, names.
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
      throw StrategyError("'\(text)' is not an option; allowed is KEY=VALUE")
    }
    return (String(parts[0]), String(parts[1]))
  }
}
