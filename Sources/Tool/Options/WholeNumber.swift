internal import ArgumentParser
internal import Scenarios

/// What options take that are whole numbers of a range. Declared with `parsing: .unconditional`, so that a number
/// below zero is a value that is refused by name, and not taken for a flag.
enum WholeNumber {
  static func repetitions(_ text: String) throws -> Int { try parse(text, in: 1...1000) }
  static func cores(_ text: String) throws -> Int { try parse(text, in: 1...Limits.cores) }
  static func jobs(_ text: String) throws -> Int { try parse(text, in: 1...Limits.cores) }
  static func moves(_ text: String) throws -> Int { try parse(text, in: 0...256) }
  static func lanes(_ text: String) throws -> Int { try parse(text, in: 1...64) }
  static func files(_ text: String) throws -> Int { try parse(text, in: 1...100_000) }

  private static func parse(_ text: String, in range: ClosedRange<Int>) throws -> Int {
    guard let number = Int(text) else {
      throw ValidationError("it is not a whole number; \(allowed(range))")
    }
    guard range.contains(number) else {
      throw ValidationError("it is \(number < 0 ? "negative" : "out of range"); \(allowed(range))")
    }
    return number
  }

  private static func allowed(_ range: ClosedRange<Int>) -> String {
    "allowed is a whole number from \(range.lowerBound) to \(range.upperBound)"
  }
}
