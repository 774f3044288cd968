/// Something that a strategy can choose: a named one as a whole (how much of a frame results may take), or a lane, of what
/// its carrier offers beside nice value and width (how often it flushes).
///
/// It is declared once. What files and flags may say, `list`, the pages of the strategies and every error follow from that:
///
///     static let flush = StrategyOption("flush", default: .milliseconds(5), "how often calls are sent")
public struct StrategyOption: Hashable, Sendable {
  /// As files and flags name it.
  public let name: String
  /// In a line.
  public let meaning: String
  /// What its values are.
  public let kind: Kind
  /// What holds where nothing is said.
  public let standard: Value

  /// What the values of an option are.
  public enum Kind: Hashable, Sendable {
    /// One of these words.
    case choice([String])
    /// On or off.
    case flag
    /// A length of time, at most `Quantity.longest`.
    case duration(canBeZero: Bool)
    /// This word, or instead of it a length of time above 0 s, at most `Quantity.longest`.
    case durationOr(String, example: TimeSpan)
    /// A whole number within this range.
    case count(ClosedRange<Int>)
    /// A number within this range, with at most three decimals.
    case factor(ClosedRange<Double>)
  }

  /// What somebody has of an option.
  public enum Value: Hashable, Sendable, CustomStringConvertible {
    /// One of the words.
    case choice(String)
    /// True for on.
    case flag(Bool)
    /// A length of time.
    case duration(TimeSpan)
    /// A whole number.
    case count(Int)
    /// A number.
    case factor(Double)

    /// As files and flags say it.
    public var description: String {
      switch self {
      case .choice(let word): word
      case .flag(let isOn): isOn ? "on" : "off"
      case .duration(let span): "\(span)"
      case .count(let count): "\(count)"
      case .factor(let factor): Decimal.text(factor, places: 3)
      }
    }
  }

  private init(_ name: String, _ meaning: String, _ kind: Kind, _ standard: Value) {
    self.name = name
    self.meaning = meaning
    self.kind = kind
    self.standard = standard
  }

  /// A choice among the cases of a type.
  public init<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, default standard: Choice, _ meaning: String
  ) {
    self.init(
      name, meaning, .choice(Choice.allCases.map(\.rawValue)), .choice(standard.rawValue))
  }

  /// On or off.
  public init(_ name: String, default standard: Bool, _ meaning: String) {
    self.init(name, meaning, .flag, .flag(standard))
  }

  /// A length of time, above 0 s unless that is allowed.
  public init(
    _ name: String, default standard: TimeSpan, canBeZero: Bool = false, _ meaning: String
  ) {
    self.init(name, meaning, .duration(canBeZero: canBeZero), .duration(standard))
  }

  /// A word, or instead of it a length of time above 0 s.
  public init(
    _ name: String, default word: String, orDurationSuchAs example: TimeSpan, _ meaning: String
  ) {
    self.init(name, meaning, .durationOr(word, example: example), .choice(word))
  }

  /// A whole number within a range.
  public init(_ name: String, default standard: Int, in range: ClosedRange<Int>, _ meaning: String)
  {
    self.init(name, meaning, .count(range), .count(standard))
  }

  /// A number within a range.
  public init(
    _ name: String, default standard: Double, in range: ClosedRange<Double>, _ meaning: String
  ) {
    self.init(name, meaning, .factor(range), .factor(standard))
  }

  /// With its default, as strategies list it: `flush=5 ms`.
  public var assignment: String { "\(name)=\(standard)" }

  /// What it may be, in words that fit after `allowed is `.
  public var allowed: String {
    switch kind {
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .flag: "on or off"
    case .duration(let canBeZero):
      "a duration such as \(standard), \(canBeZero ? "or 0 s" : "above 0 s")"
    case .durationOr(let word, let example): "\(word), or a duration such as \(example), above 0 s"
    case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .factor(let range):
      "a number from \(Value.factor(range.lowerBound)) to \(Value.factor(range.upperBound))"
    }
  }

  /// The value that `text` says; an error's reason fits after `'TEXT' `.
  public func value(_ text: String) throws(Quantity.Failure) -> Value {
    switch kind {
    case .choice(let words):
      if words.contains(text) { return .choice(text) }
      throw failure(Spelling.suggestion(for: text, among: words))
    case .flag:
      if ["on", "true"].contains(text) { return .flag(true) }
      if ["off", "false"].contains(text) { return .flag(false) }
    case .duration(let canBeZero): return .duration(try duration(text, canBeZero))
    case .durationOr(let word, _):
      if text == word { return .choice(word) }
      if text.first?.isNumber ?? false { return .duration(try duration(text, false)) }
    case .count(let range):
      if let count = Int(text), range.contains(count) { return .count(count) }
    case .factor(let range):
      if let milli = Decimal.units(text, places: 3), range.contains(Double(milli) / 1000) {
        return .factor(Double(milli) / 1000)
      }
    }
    throw failure("; allowed: \(allowed)")
  }

  private func duration(
    _ text: String, _ canBeZero: Bool
  ) throws(Quantity.Failure) -> TimeSpan {
    let span: TimeSpan
    do {
      span = try Quantity.timeSpan(text)
    } catch {
      throw failure(": it \(error.reason)")
    }
    guard canBeZero || span > .zero else { throw failure("; allowed are durations above 0 s") }
    return span
  }

  private func failure(_ rest: String) -> Quantity.Failure {
    Quantity.Failure("is not a value of option '\(name)'\(rest)")
  }
}
