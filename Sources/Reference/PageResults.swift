internal import Advice
internal import Foundation
internal import FrameBudget
internal import Learning
internal import Parsing
internal import Recordings
internal import Replaying
internal import Simulation

/// What `make browser` leaves of a folder of recordings: tables in that folder, what is advised, and what there is to
/// read on a terminal.
struct PageResults {
  private let folder: URL
  private let series: PageSeries

  static let adviceFile = "advice.txt"
  /// As `variants.txt` has those that are there without advice.
  static let advisedFile = "advised.txt"

  init(_ project: URL, _ folder: URL) throws {
    self.folder = folder
    series = try PageSeries(folder, PageVariant.all(in: project))
  }

  func write() throws {
    try write(PageFile.text(series.rows), to: PageFile.name)
    print(PageTable(series.rows).markdown)
    guard let advice = series.advice else { return }
    let words = advice.words.joined(separator: "; ")
    try write(words + "\n", to: Self.adviceFile)
    guard let placement = advice.placement else {
      try? FileManager.default.removeItem(at: folder.appending(component: Self.advisedFile))
      print("advice: \(words.isEmpty ? "" : "\(words); ")\(advice.reason)")
      return
    }
    try write("\(PageVariant.advised) \(placement.query)\n", to: Self.advisedFile)
    print(PageAdviceTable(series.rows, words: words)?.markdown ?? "advice: \(words)")
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(component: name), options: .atomic)
  }

  /// The tables of what was published, for the pages on learning and on advice; empty where nothing was.
  static func published(in results: URL) throws -> (variants: String, advised: String) {
    let folder = results.appending(component: "browser")
    let rows = try PageFile.rows(folder.appending(component: PageFile.name))
    let file = folder.appending(component: adviceFile)
    let words = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let table = PageAdviceTable(rows, words: words.split(separator: "\n").joined())
    return (PageTable(rows).markdown, table?.markdown ?? "")
  }
}

/// Recordings of the page of `make browser`, and what those of its first variant, with everything on the main thread, let
/// predict of all others.
struct PageSeries {
  private let folder: URL
  private let variants: [PageVariant]
  private(set) var rows: [PageOutcome] = []
  /// What is advised for the first variant, as its first recording shows it.
  private(set) var advice: PageAdvice?

  /// - Parameters:
  ///   - folder: where `VARIANT-RUN.json.gz` are.
  ///   - variants: those that were recorded.
  /// - Throws: what a recording lacks, or is too much for a scenario.
  init(_ folder: URL, _ variants: [PageVariant]) throws {
    (self.folder, self.variants) = (folder, variants)
    guard let source = variants.first else { return }
    let learned = try learners(of: source)
    guard let first = learned.first else { throw NoRecording(folder: folder) }
    let advice = try PageAdvice(LearnedReplay(first.learner).scenario)
    self.advice = advice
    let advised = advice.placement.map { PageVariant(name: PageVariant.advised, placement: $0) }
    for variant in variants + [advised].compactMap(\.self) {
      let recorded = variant == source ? learned : try learners(of: variant)
      rows += recorded.map { run, learner in
        PageOutcome(
          variant: variant.name, placement: variant.placement, kind: .recorded, run: run,
          figures: PageFigures(
            wanted: learner.wantedFrames, dropped: learner.droppedFrames,
            lateBegins: learner.lateBegins))
      }
      rows += try learned.map { run, learner in
        PageOutcome(
          variant: variant.name, placement: variant.placement, kind: .predicted, run: run,
          figures: try Self.prediction(learner, variant))
      }
    }
  }

  private func learners(of variant: PageVariant) throws -> [(run: Int, learner: Learner)] {
    var learners: [(run: Int, learner: Learner)] = []
    while case let run = learners.count + 1,
      case let file = folder.appending(component: "\(variant.name)-\(run).json.gz"),
      FileManager.default.fileExists(atPath: file.path)
    {
      let recording = try RecordingFile.read(path: file.path)
      guard let learner = Learner(recording, name: variant.name, source: file.lastPathComponent)
      else { throw RecordingTable.NothingLearned(file: file.lastPathComponent) }
      learners.append((run, learner))
    }
    return learners
  }

