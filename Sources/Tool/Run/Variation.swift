internal import FrameBudget
internal import Scenarios

/// `--vary PATH=A..B` or `PATH=A,B,C`: the values that one path takes in turn.
struct Variation: Equatable {
  let overrides: [Override]

  /// More runs than anybody waits for.
  static let limit = 1000

  init(parsing text: String) throws(ToolError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Self.error(text, "is not a variation; allowed are PATH=A..B and PATH=A,B,C")
    }
    overrides = try Self.values(parts[1], of: text).map {
      Override(path: String(parts[0]), value: $0, flag: "--vary \(parts[0])=\($0)")
    }
  }

  private static func values(_ list: Substring, of text: String) throws(ToolError) -> [String] {
    guard let range = try range(list, of: text) else {
      let values = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard !values.contains("") else { throw error(text, "has an empty value") }
      guard values.count <= limit else { throw tooMany(text) }
      return values
    }
    return range.map(String.init)
  }

  /// `A..B` with whole numbers; nil for anything else.
  private static func range(
    _ list: Substring, of text: String
  ) throws(ToolError) -> ClosedRange<Int>? {
    let ends = list.split(separator: ".", omittingEmptySubsequences: false)
    guard ends.count == 3, ends[1].isEmpty, let first = Int(ends[0]), let last = Int(ends[2]) else {
      return nil
    }
    guard first <= last else { throw error(text, "ends before it begins") }
    let (count, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, count < limit else { throw tooMany(text) }
    return first...last
  }

  private static func tooMany(_ text: String) -> ToolError {
    error(text, "has too many values; allowed are \(limit)")
  }

  private static func error(_ text: String, _ problem: String) -> ToolError {
    ToolError(.usage, "--vary '\(text)' \(problem)")
  }
}
