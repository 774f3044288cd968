internal import FrameBudget
internal import FrameBudgetParsing

/// A comparison as text: aligned columns for a terminal, a table for a pull request, or CSV.
public enum ComparisonText {
  private static let titles = [
    "metric", "base", "new", "change", "95 % interval", "effect", "p", gateTitle, "verdict",
  ]
  private static let gateTitle = "gate"

  /// The verdict in one or two sentences, and why gated metrics are inconclusive.
  public static func reason(_ comparison: ResultComparison) -> String {
    let metrics = comparison.groups.filter { !$0.isOnlyInBase }.flatMap(\.metrics)
    let notes = metrics.filter { $0.isGated && $0.verdict == .inconclusive }.compactMap(\.note)
    return ([ComparisonSentence(comparison).text] + notes.distinct()).joined(separator: " ")
  }

  /// The verdict, and columns for people; gated metrics are marked with a star. What only the base has is in the verdict.
  public static func table(_ comparison: ResultComparison, isColored: Bool = false) -> String {
    let sections = comparison.groups.filter { !$0.isOnlyInBase }.map { group in
      let rows = rows(group).map { $0.map(\.printable) }
      let styles = [TextStyle.bold] + group.metrics.map(\.verdict.style)
      let aligned = AlignedColumns.lines(rows, left: [0, rows[0].count - 1])
      let lines = zip(aligned, zip(rows, styles)).map { line, row in
        painted(line, verdict: row.0.last ?? "", row.1, isColored)
      }
      return ([group.name.printable] + lines + notes(group).map(\.printable)).joined(
        separator: "\n") + "\n"
    }
    let verdict = ComparisonSentence(comparison).text.printable
    let legend = legend(comparison).map { $0 + "\n" }
    return ([verdict + "\n"] + sections + legend).joined(separator: "\n")
  }

  /// Tables in GitHub's format, after the verdict; before it, whether the machines differ, at the end what is not compared.
  public static func markdown(_ comparison: ResultComparison) -> String {
    let sections = comparison.groups.filter { !$0.isOnlyInBase }.map { group in
      let table = rows(group)
      let rows = EscapedTable.lines(
        table[0], Array(table.dropFirst()), left: [0, table[0].count - 1])
      let notes = notes(group).map { "\n" + $0.markdown }
      return "### \(group.name.markdown)\n\n"
        + (rows + notes).joined(separator: "\n") + "\n"
    }
    let machines = comparison.machines.map { "> \($0.markdown)\n" }
    let verdict = ComparisonSentence(comparison).text.markdown
    let ends = (legend(comparison) + comparison.omissions).map { $0.markdown + "\n" }
    return ([machines].compactMap(\.self) + ["**\(verdict)**\n"] + sections + ends)
      .joined(separator: "\n")
  }

  /// For programs.
  public static func records(_ comparison: ResultComparison) -> RecordTable {
    var table = ComparisonCSV.format.records(
      "metrics",
      comparison.groups.flatMap { group in
        group.metrics.map { ComparisonCSV.Row(group: group.name, of: $0) }
      })
    table.verdict = ComparisonSentence(comparison).json
    return table
  }

  /// Titles and cells; without the gates if every difference counts.
  private static func rows(_ group: ResultComparison.Group) -> [[String]] {
    let rows = [titles] + group.metrics.map(cells)
    guard !group.metrics.contains(where: \.hasMargin), let gates = titles.firstIndex(of: gateTitle)
    else { return rows }
    return rows.map { row in row.indices.filter { $0 != gates }.map { row[$0] } }
  }

  private static func cells(_ metric: MetricComparison) -> [String] {
    let places = places(metric)
    func figure(_ observation: Observation?) -> String? {
      observation.map { ($0.isBound ? ">" : "") + Decimal.text($0.value, places: places($0.value)) }
    }
    return [
      metric.metric + (metric.isGated ? " *" : ""),
      figure(metric.base) ?? "-", figure(metric.new).map { $0 + unit(metric) } ?? "-",
      change(metric), interval(metric), metric.effect.map { Decimal.text($0, places: 2) } ?? "",
      metric.p.map { $0 < 0.001 ? "<0.001" : Decimal.text($0, places: 3) } ?? exactness(metric),
      metric.hasMargin ? metric.margin?.words(in: metric.unit) ?? "" : "",
      metric.verdict.rawValue,
    ]
  }

  /// The number of decimals of a value: few, but more if base and new would otherwise look the same and are not.
  static func places(_ metric: MetricComparison) -> (Double) -> Int {
    func usual(_ value: Double) -> Int { abs(value) >= 100 ? 1 : 3 }
    guard let base = metric.base?.value, let new = metric.new?.value, base != new else {
      return usual
    }
    let needed =
      (0...6).first { Decimal.text(base, places: $0) != Decimal.text(new, places: $0) } ?? 6
    // One more, to show the size of the difference.
    return { needed > usual($0) ? min(6, needed + 1) : usual($0) }
  }

