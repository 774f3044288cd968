/// An arrangement of the catalogue: a name, a summary, and the arrangement for a given scenario.
public struct NamedArrangement: Sendable {
  /// The name in files and flags.
  public let name: String
  /// One line.
  public let summary: String
  /// Its options.
  public let options: [StrategyOption]
  /// Whether it requires a main loop of events, or items of which only the newest matters.
  private let (needsEventLoop, needsNewest): (Bool, Bool)
  let arrange: Arrange

  typealias Arrange =
    @Sendable (Scenario, StrategyOptions) throws(StrategyError) -> Arrangement

  init(
    _ name: String, _ summary: String, options: [StrategyOption] = [],
    needsEventLoop: Bool = false, needsNewest: Bool = false, arrange: @escaping Arrange
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    (self.needsEventLoop, self.needsNewest) = (needsEventLoop, needsNewest)
    self.arrange = arrange
  }

  /// The requirement that `scenario` does not meet, in words that fit after its name; nil if it meets all.
  public func lack(for scenario: Scenario) -> String? {
    if needsEventLoop, !Yielding.isPossible(on: scenario.display) { return Yielding.need }
    return needsNewest && !scenario.hasReplaceableItems ? NewestRule.need : nil
  }
}

/// The named arrangements, in the order in which `list` and `--strategy all` show them.
public enum StrategyCatalog {
  /// All named strategies.
  public static let all: [NamedArrangement] = [
    .mainThread, .throttled, .optimised, .timeSliced, .yielding, .newest, .threadsAndLocks,
    .schedulable,
    .schedulablePriorities, .schedulableAccounts, .schedulablePartial, .schedulableNaive,
    .gcdSerial, .gcdConcurrent,
    .operationQueue, .jobQueue, .observeOn, .actors, .actorsOnScheduler, .eventLoop, .bridge,
    .process,
  ]

  /// The strategies that `scenario` can run.
  public static func all(for scenario: Scenario) -> [NamedArrangement] {
    all.filter { $0.lack(for: scenario) == nil }
  }

  /// The arrangement called `name`; nil if it does not exist.
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
    let text = CellList.text(settings: options.map { ($0.key, $0.value) })
    return Strategy(name: name, options: text, arrangement: arrangement)
  }
}

/// An arrangement with its name and options in results.
public struct Strategy: Hashable, Sendable {
  /// The name in files, flags and tables.
  public let name: String
  /// The options that differ from the defaults: `batch=500;interval=2 s`.
  public let options: String
  /// The assignment of work to threads.
  public let arrangement: Arrangement
  /// Whether `advise` wrote it into its scenario. The first smooth one of these is recommended.
  public let isAdvised: Bool

  /// - Parameters:
  ///   - name: the name in files, flags and tables.
  ///   - options: the options that differ from the defaults, as text.
  ///   - arrangement: the assignment of work to threads.
  ///   - isAdvised: whether `advise` wrote it into its scenario.
  public init(
    name: String, options: String = "", arrangement: Arrangement, isAdvised: Bool = false
  ) {
    self.name = name
    self.options = options
    self.arrangement = arrangement
    self.isAdvised = isAdvised
  }

  /// Name and options in the format of `--strategy`: `throttled:batch=500:interval=2 s`.
  public var label: String { Self.label(name, options) }

  /// The label of a strategy called `name` with `options` in the format of results.
  public static func label(_ name: String, _ options: String) -> String {
    ([name] + CellList.elements(options)).joined(separator: ":")
  }
}
