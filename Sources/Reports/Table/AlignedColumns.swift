/// Cells in columns that are as wide as their widest cell.
enum AlignedColumns {
  /// A line for each row; the columns at the places in `left` stand to the left, all others to the right.
  static func lines(_ rows: [[String]], left: Set<Int>) -> [String] {
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return left.contains(column) ? row[column] + padding : padding + row[column]
      }.joined(separator: "  ")
    }
  }
}
