internal import FrameBudget

/// The answer of a sweep in sentences, and a map: for each combination of values, the best smooth strategy.
///
/// The number that was varied last runs from left to right, the others upwards, as in maps of a metric.
struct SweepMap {
  private let answer: SweepAnswer
  /// The strategies that are the best somewhere, in the file's order: each has its colour.
  private let winners: [String]

  private typealias Place = SweepAnswer.Place

  /// Beyond these the answer is in sentences only: a page is to stay below a megabyte.
  private static let (maxColumns, maxRows) = (200, 200)
  /// Above these numbers cells have no names: a phone has no room for them.
  private static let (namedColumns, namedRows) = (4, 24)
  /// The most labels of columns without names, and of rows.
  private static let (columnLabels, rowLabels) = (6, 24)
  /// The number of colours in the style sheet.
  private static let colours = 6

  init(answer: SweepAnswer) {
    self.answer = answer
    let picks = Set(answer.places.compactMap(\.smooth.first))
    winners = answer.strategies.filter(picks.contains)
  }

  func markup(_ name: String) -> Markup {
    let heading: Markup = name.isEmpty ? "" : "<h3>\(name)</h3>\n"
    let sentences: [Markup] = answer.sentences.map { "\($0) " }
    return "\(heading)<p class=\"verdict\">\(sentences)</p>\n\(map)"
  }

  private var columns: SweepAnswer.Setting { answer.settings[answer.settings.count - 1] }

  /// The values of all settings but the last, the first one's changing least; one empty row if there is a single setting.
  private var rows: [[String]] {
    answer.settings.dropLast().reduce([[]]) { rows, setting in
      rows.flatMap { row in setting.values.map { row + [$0] } }
    }
  }

  private var map: Markup {
    let rows = rows
    guard columns.values.count <= Self.maxColumns, rows.count <= Self.maxRows,
      // A random selection of combinations leaves most of the map empty.
      answer.places.count * 2 >= rows.count * columns.values.count
    else { return "" }
    let places = Dictionary(answer.places.map { ($0.values, $0) }) { first, _ in first }
    let isDense = columns.values.count > Self.namedColumns || rows.count > Self.namedRows
    let lines: [Markup] = rows.reversed().enumerated().map { number, row in
      let cells = columns.values.map { places[row + [$0]] }
      let parts = isDense ? merged(cells) : cells.map { cell($0, words: true) }
      return """
        <tr>\(rowHead(row, number, of: rows.count))\(parts)</tr>

        """
    }
    return """
      <div class="sweep-map"><table\(isDense ? " class=\"dense\"" as Markup : "")>\
      <caption>The \(picks)\(axes)</caption>
      <thead><tr>\(corner)\(columnHeads(isDense ? Self.columnLabels : Self.namedColumns))</tr></thead><tbody>\(lines)</tbody></table></div>
      \(legend)
      """
  }

  private var picks: String {
    answer.merit.map { "smooth strategy with the \($0.rawValue)" } ?? "best smooth strategy"
  }

  private var axes: String {
    let vertical = answer.settings.dropLast().map(\.name)
    return vertical.isEmpty
      ? ", over \(columns.name)"
      : "; vertical: \(English.list(vertical)); horizontal: \(columns.name)"
  }

  // MARK: Heads

  private var corner: Markup { answer.settings.count > 1 ? "<td></td>" : "" }

  /// The number of values that share a label, so that there are at most `most` labels.
  private static func step(_ count: Int, _ most: Int) -> Int { (count + most - 1) / most }

  private func columnHeads(_ most: Int) -> [Markup] {
    let step = Self.step(columns.values.count, most)
    return stride(from: 0, to: columns.values.count, by: step).map { first in
      let width = min(step, columns.values.count - first)
      return "<th scope=\"col\"\(span("colspan", width))>\(columns.values[first])</th>"
    }
  }

  private func rowHead(_ row: [String], _ number: Int, of count: Int) -> Markup {
    let step = Self.step(count, Self.rowLabels)
    guard !row.isEmpty, number.isMultiple(of: step) else { return "" }
    let height = min(step, count - number)
    return "<th scope=\"row\"\(span("rowspan", height))>\(row.joined(separator: " · "))</th>"
  }

  private func span(_ name: String, _ count: Int) -> Markup {
    count > 1 ? " \(name)=\"\(count)\"" : ""
  }

  // MARK: Cells

  /// Neighbours with the same answer as one cell.
  private func merged(_ cells: [Place?]) -> [Markup] {
    var runs: [(place: Place?, width: Int)] = []
    for place in cells {
      if let last = runs.last, Self.kind(last.place) == Self.kind(place) {
        runs[runs.count - 1].width += 1
      } else {
        runs.append((place, 1))
      }
    }
    return runs.map { cell($0.place, $0.width, words: false) }
  }

  private func cell(_ place: Place?, _ width: Int = 1, words: Bool) -> Markup {
    guard let place else { return "<td\(span("colspan", width))></td>" }
    let title = width == 1 ? answer.words(place) : English.count(width, "value")
    let nearest: Markup = place.nearest.map { "<small>nearest: \($0)</small>" } ?? ""
    let content: Markup = words ? "\(Self.kind(place))\(nearest)" : ""
    return """
      <td class="\(mark(place))"\(span("colspan", width)) title="\(title): \(Self.kind(place))">\
      \(content)</td>
      """
  }

  /// The answer in a cell.
  private static func kind(_ place: Place?) -> String {
    guard let place else { return "" }
    return place.smooth.first ?? (place.isOpen ? "unknown" : "none")
  }

  private func mark(_ place: Place) -> String {
    guard let pick = place.smooth.first else { return place.isOpen ? "open" : "unsmooth" }
    return "w\((winners.firstIndex(of: pick) ?? 0) % Self.colours)"
  }

  private var legend: Markup {
    let entries = winners.enumerated().map { (mark: "w\($0 % Self.colours)", words: $1) }
    let hasNone = answer.places.contains { $0.smooth.isEmpty && !$0.isOpen }
    return Markup.legend(entries + (hasNone ? [(mark: "unsmooth", words: "none is smooth")] : []))
  }
}