  private static func prediction(
    _ learner: Learner, _ variant: PageVariant
  ) throws -> PageFigures {
    let name = "of-the-page"
    let replay = try LearnedReplay(
      learner, adding: variant.placement.strategy(named: name))
    guard let log = replay.run(name, detail: .summary) else {
      preconditionFailure("a strategy that was added is one of the scenario's")
    }
    let frames = RunMetrics(log).frames
    return PageFigures(
      wanted: frames.expected, dropped: frames.dropped, lateBegins: frames.lateBegins)
  }

  struct NoRecording: Error, CustomStringConvertible {
    let folder: URL
    var description: String { "\(folder.path) has no recording of the page" }
  }
}

/// What is advised for the page, and where the page has its services then.
struct PageAdvice {
  let words: [String]
  /// Nil where there is nothing to change, and where no page can do it.
  let placement: PagePlacement?
  /// Why there is none.
  let reason: String

  init(_ scenario: Scenario) throws {
    let proposals = scenario.strategies.first.map { today in
      var request = AdviceRequest(scenario, today: today)
      // What is in no service of the page is the page's own: its timers, and what takes results in.
      for service in scenario.services where !PagePlacement.services.contains(service.name) {
        request.kept[service.name] = .main
      }
      return Adviser(request).advice().proposals
    }
    guard let first = proposals?.first else {
      (words, placement, reason) = ([], nil, "there is no advice")
      return
    }
    words = first.trial.words
    do {
      placement = try PagePlacement(first.trial.arrangement, of: scenario)
      reason = ""
    } catch let unknown as PagePlacement.Unknown {
      (placement, reason) = (nil, unknown.description)
    }
  }
}

/// A recording of the page of `make browser`, or what was predicted of one.
struct PageOutcome: Equatable {
  enum Kind: String {
    case recorded, predicted
  }

  let variant: String
  let placement: PagePlacement
  let kind: Kind
  /// Which recording it is, or which one of the first variant it was predicted from.
  let run: Int
  let figures: PageFigures
}

/// What became of frames.
struct PageFigures: Equatable {
  /// Vsyncs that wanted a frame.
  let wanted: Int
  let dropped: Int
  /// Frames that began more than a period behind their vsync.
  let lateBegins: Int

  /// In percent of the vsyncs that wanted a frame.
  var droppedPercent: Double { 100 * Double(dropped) / Double(max(1, wanted)) }
  var latePercent: Double { 100 * Double(lateBegins) / Double(max(1, wanted)) }
}

/// Rows as CSV.
enum PageFile {
  static let name = "runs.csv"

  static let head = [
    "variant", "placement", "kind", "run", Metric.expectedFrames.name, Metric.droppedFrames.name,
    Metric.lateBegins.name,
  ]

  static func text(_ rows: [PageOutcome]) -> String {
    let lines = rows.map { row in
      let figures = row.figures
      return [row.variant, row.placement.query, row.kind.rawValue]
        + [row.run, figures.wanted, figures.dropped, figures.lateBegins].map { "\($0)" }
    }
    return ([head] + lines).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  /// What `text` wrote into a file; none where there is no such file.
  static func rows(_ file: URL) throws -> [PageOutcome] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    var records = CSVRecords(try ByteSource(path: file.path))
    var all: [[String]] = []
    try records.forEach { (fields) throws(InputError) in all.append(fields) }
    guard all.first == head else { throw InputError("is no table of the page", file: file.path) }
    return try all.dropFirst().map { fields in
      guard fields.count == head.count, let kind = PageOutcome.Kind(rawValue: fields[2]),
        case let numbers = fields[3...].compactMap({ Int($0) }), numbers.count == 4
      else { throw InputError("has a broken line", file: file.path) }
      return PageOutcome(
        variant: fields[0], placement: try PagePlacement(query: fields[1]), kind: kind,
        run: numbers[0],
        figures: PageFigures(wanted: numbers[1], dropped: numbers[2], lateBegins: numbers[3]))
    }
  }
}
