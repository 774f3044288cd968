import FrameBudget
import FrameBudgetParsing
import FrameBudgetReports
import FrameBudgetScenarios

@testable import FrameBudgetCaptures

/// A fuzzed parser.
enum FuzzTarget: String, CaseIterable {
  // Each format of logs separately, so that every input reaches its parser; `logs` fuzzes the detection of the format.
  case presentmon, mangohud, capframex, framestats, chrome, timestamps
  case fraps, unreal, latency, benchmarks, xctrace, logs
  case flutterSummary = "flutter-summary"
  case ownFrames = "own-frames"
  // Each format of recordings begins with seeds of its own; the detection of the format is fuzzed with them.
  case chromeRecording = "recording-chrome"
  case flutterRecording = "recording-flutter"
  case systraceRecording = "recording-systrace"
  case perfettoRecording = "recording-perfetto"
  case instrumentsRecording = "recording-instruments"
  case firefoxRecording = "recording-firefox"
  case waylandRecording = "recording-wayland"
  case sysprofRecording = "recording-sysprof"
  case column, results, workloads, limits, proofs, run, frames, traces, replay
  case gates, scenarios, costs
  case advice, moves, shares, history, spans, sweeps, swept, rules, flows
  case frameTimeline = "frame-timeline"
  case unpacking
  // What a browser sends to a client of its DevTools.
  case websockets
  case pageReports = "page-reports"
  // What a Wayland client writes.
  case wayland

  func parse(_ bytes: [UInt8]) throws {
    let source = ByteSource(bytes, name: rawValue)
    switch self {
    case .presentmon: try LogParsing.table(PresentMonTable.self, source)
    case .mangohud: try LogParsing.table(MangoHudTable.self, source)
    case .framestats: try LogParsing.table(FrameStatsTable.self, source)
    case .ownFrames: try LogParsing.table(FramesTable.self, source)
    case .timestamps: try LogParsing.table(TimestampTable.self, source)
    case .fraps: try LogParsing.table(FrapsTable.self, source)
    case .unreal: try LogParsing.table(UnrealTable.self, source)
    case .latency: try LogParsing.table(LatencyTable.self, source)
    case .benchmarks: try LogParsing.member("benchmarks", bytes)
    case .xctrace: try LogParsing.exported(source)
    case .flutterSummary: try LogParsing.member("frame_build_times", bytes)
    case .capframex: try LogParsing.member("Runs", bytes)
    case .chrome: try LogParsing.member("traceEvents", bytes)
    case .logs: try LogParsing.log(source)
    case .chromeRecording, .flutterRecording, .systraceRecording, .perfettoRecording,
      .instrumentsRecording, .firefoxRecording, .waylandRecording, .sysprofRecording:
      try RecordingParsing.recording(bytes)
    case .column: _ = try RecordedColumn.read(source, column: "frametime")
    case .results, .workloads: try ResultParsing.results(source)
    case .limits: try ResultParsing.limits(source)
    case .proofs: try ResultParsing.proofs(source)
    case .run: try ResultParsing.run(source)
    case .frames: try ResultParsing.frames(source)
    case .traces: try ResultParsing.traces(source)
    case .replay: _ = try FramesFile(source)
    case .spans: try ResultParsing.spans(source)
    case .gates: _ = try Gate.gates(source)
    case .scenarios: _ = try ParsedScenario(bytes, file: "fuzz.yaml").scenario()
    case .costs: _ = try CostsFile.parse(bytes, file: "fuzz.json")
    case .advice: try ResultParsing.advice(source)
    case .moves: try ResultParsing.moves(bytes)
    case .shares: try ResultParsing.shares(source)
    case .history: try ResultParsing.history(source)
    case .sweeps: try ResultParsing.sweep(source)
    case .swept: try ResultParsing.swept(bytes)
    case .rules: _ = try NameRulesFile.parse(bytes, file: "fuzz.yaml")
    case .flows: _ = try UserFlow(parsing: bytes)
    case .frameTimeline: _ = try PerfettoFile(source)
    case .unpacking: try LogParsing.unpack(source)
    case .websockets:
      _ = try? HTTPAnswer(bytes)
      var messages = WebSocketMessages(limit: 1 << 16)
      messages.add(bytes)
      while try messages.next() != nil {}
    case .pageReports: _ = WindowReport(parsing: bytes)
    case .wayland:
      var (log, frames) = (WaylandLog(), WindowFrames(RefreshRate(60)))
      let now = ContinuousClock.now
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard let line = WaylandLine.last(in: Array(line))?.line else { continue }
        log.take(line)
        if log.choose() { frames = WindowFrames(log.refresh ?? RefreshRate(60)) }
        log.rest(at: log.now + Double(line.object % 64))
        let report = log.report(isResting: line.isRequest, isSilent: line.object % 2 == 1)
        frames.take(report, at: now)
        _ = frames.observation(at: now + .milliseconds(line.object % 1024))
      }
    }
  }
}
