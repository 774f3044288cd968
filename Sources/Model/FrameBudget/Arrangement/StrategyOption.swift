/// An option of a named strategy (such as the part of a frame that results may use), or of a lane's carrier (such as its flush
/// interval). Nice value and width are not options.
///
/// It is declared once. From the declaration follow the values in files and flags, `list`, the pages of the strategies, and
/// error messages:
///
///     static let flush = StrategyOption("flush", default: .milliseconds(5), "how often calls are sent")
public struct StrategyOption: Hashable, Sendable {
  /// The name in files and flags.
  public let name: String
  /// One line.
  public let meaning: String
  /// The kind of its values.
  public let kind: Kind
  /// The default.
  public let standard: Value

  /// The kind of an option's values.
  public enum Kind: Hashable, Sendable {
    /// One of these words.
    case choice([String])
    /// On or off.
    case flag
    /// A length of time, at most `Quantity.longest`.
    case duration(canBeZero: Bool)
    /// This word, or a length of time above 0 s, at most `Quantity.longest`.
    case durationOr(String, example: TimeSpan)
    /// A whole number within this range.
    case count(ClosedRange<Int>)
    /// A number within this range, with at most three decimals.
    case factor(ClosedRange<Double>)
  }

  /// The value of an option.
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

    /// In the syntax of files and flags.
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

  /// A word, or a length of time above 0 s.
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

  /// With its default, as in lists of strategies: `flush=5 ms`.
  public var assignment: String { "\(name)=\(standard)" }

  /// The allowed values, in words that fit after `allowed: `.
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

  /// Parses `text`; the reason of an error fits after `'TEXT' `.
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
    guard canBeZero || span > .zero else { throw failure("; allowed: durations above 0 s") }
    return span
  }

  private func failure(_ rest: String) -> Quantity.Failure {
    Quantity.Failure("is not a value of option '\(name)'\(rest)")
  }
}

/// The options of a strategy or a lane; the others have their defaults.
public struct StrategyOptions: Hashable, Sendable {
  /// Does not contain explicit defaults.
  private var choices: [StrategyOption: StrategyOption.Value] = [:]

  /// All defaults.
  public init() {}

  /// The options given to a named strategy.
  init(
    _ given: [(key: String, value: String)], of strategy: NamedArrangement
  ) throws(StrategyError) {
    var left = strategy.options
    for (key, text) in given {
      guard let index = left.firstIndex(where: { $0.name == key }) else {
        throw strategy.refusal(of: key)
      }
      let option = left.remove(at: index)
      do {
        self[option] = try option.value(text)
      } catch {
        throw StrategyError("'\(text)' \(error.reason)", option: key)
      }
    }
  }

  /// Those of `options` that `carrier` has.
  init(_ options: StrategyOptions, of carrier: CarrierKind) {
    for option in carrier.description.options { self[option] = options[option] }
  }

  /// The options that differ from their defaults, by name.
  var chosen: [StrategyOption] { choices.keys.sorted { $0.name < $1.name } }

  /// The value of an option, or its default; setting it to the default removes it.
  public subscript(option: StrategyOption) -> StrategyOption.Value {
    get { choices[option] ?? option.standard }
    set { choices[option] = newValue == option.standard ? nil : newValue }
  }
}

// Options in the types that arrangements and carriers use. The declaration of an option determines its kind.
extension StrategyOptions {
  /// The value of an option of kind duration; any other kind is a programming error.
  public func timeSpan(_ option: StrategyOption) -> TimeSpan {
    guard case .duration(let span) = self[option] else {
      preconditionFailure("'\(option.name)' is a duration")
    }
    return span
  }

  /// The value of an option of kind count; any other kind is a programming error.
  public func count(_ option: StrategyOption) -> Int {
    guard case .count(let count) = self[option] else {
      preconditionFailure("'\(option.name)' is a count")
    }
    return count
  }

  func factor(_ option: StrategyOption) -> Double {
    guard case .factor(let factor) = self[option] else {
      preconditionFailure("'\(option.name)' is a factor")
    }
    return factor
  }

  func flag(_ option: StrategyOption) -> Bool {
    guard case .flag(let isOn) = self[option] else {
      preconditionFailure("'\(option.name)' is a flag")
    }
    return isOn
  }

  /// The value of an option that determines when tasks yield; any other kind is a programming error.
  func grain(_ option: StrategyOption) -> Yielding.Grain {
    if case .duration(let span) = self[option] { return .after(span) }
    precondition(self[option] == .choice("\(Yielding.Grain.step)"), "'\(option.name)' is a grain")
    return .step
  }

  /// The value of an option that is a duration or a word; nil if it is the word.
  func span(_ option: StrategyOption) -> TimeSpan? {
    if case .duration(let span) = self[option] { span } else { nil }
  }

  /// The value of an option of kind choice; any other kind is a programming error.
  public func choice<Choice: RawRepresentable<String>>(_ option: StrategyOption) -> Choice {
    guard case .choice(let word) = self[option], let choice = Choice(rawValue: word) else {
      preconditionFailure("'\(option.name)' is a choice of \(Choice.self)")
    }
    return choice
  }
}

extension NamedArrangement {
  /// The reason why `key` is refused: the option does not exist, or was given before.
  fileprivate func refusal(of key: String) -> StrategyError {
    let names = options.map(\.name)
    if names.contains(key) { return StrategyError("option '\(key)' is given twice") }
    let remedy = names.isEmpty ? ", which has none" : Spelling.suggestion(for: key, among: names)
    return StrategyError("'\(key)' is not an option of \(name)\(remedy)", option: key)
  }
}

/// The reason why a strategy is invalid, as a message for people.
public struct StrategyError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  /// The option at fault, if any, so that the caller can point to it.
  public let option: String?

  /// - Parameters:
  ///   - description: the problem, as a sentence for people.
  ///   - option: the option at fault, if any.
  public init(_ description: String, option: String? = nil) {
    self.description = description
    self.option = option
  }
}

/// Suggests corrections of misspelt names.
public enum Spelling {
  /// `; did you mean 'X'?` if one of `names` is similar, otherwise `; allowed: A, B, C`.
  public static func suggestion(for word: String, among names: [String]) -> String {
    if let nearest = nearest(to: word, among: names) { return "; did you mean '\(nearest)'?" }
    return "; allowed: \(names.joined(separator: ", "))"
  }

  /// The one of `names` with the fewest edits, if they are few for a word of its length.
  public static func nearest(to word: String, among names: [String]) -> String? {
    let letters = Array(word.lowercased().prefix(64))
    let ranked = names.map { (name: $0, edits: edits(letters, Array($0.lowercased()))) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(1, min(letters.count, best.name.count) / 3) ? best.name : nil
  }

  /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment distance).
  private static func edits(_ left: [Character], _ right: [Character]) -> Int {
    var beforePrevious = [Int]()
    var previous = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      for j in right.indices {
        let substitution = previous[j] + (left[i] == right[j] ? 0 : 1)
        var best = min(substitution, previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, beforePrevious[j - 1] + 1)
        }
        current.append(best)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
