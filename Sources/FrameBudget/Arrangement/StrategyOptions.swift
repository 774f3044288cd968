/// The options somebody gave a named strategy, taken out one by one and checked.
public struct StrategyOptions {
  private var given: [(key: String, value: String)]
  private var known: [String] = []

  init(_ given: [(key: String, value: String)]) { self.given = given }

  mutating func count(
    _ key: String, default value: Int, upTo most: Int = 1_000_000
  ) throws(StrategyError) -> Int {
    guard let text = take(key) else { return value }
    guard let count = Int(text), (1...most).contains(count) else {
      throw StrategyError(option: key, value: text, allowed: "a whole number from 1 to \(most)")
    }
    return count
  }

  mutating func factor(_ key: String, default value: Double) throws(StrategyError) -> Double {
    guard let text = take(key) else { return value }
    guard let milli = Decimal.units(text, places: 3), (1...1_000_000).contains(milli) else {
      throw StrategyError(option: key, value: text, allowed: "a number from 0.001 to 1000")
    }
    return Double(milli) / 1000
  }

  mutating func timeSpan(_ key: String, default value: TimeSpan) throws(StrategyError) -> TimeSpan {
    guard let text = take(key) else { return value }
    do {
      return try Quantity.timeSpan(text)
    } catch {
      throw StrategyError(option: key, value: text, reason: error.reason)
    }
  }

  mutating func flag(_ key: String, default value: Bool) throws(StrategyError) -> Bool {
    guard let text = take(key) else { return value }
    switch text {
    case "on", "true": return true
    case "off", "false": return false
    default: throw StrategyError(option: key, value: text, allowed: "on or off")
    }
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, default value: Choice
  ) throws(StrategyError) -> Choice {
    guard let text = take(key) else { return value }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue)
      throw StrategyError(option: key, value: text, allowed: names.joined(separator: ", "))
    }
    return choice
  }

  /// Lets `lane` have what was given for one of its carrier's options.
  mutating func choose(_ option: LaneOption, on lane: inout Lane) throws(StrategyError) {
    guard let text = take(option.name) else { return }
    do {
      lane[option] = try option.value(text)
    } catch {
      throw StrategyError(option: option.name, value: text, reason: error.reason)
    }
  }

  /// Ends the taking: whatever is left is not an option of `strategy`.
  func finish(_ strategy: String) throws(StrategyError) {
    guard let left = given.first else { return }
    if known.contains(left.key) { throw StrategyError("option '\(left.key)' is given twice") }
    let remedy =
      known.isEmpty ? ", which has none" : Spelling.suggestion(for: left.key, among: known)
    throw StrategyError("'\(left.key)' is not an option of \(strategy)\(remedy)", option: left.key)
  }

  private mutating func take(_ key: String) -> String? {
    known.append(key)
    guard let place = given.firstIndex(where: { $0.key == key }) else { return nil }
    return given.remove(at: place).value
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

  init(option: String, value: String, allowed: String) {
    self.init(
      "'\(value)' is not a value of option '\(option)'; allowed: \(allowed)", option: option)
  }

  init(option: String, value: String, reason: String) {
    self.init("'\(value)', the value of option '\(option)', \(reason)", option: option)
  }
}
