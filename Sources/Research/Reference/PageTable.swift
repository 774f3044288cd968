internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports

/// Predictions for the pages of `make browser` beside the recordings.
struct PageTable {
  /// A way to run a page, with figures of each recording and of each prediction.
  struct Line: Equatable {
    let page: String
    let variant: String
    let placement: PagePlacement
    let recorded: [PageFigures]
    let predicted: [PageFigures]
    var replayed: [PageFigures] = []
    var continued: [PageFigures] = []
  }

  /// In the order of the rows.
  let lines: [Line]

  /// Points by which a prediction of dropped frames may differ, or percent of what was recorded.
  static let maxPoints = 2.0
  static let maxPercent = 20.0
  /// The command that generates this part of a page.
  static let marker = "make browser"
  static let workersMarker = "make browser, workers"
  static let adviceMarker = "make browser, advice"

  init(_ rows: [PageOutcome]) {
    lines = rows.grouped { [$0.page, $0.variant] }.map { name, own in
      func figures(_ kind: PageOutcome.Kind) -> [PageFigures] {
        own.filter { $0.kind == kind }.map(\.figures)
      }
      return Line(
        page: name[0], variant: name[1], placement: own[0].placement, recorded: figures(.recorded),
        predicted: figures(.predicted), replayed: figures(.replayed), continued: figures(.continued)
      )
    }
  }

  /// All tables except the advice; empty without recordings.
  var markdown: String {
    let lines = variants
    guard !lines.isEmpty else { return "" }
    let head = [
      "page", "variant", "address", "dropped, %, recorded", "predicted",
      "answers p98, ms, recorded",
      "predicted", "prediction",
    ]
    return MarkdownTable.text(head, lines.map(Self.cells)) + "\n" + conclusion + "\n"
  }

  var variants: [Line] { lines.filter { $0.variant != PageVariant.advised } }

  private static func cells(_ line: Line) -> [String] {
    let figures = [line.recorded, line.predicted].map { spread($0.map(\.droppedPercent), 2) }
    let answers = [line.recorded, line.predicted].map { spread($0.compactMap(\.answer), 0) }
    return [line.page, line.variant, address(line.placement)] + figures + answers + [line.verdict]
  }

  static func address(_ placement: PagePlacement) -> String {
    placement.query.isEmpty ? "" : "`\(placement.query)`"
  }

  /// The median and the range.
  static func spread(_ values: [Double], _ places: Int = 2) -> String {
    guard let median = values.median, let least = values.min(), let most = values.max() else {
      return "none"
    }
    func figure(_ value: Double) -> String { Decimal.text(value, places: places) }
    let range = values.count > 1 ? " (\(figure(least)) to \(figure(most)))" : ""
    return figure(median) + range
  }

  /// How many predictions hold, and whether they rank the variants as the recordings do.
  private var conclusion: String {
    let pages = variants.grouped(by: \.page)
    let changed = pages.flatMap { $0.elements.dropFirst() }.filter(\.isKnown)
    let held = [Predicted.dropped, .answer].map { metric in
      let known = changed.filter { $0.fault(metric) != .unknown }
      return "\(known.count { $0.fault(metric) == .none }) of \(known.count)"
    }
    let taus = pages.map { page, _ in
      "\(page) \(tau(of: page).map { Decimal.text($0, places: 2) } ?? "all tie")"
    }
    let swaps = swapped.map { "\($0.page): \($0.variant) and \($1.variant)" }
    let order =
      swaps.isEmpty
      ? "Dropped frames are predicted in the recorded order, wherever the recordings say which that is."
      : "Predicted in another order than recorded: \(swaps.joined(separator: ", "))."
    return """
      Of the changed variants dropped frames are predicted in \(held[0]), and answers in \(held[1]). Kendall's tau-b of dropped \
      frames: \(taus.joined(separator: ", ")). \(order)
      """
  }

