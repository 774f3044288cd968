internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// The numbers of platforms for one run, drawn to scale.
struct PlatformTable {
  private let run: RunMetrics

  /// A column of the picture is a millisecond.
  private static let drawn = 110
  private static let refresh = RefreshRate(100)

  /// The page; its other parts are written by hand.
  static func page(in project: URL) -> URL {
    project.appending(components: "results", "reference", "platforms.md")
  }

  /// When the user acts, in milliseconds; the second frame shows the response.
  private static let input: Int64 = 34

  /// The numbers that the platforms' own tools would print for this run, by their names; calculated by hand where they may
  /// differ from ours.
  /// another number than ours.
  static let theirs: [String: String] = [
    // The second frame came at 70 and was expected at 30; no other one was late. 40 of 110 ms.
    "hitch time ratio": "363.636 ms/s",
    "Microhang": "0", "Hang": "0", "Severe Hang": "0",
    // Their deadlines are earlier, by a span that differs between devices.
    "frameOverrunMs P50": "later by SurfaceFlinger's share",
    "frameOverrunMs P90": "later by SurfaceFlinger's share",
    "frameOverrunMs P95": "later by SurfaceFlinger's share",
    "frameOverrunMs P99": "later by SurfaceFlinger's share",
    // The deadline is 20 ms after a frame's vsync, so 55 ms is also more than twice the deadline.
    "isJank": "1",
    // One of five frames (5, 55, 12, 5 and 0 ms) took longer than 16 ms.
    "slow frames": "20 %", "frozen frames": "0 %",
    "INP": "56 ms", "inputDelay": "36 ms", "processingDuration": "12 ms",
    "presentationDelay": "8 ms", "long tasks": "1", "Total Blocking Time": "5 ms",
    // The last of five, at positions 3.6 and 3.96 of 0 to 4.
    "90th percentile frame build time": "55 ms", "99th percentile frame build time": "55 ms",
    "90th percentile frame rasterizer time": "4 ms",
    "99th percentile frame rasterizer time": "4 ms",
    // Frames are ready, and so presented, at 9, 69, 86, 99 and 104: four times in 95 ms, the longest of them 60.
    "average FPS": "42.105 frames/s", "1 % low (integral)": "16.667 frames/s",
    "0.1 % low (integral)": "16.667 frames/s",
    // Images 50, 20 and 20 ms apart, begun 10, 60 and 20 ms apart. The first image has no error there; ours has 0.
    "average of MsAnimationError": "26.667 ms", "99th percentile of MsAnimationError": "40 ms",
    "largest MsAnimationError": "40 ms",
  ]

  /// Five frames, the second of which takes more than five periods; the third has the handlers of an input.
  init() throws {
    let works: [(at: Int64, takes: Int64)] = [(0, 5), (10, 55), (Self.input, 12), (90, 5)]
    let workloads = works.enumerated().map { number, work in
      var workload = Workload(
        name: "work \(number)", arrival: .once(1, start: .milliseconds(work.at)),
        steps: [
          Step(
            name: "step", service: 0, load: .cpu(.constant(.milliseconds(work.takes))))
        ])
      workload.isInput = work.at == Self.input
      return workload
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
    var lines = [
      ("vsync", Canvas()), ("input", Canvas()), ("main thread", Canvas()),
      ("second stage", Canvas()),
    ]
    lines.append(("shown", Canvas()))
    for vsync in 0...Self.refresh.vsyncs(through: .zero + .milliseconds(Int64(Self.drawn))) {
      lines[0].1.write("\(vsync)", at: column(Self.refresh.vsync(vsync)))
    }
    lines[1].1.write("|", at: Int(Self.input))
    var before = Instant.zero
    for (number, frame) in records.enumerated() {
      let stage = max(frame.workEnd, before)
      before = frame.ready
      lines[2].1.fill(number, column(frame.begin)..<column(frame.workEnd))
      lines[3].1.fill(number, column(stage)..<column(frame.ready))
      if frame.presentVsync <= run.log.frames.vsyncs {
        lines[4].1.write("\(number)", at: column(Self.refresh.vsync(frame.presentVsync)))
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
      "platform", "its number", "theirs", "ours", "column", "formula", "bands",
      "where they differ, and why", "defined by",
    ]
    let rows = PlatformMetric.all.map { theirs in
      let metric = theirs.metric
      let value = run[metric].map { Decimal.text($0, places: 3) } ?? ""
      let unit = metric.unit == .none || metric.unit == .count ? "" : " \(metric.unit.rawValue)"
      let ours = value.isEmpty ? "" : value + unit
      return [
        theirs.set.title, theirs.theirs,
        theirs.difference.isEmpty ? ours : Self.theirs[theirs.theirs] ?? "", ours,
        "`\(metric.name)`", metric.formula, metric.bands.map { "\($0)" } ?? "", theirs.difference,
        "[\(theirs.source.name)](\(theirs.source.address))",
      ].map { $0.replacing("|", with: "\\|") }
    }
    return MarkdownTable.text(head, rows)
  }
}
