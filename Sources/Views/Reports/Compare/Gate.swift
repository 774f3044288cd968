public import FrameBudgetParsing
internal import FrameBudget

/// A metric that decides the outcome, and the size from which a change of it counts.
public struct Gate: Hashable, Sendable {
  public let metric: String
  /// Nil means `GateMargin.standard` over several runs, and any change between virtual runs of the same seeds.
  public let threshold: Threshold?

  public enum Threshold: Hashable, Sendable {
    /// A share of the base's value.
    case relative(Double)
    /// In the metric's own unit.
    case absolute(Double)

    /// The size of change from `base` that counts.
    func amount(of base: Double) -> Double {
      switch self {
      case .relative(let share): share * abs(base)
      case .absolute(let amount): amount
      }
    }
  }

  public init(_ metric: String, threshold: Threshold? = nil) {
    self.metric = metric
    self.threshold = threshold
  }

  /// The default gates: smoothness, answers, work left undone, and the costs of spans in results of `measure`. There are few,
  /// because with more metrics a change of a single one is less likely to be found; throughput is none of them, because that of
  /// work that arrives by itself is its arrival rate.
  public static let standard = [
    Metric.droppedPercent, .frameTime(.p99), .response(.p99), .responsesLate, .backlog, .spanCost,
  ].map { Gate($0.name) }

  /// Reads `METRIC`, `METRIC=5%` or `METRIC=0.5`, or several of them, separated by commas.
  public static func gates(_ text: some StringProtocol) throws(InputError) -> [Gate] {
    var gates: [Gate] = []
    for part in text.split(separator: ",") { gates.append(try gate(part)) }
    guard !gates.isEmpty else { throw InputError("names no metric") }
    return gates
  }

  /// `gates`, if none has two thresholds.
  public static func once(_ gates: [Gate]) throws(InputError) -> [Gate] {
    for (place, gate) in gates.enumerated() {
      let same = gates[..<place].first { $0.metric == gate.metric }
      if let same, same.threshold != gate.threshold {
        throw InputError("\(gate.metric) has two thresholds; name it once")
      }
    }
    return gates
  }

  /// Reads a file of gates: one per line, `#` begins a comment.
  public static func gates(_ source: consuming ByteSource) throws(InputError) -> [Gate] {
    var lines = LineReader(source)
    var gates: [Gate] = []
    try lines.forEach { (line, number) throws(InputError) in
      let text = String(decoding: line.indices.map { line[$0] }, as: UTF8.self)
      let content = text.prefix { $0 != "#" }
      guard content.contains(where: { !$0.isWhitespace }) else { return }
      do throws(InputError) {
        gates.append(try gate(content))
      } catch {
        throw InputError(error.reason, line: number)
      }
    }
    guard !gates.isEmpty else { throw InputError("names no metric", file: lines.name) }
    return gates
  }

  private static func gate(_ text: some StringProtocol) throws(InputError) -> Gate {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0.filter { !$0.isWhitespace }) }
    let names = MetricCatalog.compared.map(\.name)
    guard names.contains(parts[0]) else {
      throw InputError(
        "\(InputError.quoted(parts[0])) is not a metric that can gate"
          + (Spelling.nearest(to: parts[0], among: names).map { "; did you mean '\($0)'?" }
            ?? "; 'framebudget list metrics' shows them"))
    }
    guard parts.count == 2 else { return Gate(parts[0]) }
    return Gate(parts[0], threshold: try threshold(parts[1]))
  }

  private static func threshold(_ text: String) throws(InputError) -> Threshold {
    let isRelative = text.hasSuffix("%")
    let number = Decimal.units(isRelative ? String(text.dropLast()) : text, places: 6)
    guard let number, number >= 0 else {
      throw InputError(
        "\(InputError.quoted(text)) is not a threshold; allowed: a share such as 5%, or an amount"
          + " in the metric's unit such as 0.5")
    }
    let amount = Double(number) / 1e6
    return isRelative ? .relative(amount / 100) : .absolute(amount)
  }
}

