internal import FrameBudget

/// The largest loads as CSV: a line for each strategy.
public enum LimitCSV {
  public static func text(_ rows: [LimitRow]) -> String {
    guard let first = rows.first else { return "" }
    let lines = rows.map { row in CSV.line(row.fields.map { $0.value?.description ?? "" }) }
    return CSV.line(first.fields.map(\.name)) + lines.joined()
  }
}
