public import FrameBudget

/// The comparison for people: the verdict, the runs, a table, the differences between engines, and a description of each run.
public enum ComparisonReport {
  /// The report in lines of at most `width` characters, as far as names allow. With `details` each strategy has a paragraph;
  /// without, only today's, the best and the worst. With `sets` the numbers of frames are those of these platforms' tools.
  public static func text(
    _ rows: [ReportRow], sets: [MetricSet] = [], width: Int, isColored: Bool, details: Bool = false
  ) -> String {
    let records = rows.map(\.record)
    let runs = RepeatedRun.grouped(records)
    let summary = VerdictSummary(verdicts: Verdict.all(rows, records))
    var parts = [summary.paragraphs.flatMap { Paragraph.wrapped($0, width: width) }]
    parts.append(Paragraph.wrapped(heading(rows), width: width, indent: "  "))
    parts.append(ComparisonTable(runs, sets: sets, width: width).text(isColored: isColored))
    parts.append(EngineDifference(runs).text(width: width, isColored: isColored))
    let described =
      details ? runs.map { (title: "", run: $0) } : FeaturedStrategies(summary, runs).all
    parts.append(words(described, width: width))
    if described.count < runs.count {
      let note = "(--details describes all \(runs.count) rows)"
      parts.append(Paragraph.wrapped(note, width: width).map { TextStyle.dim.paint($0, isColored) })
    }
    return Paragraph.joined(parts)
  }

  /// `camera-upload: 60 Hz, 10 s, seed 42; real engine, 2 cores`
  private static func heading(_ rows: [ReportRow]) -> String {
    guard let first = rows.first else { return "nothing was measured" }
    let complete = rows.first { $0.log.status == .complete } ?? first
    let scenes = rows.map { "\($0.log.frames.refresh)" }.distinct()
    let engines = rows.map {
      "\($0.log.engine.rawValue) engine, \(English.count($0.cores, "core"))"
    }.distinct()
    let duration = Figure.span(milliseconds: complete.log.duration.inMilliseconds)
    return "\(first.log.scenario): \(scenes.joined(separator: ", ")), \(duration), "
      + "\(Seeds(rows.map { String($0.log.seed) })); \(engines.joined(separator: "; "))\(Learned.origin(first.log.learned))"
  }

  /// A paragraph for each of them, after its title.
  private static func words(_ described: [(title: String, run: RepeatedRun)], width: Int)
    -> [String]
  {
    described.flatMap { title, run in
      let change = run.changes.isEmpty ? "" : "[\(run.changes)] "
      let text = "- \(title)\(change)\(Narrative(run: run).text)"
      return Paragraph.wrapped(text, width: width, indent: "  ")
    }
  }
}

/// A line for each strategy, dropped frames first, as wide as possible.
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
    let all = ComparisonColumn.columns(sets).filter { $0.applies(to: runs.map(\.typical)) }
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
      let mark = (run.boughtSmoothness ? " *" : "") + (run.typical.isDisturbed ? " !" : "")
      let name = TextTable.Cell(text: shortened(run.name) + mark)
      table.lines.append(.cells([name] + columns.map { $0.cell(run.typical) }))
      if !run.options.isEmpty {
        table.lines.append(.words(TextTable.Cell(text: "  \(run.options)", style: .dim)))
      }
    }
    return table
  }

  /// Names come from users, and may be long.
  private static func shortened(_ name: String) -> String {
    name.count <= 40 ? name : name.prefix(39) + "…"
  }

  private func hasBound(_ column: ComparisonColumn) -> Bool {
    runs.contains { column.value($0.typical)?.isBound ?? false }
  }

  /// The meaning of the ranges that are shown or, if none is wide enough, of those that are not.
  private var rangeNote: String? {
    let shown = columns.compactMap(\.ranged)
    if let words = RangeWords(runs.map(\.typical), shown) {
      return "range: \(words.text); without one, the figure moves less \(RangeWords.narrow); "
        + "--no-range omits it"
    }
    guard shown.isEmpty, !hidden.contains(where: { $0.ranged != nil }) else { return nil }
    return RangeWords(runs.map(\.typical)).map {
      "these figures hardly move \(RangeWords.narrow): \($0.text)"
    }
  }

  private var footnotes: [String] {
    var notes: [String] = []
    if runs.contains(where: \.boughtSmoothness) {
      notes.append("* drops few frames, but left items undone or answered late")
    }
    if columns.contains(where: { $0.name == "dropped by the machine" }) {
      notes.append(
        "by the machine: dropped frames that other processes cost, and late wake-ups if they are few"
      )
    }
    if columns.contains(where: hasBound) {
      notes.append("> lower bound: some responses were still open at the end")
    }
    if runs.contains(where: \.typical.isDisturbed) {
      notes.append(
        "! disturbed: other processes used the processors, or dropped frames; measure again on a quieter "
          + "machine")
    }
    notes += rangeNote.map { [$0] } ?? []
    if let whose = sets.owners {
      notes.append(
        "numbers of frames as \(whose) tools print them; see Documentation/Metrics.md for differences"
      )
    }
    if columns.contains(where: { $0.title == ["hitch", "ms/s"] }) {
      notes.append(
        "hitch: ms of missed vsyncs per second; Apple's bands for scrolling: good below "
          + "\(Decimal.text(Bands.hitches.fair, places: 0)), fair below "
          + "\(Decimal.text(Bands.hitches.poor, places: 0)), else poor")
    }
    let missing = hidden.filter { $0.name != "bar" }.map(\.name)
    if !missing.isEmpty {
      notes.append(
        "not shown in \(width) columns: \(missing.joined(separator: ", ")) (see --format csv)")
    }
    return notes
  }
}

/// The strategies with a paragraph by default: today's, the best and the worst.
struct FeaturedStrategies {
  /// Each once, with its title: `Today: `.
  let all: [(title: String, run: RepeatedRun)]

  init(_ summary: VerdictSummary, _ runs: [RepeatedRun]) {
    guard let verdict = summary.verdicts.first, !summary.isVaried else {
      all = []
      return
    }
    let places: [(name: String, outcome: StrategyOutcome?)] = [
      ("today", verdict.today), ("the best", verdict.recommended),
      ("the nearest", verdict.nearest), ("the worst", verdict.worst),
    ]
    var described: [(label: String, names: [String])] = []
    for (name, outcome) in places {
      guard let label = outcome?.label else { continue }
      if let place = described.firstIndex(where: { $0.label == label }) {
        described[place].names.append(name)
      } else {
        described.append((label, [name]))
      }
    }
    all = described.compactMap { label, names in
      let run = runs.first {
        ($0.typical.label, $0.typical.engine) == (label, verdict.engine)
      }
      let title = verdict.strategies.count == 1 ? "" : English.list(names) + ": "
      return run.map { (English.capitalized(title), $0) }
    }
  }
}