/// Thresholds for a change of a metric over several runs: to count as a change, and to pass as none.
///
/// The two thresholds differ. A change that is unlikely to be chance counts from a share of the base, even if the base is
/// small. A change that may be chance also passes up to an absolute amount: ten runs cannot distinguish 5 % of 0.4 items, or of
/// a frame of 2 ms, from no change.
public struct GateMargin: Hashable, Sendable {
  /// The threshold from which an unlikely change counts.
  public let counts: Gate.Threshold
  /// The amount, in the metric's unit, up to which a change passes that may be chance, even if it is above `counts`. 0 if the
  /// gate sets a threshold, and if values are lower bounds: then the change of the true values may be unlikely to be chance.
  public let floor: Double

  /// The default threshold.
  public static let standard = Gate.Threshold.relative(0.05)

  init(_ gate: Gate?, of metric: Metric, hasBound: Bool) {
    counts =
      gate?.threshold ?? (metric.isSigned ? .absolute(Self.standardDifference) : Self.standard)
    floor = gate?.threshold == nil && !hasBound ? metric.unit.floor : 0
  }

  /// The default threshold, in milliseconds, for metrics that may be positive or negative, where a share of the base has no
  /// meaning: 5 % of a frame of 10 ms.
  private static let standardDifference = 0.5

  /// The default threshold in words.
  public static var standards: String {
    let difference = Gate.Threshold.absolute(standardDifference)
    return
      "\(standard.words(in: .milliseconds)) of the base, or, for times that may be negative, "
      + difference.words(in: .milliseconds)
  }

  /// The amounts that pass if they may be chance, in words.
  public static var floors: String {
    let standard = Gate.standard.compactMap { MetricCatalog.metric($0.metric)?.unit }
    var amounts: [String] = []
    for unit in standard where !amounts.contains(unit.floorWords) {
      amounts.append(unit.floorWords)
    }
    return English.list(amounts)
  }

  /// The threshold in the metric's unit from which an unlikely change from `base` counts.
  func countsFrom(_ base: Double) -> Double { counts.amount(of: base) }

  /// The amount in the metric's unit up to which a change from `base` passes that may be chance.
  func passesUpTo(_ base: Double) -> Double { max(countsFrom(base), floor) }

  /// `5 %, 20 ms`, or the threshold of a gate: `0.5 points`
  func words(in unit: Metric.Unit) -> String {
    ([counts.words(in: unit)] + (floor > 0 ? [unit.amount(floor)] : [])).joined(separator: ", ")
  }
}

extension Gate.Threshold {
  /// `5 %`, `0.5 points`
  func words(in unit: Metric.Unit) -> String {
    switch self {
    case .relative(let share): "\(Decimal.text(100 * share, places: 4)) %"
    case .absolute(let amount): unit.amount(amount)
    }
  }
}

extension Metric.Unit {
  /// The amounts that pass if they may be chance, by the unit of metrics. They are defined only here.
  var floor: Double {
    switch self {
    case .none: 0
    case .count, .vsyncs: 5
    case .itemsPerSecond: 2
    case .percent, .framesPerSecond: 3
    // Answers come at vsyncs: a little more than a period at 60 Hz.
    case .milliseconds, .microseconds: 20
    // Three hundredths of each second.
    case .millisecondsPerSecond: 30
    }
  }

  /// `20 ms`; for counts `a count of 5`
  fileprivate var floorWords: String {
    self == .count ? "a count of \(amount(floor))" : amount(floor)
  }

  /// `20 ms`; for shares in points, because a percentage would mean one of the base.
  func amount(_ value: Double) -> String {
    let number = Decimal.text(value, places: 6)
    return switch self {
    case .none, .count: number
    case .percent: "\(number) \(value == 1 ? "point" : "points")"
    default: "\(number) \(rawValue)"
    }
  }
}
