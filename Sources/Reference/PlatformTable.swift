internal import Foundation
internal import FrameBudget
internal import Reports
internal import Scenarios
internal import Simulation

/// The numbers of platforms for one run, drawn to scale, on the documentation's page on metrics.
struct PlatformTable {
  private let run: RunMetrics

  /// A column of the picture is a millisecond.
  private static let drawn = 110
  private static let refresh = RefreshRate(100)

  /// The page, of which the rest is written by hand.
  static func page(in project: URL) -> URL {
    project.appending(components: "Documentation", "Metrics.md")
  }

  /// Four frames, the second of which takes more than five periods.
  init() throws {
    let works: [(at: Int64, takes: Int64)] = [(0, 5), (10, 55), (70, 12), (90, 5)]
    let workloads = works.enumerated().map { number, work in
      Workload(
        name: "work \(number)", arrival: .once(1, start: .milliseconds(work.at)),
        steps: [
          Step(
            name: "step", service: 0, load: .cpu(.constant(.milliseconds(work.takes))))
        ])
    }
    let pipeline = Pipeline(deadline: 2, buffers: 2, compositor: .constant(.milliseconds(4)))
    let scenario = Scenario(
      name: "to scale", display: Display(refresh: Self.refresh, pipeline: pipeline),
      duration: .milliseconds(Int64(Self.drawn)), services: [Service(name: "service")],
      workloads: workloads)
    let strategy = try StrategyCatalog.strategy("main-thread", for: scenario)
    let engine = VirtualEngine(costs: .none, detail: .frames)
    run = RunMetrics(engine.run(RunPlan(scenario, under: strategy)))
  }

  /// The picture, and below it a line for each number.
  var markdown: String { "\(picture)\n\(table)" }

  // MARK: To scale

  private var picture: String {
    let records = run.log.frames.records
    func column(_ instant: Instant) -> Int {
      Int((instant.sinceZero.inMilliseconds).rounded())
    }
    var lines = [("vsync", Canvas()), ("main thread", Canvas()), ("second stage", Canvas())]
    lines.append(("shown", Canvas()))
    for vsync in 0...Self.refresh.vsyncs(through: .zero + .milliseconds(Int64(Self.drawn))) {
      lines[0].1.write("\(vsync)", at: column(Self.refresh.vsync(vsync)))
    }
    var before = Instant.zero
    for (number, frame) in records.enumerated() {
      let stage = max(frame.workEnd, before)
      before = frame.ready
      lines[1].1.fill(number, column(frame.begin)..<column(frame.workEnd))
      lines[2].1.fill(number, column(stage)..<column(frame.ready))
      if frame.presentVsync <= run.log.frames.vsyncs {
        lines[3].1.write("\(number)", at: column(Self.refresh.vsync(frame.presentVsync)))
      }
    }
    let width = lines.map(\.0.count).max() ?? 0
    let text = lines.map { name, canvas in
      name + String(repeating: " ", count: width - name.count + 2) + canvas.text + "\n"
    }
    return "```\n\(text.joined())```\n"
  }

  /// A line of the picture.
  private struct Canvas {
    private var cells: [Character] = []

    var text: String { String(cells) }

    mutating func fill(_ number: Int, _ columns: Range<Int>) {
      for column in columns { write("\(number)", at: column) }
    }

    mutating func write(_ text: String, at column: Int) {
      for (offset, character) in text.enumerated() { put(character, column + offset) }
    }

    private mutating func put(_ character: Character, _ column: Int) {
      if column >= cells.count {
        cells += Array(repeating: " ", count: column + 1 - cells.count)
      }
      cells[column] = character
    }
  }

  // MARK: In numbers

  private var table: String {
    let head = [
      "platform", "its number", "here", "in this run", "formula", "bands", "where it differs",
      "defined by",
    ]
    let rows = PlatformMetric.all.map { theirs in
      let metric = theirs.metric
      let value = run[metric].map { Decimal.text($0, places: 3) } ?? ""
      let unit = metric.unit == .none || metric.unit == .count ? "" : " \(metric.unit.rawValue)"
      return [
        theirs.set.title, theirs.theirs, "`\(metric.name)`", value.isEmpty ? "" : value + unit,
        metric.formula, metric.bands.map { "\($0)" } ?? "", theirs.difference,
        "[\(theirs.source.name)](\(theirs.source.address))",
      ].map { $0.replacing("|", with: "\\|") }
    }
    return MarkdownTable.text(head, rows)
  }
}