  private static func exactness(_ metric: MetricComparison) -> String {
    metric.ends.isEmpty ? "" : "exact"
  }

  static func unit(_ metric: MetricComparison) -> String {
    metric.unit == .none || metric.unit == .count ? "" : " \(metric.unit.rawValue)"
  }

  static func change(_ metric: MetricComparison) -> String {
    guard let difference = metric.difference else { return "" }
    let text = metric.percent.map { signed($0) + " %" } ?? signed(difference)
    if metric.new?.isBound == true { return Figure.atLeast(text) }
    return metric.base?.isBound == true ? Figure.atMost(text) : text
  }

  private static func interval(_ metric: MetricComparison) -> String {
    guard let interval = metric.interval else { return metric.lacksRuns ? "too few runs" : "" }
    guard let base = metric.base?.value, base != 0 else {
      return "\(signed(interval.lowerBound)) to \(signed(interval.upperBound))"
    }
    let scale = 100 / abs(base)
    return "\(signed(interval.lowerBound * scale)) to \(signed(interval.upperBound * scale)) %"
  }

  /// With a sign, and not 0 unless the value is 0: `+25`, `-0.31`, `+0.0007`.
  private static func signed(_ value: Double) -> String {
    let usual = abs(value) >= 100 ? 0 : 2
    let shown = (usual...6).first { Decimal.text(value, places: $0) != "0" } ?? usual
    return (value > 0 ? "+" : "") + Decimal.text(value, places: shown)
  }

  /// An explanation of the gates, if one has an amount besides its share.
  private static func legend(_ comparison: ResultComparison) -> [String] {
    let shown = comparison.groups.filter { !$0.isOnlyInBase }.flatMap(\.metrics)
    let margins = shown.filter(\.hasMargin).compactMap(\.margin)
    guard margins.contains(where: { $0.floor > 0 }) else { return [] }
    return [
      "gate: a change counts if it is unlikely to be chance and at least the share of the base; one that may be chance "
        + "passes up to the share or the amount, whichever is more."
    ]
  }

  private static func notes(_ group: ResultComparison.Group) -> [String] {
    var seen = averages(group).map { [$0] } ?? []
    for metric in group.metrics {
      if let note = metric.note { seen.append("\(metric.metric): \(note)") }
      if let range = ranges(metric) { seen.append("\(metric.metric): \(range)") }
    }
    return seen
  }

  /// `base 0–21.5 %, new 16.9–21 % for costs from …`, if a range is wide enough, and whether the difference is within them. A
  /// verdict of better or worse is about equal costs on both sides.
  private static func ranges(_ comparison: MetricComparison) -> String? {
    guard let metric = MetricCatalog.metric(comparison.metric) else { return nil }
    let sides = [("base", comparison.baseRange), ("new", comparison.newRange)]
    let texts = sides.compactMap { side, range -> String? in
      guard let range, metric.isWorthShowing(range) else { return nil }
      return "\(side) \(Figure.range(range, of: metric))\(unit(comparison))"
    }
    guard !texts.isEmpty else { return nil }
    return "\(texts.joined(separator: ", ")) \(RangeWords.smallChanges)"
      + (isWithinRange(comparison)
        ? "; the difference is within that range\(decided(comparison))" : "")
  }

  private static func decided(_ comparison: MetricComparison) -> String {
    switch comparison.verdict {
    case .better, .worse:
      ", but counts, because both sides have the same costs: it is \(comparison.verdict.rawValue)"
    case .same, .noWorse, .inconclusive: ""
    }
  }

  /// Whether slightly different costs change one side as much as the difference.
  private static func isWithinRange(_ comparison: MetricComparison) -> Bool {
    guard let base = comparison.base?.value, let new = comparison.new?.value, base != new else {
      return false
    }
    return comparison.baseRange?.contains(new) ?? false
      || comparison.newRange?.contains(base) ?? false
  }

  /// `base and new are trimmed means of 10 runs each: …`; nil for single runs.
  private static func averages(_ group: ResultComparison.Group) -> String? {
    guard let base = group.metrics.map(\.baseCount).max(),
      let new = group.metrics.map(\.newCount).max(), max(base, new) > 1
    else { return nil }
    let runs = base == new ? "\(base) runs each" : "\(base) and \(new) runs"
    return "base and new are trimmed means of \(runs), without the lowest and the highest fifth"
  }

  /// Paints a whole header line; in other lines only the verdict, which is the last word.
  private static func painted(
    _ line: String, verdict: String, _ style: TextStyle, _ isColored: Bool
  ) -> String {
    let end = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }.map(line.utf8.index(after:))
    let line = "  " + line[..<(end ?? line.startIndex)]
    if style == .bold { return style.paint(line, isColored) }
    // The verdict consists of ASCII.
    let split = line.utf8.index(line.endIndex, offsetBy: -verdict.utf8.count)
    return line[..<split] + style.paint(String(line[split...]), isColored)
  }
}

