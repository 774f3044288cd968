internal import FrameBudget

/// A line for each strategy, dropped frames first, as wide as there is room.
struct ComparisonTable {
  let runs: [RepeatedRun]
  let width: Int
  private let sets: [MetricSet]
  private let columns: [ComparisonColumn]
  private let hidden: [ComparisonColumn]

  init(_ runs: [RepeatedRun], sets: [MetricSet], width: Int) {
    self.runs = runs
    self.sets = sets
    self.width = width
    let all = ComparisonColumn.columns(sets).filter { $0.applies(to: runs.map(\.typical.metrics)) }
    (columns, hidden) = ComparisonColumn.fitting(all, into: width) { Self.table(runs, $0) }
  }

  func text(isColored: Bool) -> [String] {
    var lines = Self.table(runs, columns).text(isColored: isColored)
    let notes = footnotes.flatMap { Paragraph.wrapped($0, width: width, indent: "  ") }
    lines += notes.map { TextStyle.dim.paint($0, isColored) }
    return lines
  }

  private static func table(_ runs: [RepeatedRun], _ columns: [ComparisonColumn]) -> TextTable {
    var table = TextTable(titles: [["", "strategy"]] + columns.map(\.title))
    for run in runs {
      table.head(run.changes)
      let mark = (run.boughtSmoothness ? " *" : "") + (run.isDisturbed ? " !" : "")
      let name = TextTable.Cell(text: shortened(run.name) + mark)
      table.lines.append(.cells([name] + columns.map { $0.cell(run.typical.metrics) }))
      if !run.options.isEmpty {
        table.lines.append(.words(TextTable.Cell(text: "  \(run.options)", style: .dim)))
      }
    }
    return table
  }

  /// Names are written by users, and may be long.
  private static func shortened(_ name: String) -> String {
    name.count <= 40 ? name : name.prefix(39) + "…"
  }

  private func hasBound(_ column: ComparisonColumn) -> Bool {
    runs.contains { column.value($0.typical.metrics)?.isBound ?? false }
  }

  private var footnotes: [String] {
    var notes: [String] = []
    if runs.contains(where: \.boughtSmoothness) {
      notes.append(
        "* what smoothness there is was bought by not doing the work: items left, or responses late"
      )
    }
    if columns.contains(where: { $0.name == "dropped by the machine" }) {
      notes.append(
        "by the machine: of the dropped frames those that others on it cost, and late wake-ups while they are few"
      )
    }
    if columns.contains(where: hasBound) {
      notes.append("> at least so much: not everybody who waited had an answer by the end")
    }
    if runs.contains(where: \.isDisturbed) {
      notes.append(
        "! disturbed: others used the processors meanwhile, or dropped frames; measure again on a quieter "
          + "machine")
    }
    if columns.contains(where: { $0.title.last == ComparisonColumn.rangeTitle }) {
      notes.append("range: \(PredictionRange.words); --no-range omits it")
    }
    if let whose = sets.owners {
      notes.append(
        "numbers of frames as \(whose) tools print them; Documentation/Metrics.md says where they differ"
      )
    }
    if columns.contains(where: { $0.title == ["hitch", "ms/s"] }) {
      notes.append(
        "hitch: ms of missed vsyncs per second; while scrolling Apple calls below "
          + "\(Decimal.text(Bands.hitches.fair, places: 0)) good, below "
          + "\(Decimal.text(Bands.hitches.poor, places: 0)) fair, else poor")
    }
    let missing = hidden.filter { $0.name != "bar" }.map(\.name)
    if !missing.isEmpty {
      notes.append(
        "not shown in \(width) columns: \(missing.joined(separator: ", ")) (see --format csv)")
    }
    return notes
  }
}
