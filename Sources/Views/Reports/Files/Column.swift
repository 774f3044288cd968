package import FrameBudget
internal import FrameBudgetParsing

/// A column of a file: its name, its meaning, the cell of a row, and how a row takes it back.
package struct Column<Row>: Sendable {
  let name: String
  let unit: Metric.Unit
  let meaning: String
  /// Nil if it does not apply to the row.
  let value: @Sendable (Row) -> MetricValue?
  /// Puts the text of a cell into a row; nil for a column that follows from others.
  var read: (@Sendable (inout Row, String) throws(InputError) -> Void)?

  package init(
    _ name: String, _ meaning: String, _ unit: Metric.Unit = .none,
    _ value: @escaping @Sendable (Row) -> MetricValue?
  ) {
    self.name = name
    self.unit = unit
    self.meaning = meaning
    self.value = value
  }

  /// The column of a key of runs.
  init(_ key: RunKey, _ value: @escaping @Sendable (Row) -> MetricValue?) {
    self.init(key.name, key.meaning, .none, value)
  }

  /// The same column, which is also read.
  func reading(
    _ read: @escaping @Sendable (inout Row, String) throws(InputError) -> Void
  ) -> Self {
    var column = self
    column.read = read
    return column
  }

  /// The same column for a row that contains this one.
  func of<Outer>(_ row: @escaping @Sendable (Outer) -> Row) -> Column<Outer> {
    Column<Outer>(name, meaning, unit) { [value] in value(row($0)) }
  }
}

extension Column {
  /// The column that marks learned scenarios in every table of their runs.
  package static func learnedMark(_ mark: @escaping @Sendable (Row) -> Learned?) -> Column {
    learnedMark(by: { mark($0)?.replay.rawValue ?? "" })
  }

  /// The same for rows that have the mark as text; empty without a recording.
  static func learnedMark(by text: @escaping @Sendable (Row) -> String) -> Column {
    Column("learned", Learned.markMeaning) { row in
      let mark = text(row)
      return mark.isEmpty ? nil : .text(mark)
    }
  }
}

extension Learned {
  static let markMeaning =
    "how well the scenario's replay matches the recording: "
    + Replay.allCases.map(\.rawValue).joined(separator: ", ") + "; empty if there is no recording"
}
