/// What a strategy, or a lane, chose of its options; what it did not choose is as the option's default says.
public struct StrategyOptions: Hashable, Sendable {
  /// A default that is written out is no choice.
  private var choices: [StrategyOption: StrategyOption.Value] = [:]

  /// All defaults.
  public init() {}

  /// What somebody gave a named strategy.
  init(
    _ given: [(key: String, value: String)], of strategy: NamedArrangement
  ) throws(StrategyError) {
    var left = strategy.options
    for (key, text) in given {
      guard let place = left.firstIndex(where: { $0.name == key }) else {
        throw strategy.refusal(of: key)
      }
      let option = left.remove(at: place)
      do {
        self[option] = try option.value(text)
      } catch {
        throw StrategyError("'\(text)' \(error.reason)", option: key)
      }
    }
  }

  /// Those of `options` that are among the options of `carrier`.
  init(_ options: StrategyOptions, of carrier: CarrierKind) {
    for option in carrier.description.options { self[option] = options[option] }
  }

  /// The options that are not left at their defaults.
  var chosen: [StrategyOption] { choices.keys.sorted { $0.name < $1.name } }

  /// What was chosen of it, or its default; setting an option to its default takes the choice back.
  public subscript(option: StrategyOption) -> StrategyOption.Value {
    get { choices[option] ?? option.standard }
    set { choices[option] = newValue == option.standard ? nil : newValue }
  }
}

// Options as the types that arrangements and carriers work with. What an option is, its declaration says.
extension StrategyOptions {
  /// The value of an option that is a duration; another one is a mistake of the program.
  public func timeSpan(_ option: StrategyOption) -> TimeSpan {
    guard case .duration(let span) = self[option] else {
      preconditionFailure("'\(option.name)' is a duration")
    }
    return span
  }

  /// The value of an option that is a count; another one is a mistake of the program.
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

  /// The value of an option that says how much of a task runs; another one is a mistake of the program.
  func grain(_ option: StrategyOption) -> Yielding.Grain {
    if case .duration(let span) = self[option] { return .after(span) }
    precondition(self[option] == .choice("\(Yielding.Grain.step)"), "'\(option.name)' is a grain")
    return .step
  }

  /// The value of an option that is a choice among the cases of a type; another one is a mistake of the program.
  public func choice<Choice: RawRepresentable<String>>(_ option: StrategyOption) -> Choice {
    guard case .choice(let word) = self[option], let choice = Choice(rawValue: word) else {
      preconditionFailure("'\(option.name)' is a choice of \(Choice.self)")
    }
    return choice
  }
}

extension NamedArrangement {
  /// Why it does not take `key`: it has no such option, or was given it before.
  fileprivate func refusal(of key: String) -> StrategyError {
    let names = options.map(\.name)
    if names.contains(key) { return StrategyError("option '\(key)' is given twice") }
    let remedy = names.isEmpty ? ", which has none" : Spelling.suggestion(for: key, among: names)
    return StrategyError("'\(key)' is not an option of \(name)\(remedy)", option: key)
  }
}

/// Why a strategy cannot be had, ready for a person to read.
public struct StrategyError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  /// The option at fault, where it is one: whoever knows where it was written can point there.
  public let option: String?

  /// - Parameters:
  ///   - description: what is wrong, as a sentence for people.
  ///   - option: the option that it is about, if it is about one.
  public init(_ description: String, option: String? = nil) {
    self.description = description
    self.option = option
  }
}
