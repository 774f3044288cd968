internal import Parsing

/// A table as GitHub writes them, of texts that may be anything.
enum EscapedTable {
  /// A line for each row, behind the titles; the columns at the places in `left` stand to the left, all others to the
  /// right.
  static func lines(_ titles: [String], _ rows: [[String]], left: Set<Int>) -> [String] {
    let rule = titles.indices.map { left.contains($0) ? "---" : "---:" }
    return ([titles, rule] + rows).map { cells in
      "| " + cells.map(\.markdown).joined(separator: " | ") + " |"
    }
  }
}
