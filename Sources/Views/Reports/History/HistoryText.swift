internal import FrameBudget
internal import FrameBudgetParsing

/// A history as text: its series as lines of bars with their changes, for a terminal or for Markdown, or its changes for programs.
public struct HistoryText {
  private let history: History
  /// The newest commits in which a change for the worse counts; nil without a gate.
  private let within: Int?
  /// The series of one subject, under its name.
  private let groups: [(name: String, series: [History.Series])]

  private static let titles = [
    "metric", "values", "commit", "before", "after", "change", "p", "verdict",
  ]
  private static let left: Set<Int> = [0, 1, 2, titles.count - 1]

  public init(_ history: History, within: Int?) {
    self.history = history
    self.within = within
    groups = history.series.grouped(by: \.subject).map { subject, series in
      (GroupPair.name(subject.parts), series)
    }
  }

  /// The sentences, then for each subject a line for each change, or one for a series without any.
  public func table(isColored: Bool) -> String {
    let sections = groups.map { name, series in
      let rows = series.flatMap(rows)
      let lines = AlignedColumns.lines(
        [Self.titles] + rows.map { $0.cells.map(\.printable) }, left: Self.left)
      let styles = [TextStyle.bold] + rows.map(\.style)
      let painted = zip(lines, styles).map { line, style in
        "  " + style.paint(line.trimmedAtEnd, isColored)
      }
      return ([name.printable] + painted).joined(separator: "\n") + "\n"
    }
    return ([sentences.joined(separator: " ").printable + "\n"] + sections).joined(separator: "\n")
  }

  /// The same as tables in GitHub's format.
  public var markdown: String {
    let sections = groups.map { name, series in
      let table = EscapedTable.lines(
        Self.titles, series.flatMap(rows).map(\.cells), left: Self.left)
      return "### \(name.markdown)\n\n" + table.joined(separator: "\n") + "\n"
    }
    return (["**\(sentences.joined(separator: " ").markdown)**\n"] + sections)
      .joined(separator: "\n")
  }

  /// The changes, for programs.
  public var records: RecordTable {
    var table = HistoryCSV.format.records(
      "changes",
      groups.flatMap { name, series in
        series.flatMap { series in
          series.changes.map { HistoryCSV.Row(group: name, series: series, change: $0) }
        }
      })
    table.verdict = .object([
      ("sentences", .array(sentences.map(JSON.text))),
      ("outcome", within.map { .text("\(history.outcome(within: $0))") } ?? .null),
    ])
    return table
  }

  // MARK: Lines

  private func rows(_ series: History.Series) -> [(cells: [String], style: TextStyle)] {
    let head = [
      series.metric.name + (series.isGated ? " *" : ""), Bars.text(series.records.map(\.value)),
    ]
    guard !series.changes.isEmpty else {
      let count = English.count(series.records.count, "commit")
      let words = series.isTooShort ? "\(count): too few" : "no change in \(count)"
      return [(head + ["", "", "", "", "", words], .plain)]
    }
    return series.changes.enumerated().map { number, change in
      ((number == 0 ? head : ["", ""]) + cells(change), change.metric.verdict.style)
    }
  }

  private func cells(_ change: History.Change) -> [String] {
    let metric = change.metric
    let places = ComparisonText.places(metric)
    let figures = [metric.base, metric.new].map { observation in
      observation.map { ($0.isBound ? ">" : "") + Decimal.text($0.value, places: places($0.value)) }
        ?? "-"
    }
    return [
      change.shortCommit, figures[0], figures[1] + ComparisonText.unit(metric),
      ComparisonText.change(metric), metric.p.map { Decimal.text($0, places: 3) } ?? "exact",
      metric.verdict.rawValue,
    ]
  }

  // MARK: Sentences

  private var sentences: [String] {
    let worse = named(within.map(history.regressions) ?? history.newestChanges(.worse))
    let better = named(history.newestChanges(.better))
    var sentences = [
      worse.map { within == nil ? "Worse: \($0)." : "Regression: \($0)." },
      better.map { "Better: \($0)." },
    ].compactMap(\.self)
    let isOpen = within.map(history.outcome) == .inconclusive
    if sentences.isEmpty || isOpen { sentences.append(nothing) }
    return sentences + [counts]
  }

  private var nothing: String {
    guard let within else { return "No change counts." }
    guard history.outcome(within: within) == .inconclusive else { return "No regression." }
    return within < history.fewestForGate
      ? "Inconclusive: a change of a measured metric takes \(history.fewestForGate) commits, so --fail-within is at least that."
      : "Inconclusive: no series of a gated metric is long enough."
  }

  /// `frame_ms_p99 (main-thread) went from 20 to 25 ms (+25 %) at 3f2a91b`
  private func named(_ changes: [(series: History.Series, change: History.Change)]) -> String? {
    guard !changes.isEmpty else { return nil }
    let parts = changes.map { series, change in
      let name = shortName(series.subject)
      return series.metric.name + (name.isEmpty ? "" : " (\(name))")
        + " \(ComparisonSentence.step(change.metric)) at \(change.shortCommit)"
    }
    return English.list(parts, most: 3)
  }

  /// The parts of the name that not all subjects have.
  private func shortName(_ subject: HistorySubject) -> String {
    let subjects = history.series.map(\.subject.parts)
    return GroupPair.name(
      subject.parts.filter { part in !subjects.allSatisfy { $0.contains(part) } })
  }

  /// `12 series of up to 60 commits, 2 of them too short to find a change.`
  private var counts: String {
    let most = history.series.map(\.records.count).max() ?? 0
    let short = history.series.count(where: \.isTooShort)
    return "\(history.series.count) series of up to \(English.count(most, "commit"))"
      + (short > 0 ? ", \(short) of them too short to find a change." : ".")
  }
}

/// Values as a line of bars.
private enum Bars {
  private static let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  /// The newest values that a line has.
  private static let most = 40

  /// From the smallest value to the largest; low bars if all are equal.
  static func text(_ values: [Double]) -> String {
    let shown = values.suffix(most)
    guard let low = shown.min(), let high = shown.max() else { return "" }
    let top = Double(heights.count - 1)
    return String(
      shown.map { value in
        // Halves first: the difference of the largest numbers is infinite.
        let share = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0
        return heights[Int((share * top).rounded())]
      })
  }
}

/// The changes of a history as CSV: the columns of `compare`, then the commit.
enum HistoryCSV {
  struct Row {
    let group: String
    let series: History.Series
    let change: History.Change
  }

  static let format = LineFormat<Row>(
    ComparisonCSV.format.columns.map { column in
      column.of { ComparisonCSV.Row(group: $0.group, of: $0.change.metric) }
    } + own)

  static let own: [Column<Row>] = [
    Column("commit", "the first one after the change") { .text($0.change.commit) },
    Column("started", "when its runs began (UTC), if the result says it") {
      $0.change.started.isEmpty ? nil : .text($0.change.started)
    },
    Column("commits_since", "number of commits from it to the newest", .count) {
      .count($0.series.records.count - $0.change.place)
    },
  ]
}

extension History.Change {
  /// For people: the beginning of a hash.
  fileprivate var shortCommit: String {
    commit.count >= 40 && commit.allSatisfy(\.isHexDigit) ? String(commit.prefix(10)) : commit
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
  }
}
