internal import FrameBudget
internal import Scenarios

/// `--vary PATH=A..B`, `PATH=A..B:STEP` or `PATH=A,B,C`: the values that one path takes in turn.
struct Variation: Hashable, Sendable {
  let path: String
  let values: Values

  enum Values: Hashable, Sendable {
    /// Whole numbers, each with the unit behind it: `1..20`, `1..20 ms`.
    case range(ClosedRange<Int>, unit: String)
    /// `4..16:2 ms`, `0.5..2:0.25 ms`.
    case steps(DecimalSteps, unit: String)
    case list([String])
  }

  init(path: String, values: Values) {
    self.path = path
    self.values = values
  }

  init(parsing text: String) throws(ToolError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Self.error(
        text, "is not a variation; allowed are PATH=A..B, PATH=A..B:STEP and PATH=A,B,C")
    }
    path = String(parts[0])
    if let range = try Self.range(parts[1], of: text) {
      values = range
    } else {
      values = .list(try Self.list(parts[1], of: text))
    }
  }

  /// How many values there are; nil where that is more than a number holds.
  var count: Int? {
    switch values {
    case .list(let values): return values.count
    case .steps(let steps, _): return steps.count
    case .range(let range, _):
      let (count, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      return overflow || count == .max ? nil : count + 1
    }
  }

  /// The change that puts in the value at `place`, which must be below `count`.
  func override(at place: Int) -> Override {
    switch values {
    case .list(let values): override(values[place])
    case .steps(let steps, let unit): override(steps[place] + unit)
    case .range(let range, let unit): override("\(range.lowerBound + place)\(unit)")
    }
  }

  func override(_ value: String) -> Override {
    Override(path: path, value: value, flag: "--vary \(path)=\(value)")
  }

  /// The places that tell whether the values are allowed, without trying each of a million: the ends of a range.
  func telling(of count: Int) -> [Int] {
    if case .list = values { return Array(0..<count) }
    return count > 1 ? [0, count - 1] : [0]
  }

  private static func list(_ text: Substring, of flag: String) throws(ToolError) -> [String] {
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !values.contains("") else { throw error(flag, "has an empty value") }
    var seen: Set<String> = []
    for value in values where !seen.insert(value).inserted {
      throw error(flag, "has \(value) twice; allowed is once")
    }
    return values
  }

  /// `A..B` with numbers, perhaps with a step and a unit; nil for anything else.
  private static func range(_ list: Substring, of text: String) throws(ToolError) -> Values? {
    guard let dots = list.firstRange(of: "..") else { return nil }
    let end = list[dots.upperBound...]
    let digits = end.prefix { "-.0123456789".contains($0) }
    let rest = end.dropFirst(digits.count)
    guard !rest.contains(","), list[..<dots.lowerBound].contains(where: \.isNumber) else {
      return nil
    }
    guard rest.first == ":" else {
      guard let first = Int(list[..<dots.lowerBound]), let last = Int(digits) else { return nil }
      guard first <= last else { throw error(text, "ends before it begins") }
      return .range(first...last, unit: String(rest))
    }
    let step = rest.dropFirst().prefix { "-.0123456789".contains($0) }
    let unit = rest.dropFirst(1 + step.count)
    do {
      return .steps(
        try DecimalSteps(from: list[..<dots.lowerBound], to: digits, by: step), unit: String(unit))
    } catch {
      throw self.error(text, error.reason)
    }
  }

  private static func error(_ text: String, _ problem: String) -> ToolError {
    ToolError(.usage, "--vary '\(text)' \(problem)")
  }
}
