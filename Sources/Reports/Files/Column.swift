package import FrameBudget

/// A column of a file: what it is called, what it says, and the cell that a row has in it.
package struct Column<Row>: Sendable {
  let name: String
  let unit: Metric.Unit
  let meaning: String
  /// Nil where it does not apply to the row.
  let value: @Sendable (Row) -> MetricValue?

  package init(
    _ name: String, _ meaning: String, _ unit: Metric.Unit = .none,
    _ value: @escaping @Sendable (Row) -> MetricValue?
  ) {
    self.name = name
    self.unit = unit
    self.meaning = meaning
    self.value = value
  }

  /// The same of a row that has such a one in it.
  func of<Outer>(_ row: @escaping @Sendable (Outer) -> Row) -> Column<Outer> {
    Column<Outer>(name, meaning, unit) { [value] in value(row($0)) }
  }
}