extension MetricComparison {
  /// Whether there is a gate to print, other than *every difference*.
  fileprivate var hasMargin: Bool { isGated && margin != nil }
}

extension MetricComparison.Verdict {
  var style: TextStyle {
    switch self {
    case .worse: .red
    case .better: .green
    case .inconclusive: .yellow
    case .same, .noWorse: .plain
    }
  }
}

/// The result of a comparison in one or two sentences: better, worse, the same or inconclusive, and the metrics with their
/// changes.
struct ComparisonSentence {
  private let comparison: ResultComparison
  /// The gated metrics, each with its group.
  private let gated: [(group: ResultComparison.Group, metric: MetricComparison)]
  /// The limit for one sentence; the table has all metrics.
  private static let most = 3

  init(_ comparison: ResultComparison) {
    self.comparison = comparison
    gated = comparison.groups.flatMap { group in
      group.metrics.filter(\.isGated).map { (group, $0) }
    }
  }

  /// `Regression: frame_ms_p99 went from 20 to 25 ms (+25 %). Gated metrics: 1 worse, 5 the same.`
  var text: String { sentences.joined(separator: " ") }

  /// For programs: the sentences, the result in a word, and what else to know.
  var json: JSON {
    .object([
      ("sentences", .array(sentences.map(JSON.text))), ("outcome", .text("\(comparison.outcome)")),
      ("notes", .array(comparison.warnings.map(JSON.text))),
    ])
  }

  private var sentences: [String] {
    switch comparison.outcome {
    case .regression: return ["Regression: \(named(.worse)).", counts]
    case .inconclusive:
      guard !gated.isEmpty else { return ["Inconclusive: no gated metric applies."] }
      let parts = [
        undecided.map { "the result is unknown for \($0)" },
        gone.map { "the new result lacks \($0)" },
      ].compactMap(\.self)
      return ["Inconclusive: \(parts.joined(separator: "; ")).", counts]
    case .holds:
      let isBetter = gated.contains { $0.metric.verdict == .better }
      if isBetter { return ["No regression, and better: \(named(.better)).", counts] }
      guard gated.allSatisfy({ $0.metric.verdict == .same }) else {
        return ["No regression.", counts]
      }
      let all =
        gated.count == 1 ? "the one gated metric is" : "all \(gated.count) gated metrics are"
      return ["No regression: \(all) the same."]
    }
  }

  private func named(_ verdict: MetricComparison.Verdict) -> String {
    let found = gated.filter { $0.metric.verdict == verdict }
    let parts = found.map { "\(name($0.group, $0.metric)) \(Self.step($0.metric))" }
    return English.list(parts, most: Self.most)
  }

  private var undecided: String? {
    let found = gated.filter { $0.metric.verdict == .inconclusive && !$0.group.isOnlyInBase }
    guard !found.isEmpty else { return nil }
    return English.list(found.map { name($0.group, $0.metric) }, most: Self.most)
  }

  /// What only the base has.
  private var gone: String? {
    let names = comparison.groups.filter(\.isOnlyInBase).map { group in
      let name = comparison.shortName(of: group)
      return name.isEmpty ? group.name : name
    }
    return names.isEmpty ? nil : English.list(names, most: Self.most)
  }

  /// With the group if there are several.
  private func name(_ group: ResultComparison.Group, _ metric: MetricComparison) -> String {
    let name = comparison.shortName(of: group)
    return name.isEmpty ? metric.metric : "\(metric.metric) (\(name))"
  }

  /// `went from 20 to 25 ms (+25 %)`
  static func step(_ metric: MetricComparison) -> String {
    let values = [metric.base, metric.new].map { observation in
      observation.map {
        ($0.isBound ? "at least " : "")
          + Decimal.text($0.value, places: ComparisonText.places(metric)($0.value))
      } ?? "nothing"
    }
    let change = metric.percent == nil ? "" : " (\(ComparisonText.change(metric)))"
    return "went from \(values[0]) to \(values[1])\(ComparisonText.unit(metric))\(change)"
  }

  /// `Gated metrics: 1 worse, 5 the same.`
  private var counts: String {
    let words: [(MetricComparison.Verdict, String)] = [
      (.worse, "worse"), (.inconclusive, "inconclusive"), (.better, "better"),
      (.noWorse, "no worse"), (.same, "the same"),
    ]
    let counts = words.compactMap { verdict, word -> (Int, String)? in
      let count = gated.count { $0.metric.verdict == verdict }
      return count == 0 ? nil : (count, word)
    }
    guard !counts.isEmpty else { return "" }
    return "Gated metrics: \(counts.map { "\($0) \($1)" }.joined(separator: ", "))."
  }
}
