/// Something that lanes on a carrier can choose beside nice value and width: how often it flushes, what it persists.
///
/// Listed in the carrier's description, from which files, flags and `list` take it:
///
///     static let flush = LaneOption("flush", default: .milliseconds(5), "how often calls are sent")
public struct LaneOption: Hashable, Sendable {
  /// As files and flags name it.
  public let name: String
  /// In a line.
  public let meaning: String
  /// What its values are.
  public let kind: Kind
  /// What a lane has that does not say.
  public let standard: Value

  /// What the values of an option are.
  public enum Kind: Hashable, Sendable {
    /// One of these words.
    case choice([String])
    /// A length of time.
    case duration
    /// A whole number within this range.
    case count(ClosedRange<Int>)
  }

  /// What a lane has of an option.
  public enum Value: Hashable, Sendable, CustomStringConvertible {
    /// One of the words.
    case choice(String)
    /// A length of time.
    case duration(TimeSpan)
    /// A whole number.
    case count(Int)

    /// As files and flags say it.
    public var description: String {
      switch self {
      case .choice(let word): word
      case .duration(let span): "\(span)"
      case .count(let count): "\(count)"
      }
    }
  }

  /// A choice among the cases of a type.
  public init<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, default standard: Choice, _ meaning: String
  ) {
    self.name = name
    self.meaning = meaning
    kind = .choice(Choice.allCases.map(\.rawValue))
    self.standard = .choice(standard.rawValue)
  }

  /// A length of time.
  public init(_ name: String, default standard: TimeSpan, _ meaning: String) {
    self.name = name
    self.meaning = meaning
    kind = .duration
    self.standard = .duration(standard)
  }

  /// A whole number within a range.
  public init(_ name: String, default standard: Int, in range: ClosedRange<Int>, _ meaning: String)
  {
    self.name = name
    self.meaning = meaning
    kind = .count(range)
    self.standard = .count(standard)
  }

  /// With its default, as strategies list it: `flush=5 ms`.
  public var assignment: String { "\(name)=\(standard)" }

  /// What it may be, in words that fit after `allowed is `.
  public var allowed: String {
    switch kind {
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .duration: "a duration such as \(standard)"
    case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
  }

  /// The value that `text` says.
  public func value(_ text: String) throws(Quantity.Failure) -> Value {
    switch kind {
    case .choice(let words):
      if words.contains(text) { return .choice(text) }
      let remedy = Spelling.suggestion(for: text, among: words)
      throw Quantity.Failure("is not a value of '\(name)'\(remedy)")
    case .duration:
      let span = try Quantity.timeSpan(text)
      if span > .zero { return .duration(span) }
      throw Quantity.Failure("is no time at all; allowed are durations above 0 s")
    case .count(let range):
      if let count = Int(text), range.contains(count) { return .count(count) }
      throw Quantity.Failure("is not a value of '\(name)'; allowed is \(allowed)")
    }
  }
}
