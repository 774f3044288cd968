/// Pages of `make browser` that have Workers already: recordings, their replays, and predictions for one Worker more.
struct PageWorkersTable {
  private let lines: [PageTable.Line]

  init(_ rows: [PageOutcome]) {
    lines = PageTable(rows).variants.filter { !$0.recorded.isEmpty && !$0.replayed.isEmpty }
  }

  private static let head = [
    "page", "variant", "answers p98, ms, recorded", "replayed", "from the variant before",
    "dropped, %, recorded", "replayed", "from the variant before", "answers off",
  ]

  /// Empty without such recordings.
  var markdown: String {
    guard !lines.isEmpty else { return "" }
    return MarkdownTable.text(Self.head, lines.map(Self.cells)) + "\n" + conclusion + "\n"
  }

  private static func cells(_ line: PageTable.Line) -> [String] {
    let figures = [line.recorded, line.replayed, line.continued]
    let answers = figures.map { $0.isEmpty ? "" : PageTable.spread($0.compactMap(\.answer), 0) }
    let dropped = figures.map { $0.isEmpty ? "" : PageTable.spread($0.map(\.droppedPercent)) }
    let wrong = [("replayed", line.replayed), ("from the variant before", line.continued)]
      .compactMap { name, predicted -> String? in
        if case .off(let span) = line.with(predicted: predicted).fault(.answer) {
          "\(name) \(span)"
        } else {
          nil
        }
      }
    return [line.page, line.variant] + answers + dropped + [wrong.joined(separator: "; ")]
  }

  private var conclusion: String {
    func held(
      _ metric: PageTable.Predicted, _ predicted: (PageTable.Line) -> [PageFigures]
    ) -> String {
      let faults = lines.map { $0.with(predicted: predicted($0)).fault(metric) }
        .filter { $0 != .unknown }
      return "\(faults.count { $0 == .none }) of \(faults.count)"
    }
    return """
      Answers are replayed in \(held(.answer, \.replayed)), and predicted from the variant before in \
      \(held(.answer, \.continued)); dropped frames in \(held(.dropped, \.replayed)) and \
      \(held(.dropped, \.continued)).
      """
  }
}
