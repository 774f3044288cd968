internal import FrameBudget
internal import Parsing

/// A comparison as text: aligned columns for a terminal, a table for a pull request, or CSV.
public enum ComparisonText {
  private static let titles = [
    "metric", "base", "new", "change", "95 % interval", "effect", "p", "verdict",
  ]

  /// The verdict, and columns for people; gated metrics are marked with a star.
  public static func table(_ comparison: ResultComparison) -> String {
    let sections = comparison.groups.map { group in
      let rows = [titles] + group.metrics.map { cells($0).map(\.printable) }
      let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
      let lines = rows.map { line($0, widths) }
      return ([group.name.printable] + lines + notes(group).map(\.printable)).joined(
        separator: "\n") + "\n"
    }
    let verdict = ComparisonSentence(comparison).text.printable
    return ([verdict + "\n"] + sections).joined(separator: "\n")
  }

  /// GitHub's tables, the verdict first.
  public static func markdown(_ comparison: ResultComparison) -> String {
    let sections = comparison.groups.map { group in
      let header = [titles, titles.map { $0 == "metric" || $0 == "verdict" ? "---" : "---:" }]
      let rows = (header + group.metrics.map(cells)).map { cells in
        "| " + cells.map(escaped).joined(separator: " | ") + " |"
      }
      let notes = notes(group).map { "\n" + escaped($0) }
      return "### \(escaped(group.name))\n\n" + (rows + notes).joined(separator: "\n") + "\n"
    }
    let verdict = escaped(ComparisonSentence(comparison).text)
    return (["**\(verdict)**\n"] + sections).joined(separator: "\n")
  }

  public static func csv(_ comparison: ResultComparison) -> String {
    let header = CSV.line([
      "schema", "group", "metric", "unit", "gated", "base", "new", "base_count", "new_count",
      "difference", "interval_low", "interval_high", "effect", "p", "verdict", "note",
      "base_is_bound", "new_is_bound",
    ])
    return header
      + comparison.groups.flatMap { group in
        group.metrics.map { metric in
          let numbers: [Double?] = [
            metric.difference, metric.interval?.lowerBound, metric.interval?.upperBound,
            metric.effect, metric.p,
          ]
          return CSV.line(
            [String(MetricCatalog.schema), group.name, metric.metric, metric.unit.rawValue]
              + [metric.isGated ? "1" : "0"] + [metric.base, metric.new].map { exact($0?.value) }
              + [String(metric.baseCount), String(metric.newCount)] + numbers.map(exact)
              + [metric.verdict.rawValue, metric.note ?? ""]
              + [metric.base, metric.new].map { $0.map { $0.isBound ? "1" : "0" } ?? "" })
        }
      }.joined()
  }

  private static func exact(_ value: Double?) -> String {
    value.map { Decimal.text($0, places: 6) } ?? ""
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
      metric.verdict.rawValue,
    ]
  }

  /// How many decimals a value has: few, but more where base and new would look the same and are not.
  static func places(_ metric: MetricComparison) -> (Double) -> Int {
    func usual(_ value: Double) -> Int { abs(value) >= 100 ? 1 : 3 }
    guard let base = metric.base?.value, let new = metric.new?.value, base != new else {
      return usual
    }
    let needed =
      (0...6).first { Decimal.text(base, places: $0) != Decimal.text(new, places: $0) } ?? 6
    // One more, so that it shows by how much.
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
    guard let interval = metric.interval else { return "" }
    guard let base = metric.base?.value, base != 0 else {
      return "\(signed(interval.lowerBound)) to \(signed(interval.upperBound))"
    }
    let scale = 100 / abs(base)
    return "\(signed(interval.lowerBound * scale)) to \(signed(interval.upperBound * scale)) %"
  }

  /// With a sign, and not 0 for what is not: `+25`, `-0.31`, `+0.0007`.
  private static func signed(_ value: Double) -> String {
    let usual = abs(value) >= 100 ? 0 : 2
    let shown = (usual...6).first { Decimal.text(value, places: $0) != "0" } ?? usual
    return (value > 0 ? "+" : "") + Decimal.text(value, places: shown)
  }

  private static func notes(_ group: ResultComparison.Group) -> [String] {
    var seen: [String] = []
    for metric in group.metrics {
      if let note = metric.note { seen.append("\(metric.metric): \(note)") }
    }
    return seen
  }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = cells.indices.map { column in
      let padding = String(repeating: " ", count: widths[column] - cells[column].count)
      let isLeft = column == 0 || column == cells.count - 1
      return isLeft ? cells[column] + padding : padding + cells[column]
    }
    let line = "  " + padded.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// Text that cannot end a cell or begin a tag.
  private static func escaped(_ text: String) -> String {
    text.printable.map { "|<>\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
