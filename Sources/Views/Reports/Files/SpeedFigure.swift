internal import FrameBudget
package import FrameBudgetParsing

/// A figure about the speed of this project, as a benchmark measures it and as the documentation publishes it.
package struct SpeedFigure: FileRecord {
  /// A word by which the documentation refers to it.
  package var name = ""
  package var value = 0.0
  package var unit = ""

  package init() {}

  package init(_ name: String, _ value: Double, _ unit: String) {
    (self.name, self.value, self.unit) = (name, value.asWritten, unit)
  }

  package static let columns: [Column<SpeedFigure>] = [
    Column("figure", "its name", at: \.name), Column("value", "in its unit", at: \.value),
    Column("unit", "ns, µs, ms, s, MB/s, MiB, %, or what is counted", at: \.unit),
  ]
  package static let file = "table of figures"
  package static let required = columns.map(\.name)
  package static let maxLines = 1000

  package func check() throws(InputError) {
    guard !name.isEmpty, value >= 0 else {
      throw InputError("figure \(InputError.quoted(name)) has no name, or is below 0")
    }
  }

  /// The published figures of a project in the folder `project`.
  package static func place(in project: String) -> String {
    "\(project)/results/measured/speeds.csv"
  }

  package static func published(in project: String) throws(InputError) -> [SpeedFigure] {
    try figures(ByteSource(path: place(in: project)))
  }

  /// Reads a table of figures, each of which occurs once.
  static func figures(_ source: consuming ByteSource) throws(InputError) -> [SpeedFigure] {
    let file = source.name
    let figures = try read(source)
    if let twice = figures.map(\.name).duplicates.first {
      throw InputError("figure \(InputError.quoted(twice)) occurs twice", file: file)
    }
    return figures
  }

  package static func csv(_ figures: [SpeedFigure]) -> String {
    RecordTable("figures", columns, figures).csv
  }

  /// `6.3 µs`, with about three digits unless the number of decimals is given.
  package func text(decimals: Int? = nil) -> String {
    let number = decimals.map { Decimal.text(value, places: $0) } ?? Figure.text(value)
    return "\(number) \(unit)"
  }

  /// Whether the figure is off by more than a third of a published one, in either direction.
  package func contradicts(_ published: SpeedFigure) -> Bool {
    unit != published.unit || abs(value - published.value) > published.value / 3
  }
}

extension [String] {
  /// Those that occurred before, in their order.
  fileprivate var duplicates: [String] {
    var seen: Set<String> = []
    return filter { !seen.insert($0).inserted }
  }
}
