internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing

/// A recording of a page of `make browser`, or a prediction for one.
struct PageOutcome: Equatable {
  enum Kind: String {
    /// `predicted` is from a recording of the first variant.
    case recorded, predicted
    /// The recording's own replay.
    case replayed
    /// Predicted from a recording of the variant before, which has fewer services in Workers.
    case continued
  }

  let page: String
  let variant: String
  let placement: PagePlacement
  let kind: Kind
  /// The number of the recording, or of that from which it was predicted.
  let run: Int
  let figures: PageFigures
}

/// Figures of frames and answers.
struct PageFigures: Equatable {
  /// Vsyncs that wanted a frame.
  let wanted: Int
  let dropped: Int
  /// Frames that began more than a period behind their vsync.
  let lateBegins: Int
  /// The 98th percentile of answers in milliseconds; nil if the page did not measure answers.
  let answer: Double?

  /// In percent of the vsyncs that wanted a frame.
  var droppedPercent: Double { 100 * Double(dropped) / Double(max(1, wanted)) }
}

/// Rows as CSV.
enum PageFile {
  static let name = "runs.csv"

  static let head = [
    "variant", "placement", "kind", "run", Metric.expectedFrames.name, Metric.droppedFrames.name,
    Metric.lateBegins.name, "page", "answer_ms_p98",
  ]

  static func text(_ rows: [PageOutcome]) -> String {
    let lines = rows.map { row in
      let figures = row.figures
      return [row.variant, row.placement.query, row.kind.rawValue]
        + [row.run, figures.wanted, figures.dropped, figures.lateBegins].map { "\($0)" }
        + [row.page, figures.answer.map { Decimal.text($0, places: 3) } ?? ""]
    }
    return ([head] + lines).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  /// The rows of a file that `text` wrote; empty if the file does not exist.
  static func rows(_ file: URL) throws -> [PageOutcome] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    var records = CSVRecords(try ByteSource(path: file.path))
    var all: [[String]] = []
    try records.forEach { (fields) throws(InputError) in all.append(fields) }
    guard all.first == head else {
      throw InputError("is not a table of the pages", file: file.path)
    }
    return try all.dropFirst().map { fields in
      guard fields.count == head.count, let kind = PageOutcome.Kind(rawValue: fields[2]),
        case let numbers = fields[3..<7].compactMap({ Int($0) }), numbers.count == 4,
        fields[8].isEmpty || Double(fields[8]) != nil
      else { throw InputError("has a broken line", file: file.path) }
      return PageOutcome(
        page: fields[7], variant: fields[0], placement: try PagePlacement(query: fields[1]),
        kind: kind,
        run: numbers[0],
        figures: PageFigures(
          wanted: numbers[1], dropped: numbers[2], lateBegins: numbers[3], answer: Double(fields[8])
        ))
    }
  }
}
