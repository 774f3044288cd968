/// An arrangement of the catalogue: a name, a summary, and the arrangement for a given scenario.
public struct NamedArrangement: Sendable {
  /// As files and flags name it.
  public let name: String
  /// In a line.
  public let summary: String
  /// What can be chosen about it.
  public let options: [StrategyOption]
  /// Whether it is one of a main loop of events only.
  private let needsEventLoop: Bool
  let arrange: Arrange

  typealias Arrange =
    @Sendable (Scenario, StrategyOptions) throws(StrategyError) -> Arrangement

  init(
    _ name: String, _ summary: String, options: [StrategyOption] = [],
    needsEventLoop: Bool = false, arrange: @escaping Arrange
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.needsEventLoop = needsEventLoop
    self.arrange = arrange
  }

  /// What it needs and `scenario` has not, in words that fit behind its name; nil if nothing.
  public func lack(for scenario: Scenario) -> String? {
    needsEventLoop && !Yielding.isPossible(on: scenario.display) ? Yielding.need : nil
  }
}

/// The named arrangements, in the order in which `list` and `--strategy all` show them.
public enum StrategyCatalog {
  /// Every strategy that has a name.
  public static let all: [NamedArrangement] = [
    .mainThread, .throttled, .optimised, .timeSliced, .yielding, .threadsAndLocks, .schedulable,
    .schedulablePriorities, .schedulableAccounts, .schedulablePartial, .schedulableNaive,
    .gcdSerial, .gcdConcurrent,
    .operationQueue, .jobQueue, .observeOn, .actors, .actorsOnScheduler, .eventLoop, .bridge,
    .process,
  ]

  /// Those of them that `scenario` has all for that they need.
  public static func all(for scenario: Scenario) -> [NamedArrangement] {
    all.filter { $0.lack(for: scenario) == nil }
  }

  /// The arrangement called `name`; nil where there is none.
  public static func named(_ name: String) -> NamedArrangement? { all.first { $0.name == name } }

  /// The strategy `name` for `scenario`, with `options` instead of its defaults.
  public static func strategy(
    _ name: String, options: [(key: String, value: String)] = [], for scenario: Scenario
  ) throws(StrategyError) -> Strategy {
    guard let named = named(name) else {
      let remedy = Spelling.suggestion(for: name, among: all.map(\.name))
      throw StrategyError("'\(name)' is not a strategy\(remedy)")
    }
    let arrangement = try named.arrange(scenario, StrategyOptions(options, of: named))
    do {
      try arrangement.validate(for: scenario)
    } catch {
      throw StrategyError("strategy \(name) \(error)")
    }
    let text = options.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    return Strategy(name: name, options: text, arrangement: arrangement)
  }
}

/// An arrangement with its name and options in results.
public struct Strategy: Hashable, Sendable {
  /// As files, flags and tables name it.
  public let name: String
  /// What was asked for beyond the defaults: `batch=500;interval=2 s`.
  public let options: String
  /// What runs where.
  public let arrangement: Arrangement
  /// Whether `advise` wrote it into its scenario: of those the first that is smooth is recommended.
  public let isAdvised: Bool

  /// - Parameters:
  ///   - name: as files, flags and tables name it.
  ///   - options: those that are not at their defaults, as they are written.
  ///   - arrangement: what runs where.
  ///   - isAdvised: whether `advise` wrote it into its scenario.
  public init(
    name: String, options: String = "", arrangement: Arrangement, isAdvised: Bool = false
  ) {
    self.name = name
    self.options = options
    self.arrangement = arrangement
    self.isAdvised = isAdvised
  }

  /// Name and options as `--strategy` takes them: `throttled:batch=500:interval=2 s`.
  public var label: String { Self.label(name, options) }

  /// The label of a strategy called `name` that was given `options` as results have them.
  public static func label(_ name: String, _ options: String) -> String {
    options.isEmpty ? name : "\(name):\(String(options.map { $0 == ";" ? ":" : $0 }))"
  }
}
