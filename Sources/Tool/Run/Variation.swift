internal import FrameBudget
internal import Scenarios

/// `--vary PATH=A..B` or `PATH=A,B,C`: the values that one path takes in turn.
struct Variation: Equatable {
  let path: String
  let values: Values

  /// More runs than anybody waits for.
  static let limit = 1000

  enum Values: Equatable {
    /// Whole numbers, each with the unit behind it: `1..20`, `1..20 ms`.
    case range(ClosedRange<Int>, unit: String)
    case list([String])
  }

  init(path: String, values: Values) {
    self.path = path
    self.values = values
  }

  init(parsing text: String) throws(ToolError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Self.error(text, "is not a variation; allowed are PATH=A..B and PATH=A,B,C")
    }
    path = String(parts[0])
    if let range = try Self.range(parts[1], of: text) {
      values = range
    } else {
      let values = parts[1].split(separator: ",", omittingEmptySubsequences: false)
      guard !values.contains("") else { throw Self.error(text, "has an empty value") }
      self.values = .list(values.map(String.init))
    }
  }

  /// A change for each value, one after the other.
  func overrides() throws(ToolError) -> [Override] {
    switch values {
    case .list(let values):
      guard values.count <= Self.limit else { throw tooMany() }
      return values.map(override)
    case .range(let range, let unit):
      let (count, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      guard !overflow, count < Self.limit else { throw tooMany() }
      return range.map { override("\($0)\(unit)") }
    }
  }

  func override(_ value: String) -> Override {
    Override(path: path, value: value, flag: "--vary \(path)=\(value)")
  }

  /// `A..B` with whole numbers, perhaps with a unit; nil for anything else.
  private static func range(
    _ list: Substring, of text: String
  ) throws(ToolError) -> Values? {
    let ends = list.split(separator: ".", omittingEmptySubsequences: false)
    guard ends.count == 3, ends[1].isEmpty else { return nil }
    let digits = ends[2].prefix { $0 == "-" || $0.isNumber }
    let unit = ends[2].dropFirst(digits.count)
    guard let first = Int(ends[0]), let last = Int(digits), !unit.contains(",") else { return nil }
    guard first <= last else { throw error(text, "ends before it begins") }
    return .range(first...last, unit: String(unit))
  }

  private func tooMany() -> ToolError {
    ToolError(.usage, "--vary \(path) has too many values; allowed are \(Self.limit)")
  }

  private static func error(_ text: String, _ problem: String) -> ToolError {
    ToolError(.usage, "--vary '\(text)' \(problem)")
  }
}
