internal import FrameBudget
public import Parsing

/// A metric that decides, and how large a change of it must be to count.
public struct Gate: Hashable, Sendable {
  public let metric: String
  /// Nil is `GateMargin.standard` over several runs, and nothing at all between virtual runs of the same seeds.
  public let threshold: Threshold?

  public enum Threshold: Hashable, Sendable {
    /// A share of the base's value.
    case relative(Double)
    /// In the metric's own unit.
    case absolute(Double)

    /// How large a change from `base` has to be.
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

  /// What gates when nobody says otherwise: smoothness, pace, answers, and what was left undone. Few, because the
  /// more metrics decide, the less likely it is that a change of one of them alone is found.
  public static let standard = [
    Metric.droppedPercent, .frameTime(.p99), .throughput, .response(.p99), .responsesLate,
    .itemsPending,
  ].map { Gate($0.name) }

  /// Reads `METRIC`, `METRIC=5%` or `METRIC=0.5`, several of them with commas between.
  public static func gates(_ text: some StringProtocol) throws(InputError) -> [Gate] {
    var gates: [Gate] = []
    for part in text.split(separator: ",") { gates.append(try gate(part)) }
    guard !gates.isEmpty else { throw InputError("names no metric") }
    return gates
  }

  /// Reads a file of gates: one on each line, `#` begins a comment.
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
    let names = MetricCatalog.numbers.map(\.name)
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