  /// Kendall's tau-b of predictions and recordings of a page's variants.
  func tau(of page: String) -> Double? {
    Ranking.tau(
      variants.filter { $0.page == page }.compactMap { line in
        guard let predicted = line.predicted.dropped.median, let came = line.recorded.dropped.median
        else { return nil }
        return (predicted, came)
      })
  }

  /// Pairs of a page's variants that the predictions rank the other way round than the recordings.
  var swapped: [(Line, Line)] {
    var pairs: [(Line, Line)] = []
    for first in variants {
      for second in variants where second.page == first.page {
        let (less, more) = (first.recorded.dropped, second.recorded.dropped)
        guard let most = less.max(), let least = more.min(), most < least else { continue }
        guard let predicted = first.predicted.dropped.median,
          let other = second.predicted.dropped.median, predicted > other
        else { continue }
        pairs.append((first, second))
      }
    }
    return pairs
  }

  /// A predicted metric.
  enum Predicted {
    case dropped, answer
  }
}

extension PageTable.Line {
  /// The kind of a prediction's error.
  enum Fault: Equatable {
    case none, unknown
    case off(String)
  }

  /// The same variant with these figures as the prediction.
  func with(predicted: [PageFigures]) -> Self {
    Self(
      page: page, variant: variant, placement: placement, recorded: recorded, predicted: predicted)
  }

  var isKnown: Bool { !recorded.isEmpty && !predicted.isEmpty }

  /// The metrics with errors above the tolerance.
  var verdict: String {
    guard isKnown else { return "not known" }
    let wrong: [String] = [("dropped", PageTable.Predicted.dropped), ("answers", .answer)]
      .compactMap {
        if case .off(let span) = fault($1) { "\($0) \(span)" } else { nil }
      }
    return wrong.isEmpty ? "holds" : "off: \(wrong.joined(separator: "; "))"
  }

  /// The error of the prediction, if it is above the tolerance and outside the range of the recordings.
  func fault(_ metric: PageTable.Predicted) -> Fault {
    func values(_ figures: [PageFigures]) -> [Double] {
      metric == .dropped ? figures.dropped : figures.compactMap(\.answer)
    }
    let came = values(recorded)
    guard let seen = came.median, let least = came.min(), let most = came.max(),
      let said = values(predicted).median
    else { return .unknown }
    let part = abs(seen) * PageTable.maxPercent / 100
    let allowed = metric == .dropped ? max(PageTable.maxPoints, part) : part
    guard abs(said - seen) > allowed, !(least...most).contains(said) else { return .none }
    return switch metric {
    case .dropped: .off("by \(Decimal.text(said - seen, places: 1)) points")
    case .answer: .off("by \(Decimal.text(said - seen, places: 0)) ms")
    }
  }
}

extension [PageFigures] {
  fileprivate var dropped: [Double] { map(\.droppedPercent) }
}

/// The advice for each page with everything on the main thread, and recordings of it.
struct PageAdviceTable {
  let lines: [PageTable.Line]
  /// By page, the advice in words.
  let words: [String: String]

  /// The limit for dropped vsyncs, in percent.
  static let maxDropped = 1.0

  /// The recorded variants that follow the advice.
  init(_ rows: [PageOutcome], words: [String: String]) {
    lines = PageTable(rows).lines.filter {
      $0.variant == PageVariant.advised && !$0.recorded.isEmpty
    }
    self.words = words
  }

  /// Empty without such recordings.
  var markdown: String {
    guard !lines.isEmpty else { return "" }
    let most = Decimal.text(Self.maxDropped, places: 0)
    return MarkdownTable.text(
      ["page", "advice", "address", "dropped, %, predicted", "recorded", "at most \(most) %"],
      lines.map { line in
        let recorded = line.recorded.map(\.droppedPercent)
        let met = recorded.count { $0 <= Self.maxDropped }
        return [
          line.page, words[line.page] ?? "", PageTable.address(line.placement),
          PageTable.spread(line.predicted.map(\.droppedPercent)),
          recorded.map { Decimal.text($0, places: 2) }.joined(separator: ", "),
          met == recorded.count ? "in all \(met)" : "in \(met) of \(recorded.count)",
        ]
      })
  }
}
