import FrameBudget
import FrameBudgetParsing

/// The `benchmarkData.json` of AndroidX Macrobenchmark (`BenchmarkData.kt`, commit 1edea95; `FrameTimingMetric`): for each benchmark and iteration, how long the
/// app took for each frame (`frameDurationCpuMs`), and by how much it missed its deadline (`frameOverrunMs`).
struct BenchmarkDataLog {
  private var machine = ""
  private var runs: [(benchmark: String, run: Int, tally: FrameTally)] = []

  var hasFrames: Bool { !runs.isEmpty }

  mutating func readContext(_ reader: inout JSONReader) throws(InputError) {
    guard try reader.kind() == .object else { return try reader.skip() }
    var names: [String] = []
    try reader.object { (reader, key) throws(InputError) in
      guard key == "build", try reader.kind() == .object else { return try reader.skip() }
      try reader.object { (reader, key) throws(InputError) in
        if ["brand", "model", "device"].contains(key), try reader.kind() == .string {
          names.append(try reader.string())
        } else {
          try reader.skip()
        }
      }
    }
    machine = names.joined(separator: " ")
  }

  mutating func read(_ reader: inout JSONReader) throws(InputError) {
    guard try reader.kind() == .array else { return try reader.skip() }
    var found: [(benchmark: String, run: Int, tally: FrameTally)] = []
    try reader.array { (reader) throws(InputError) in
      let benchmark = try Benchmark(&reader)
      found += benchmark.tallies.enumerated().map { (benchmark.name, $0 + 1, $1) }
      guard found.count <= StreamTable.maxRuns else { throw reader.failure("too many runs") }
    }
    runs = found
  }

  consuming func finish() -> [ImportedFrames] {
    let machine = machine
    return runs.map { name, run, tally in
      ImportedFrames(
        StreamKey(process: name, run: run, machine: machine), tally,
        showsDisplay: false, doubt: FrameTally.noImages)
    }
  }
}

/// A benchmark, with its frames by iteration.
private struct Benchmark {
  private(set) var name = ""
  private var durations: [[Int64]] = []
  private var overruns: [[Int64]] = []

  init(_ reader: inout JSONReader) throws(InputError) {
    var benchmark = self
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "name": benchmark.name = try reader.string()
      case "sampledMetrics" where try reader.kind() == .object:
        try reader.object { (reader, key) throws(InputError) in
          switch key {
          case "frameDurationCpuMs": benchmark.durations = try Self.runs(&reader)
          case "frameOverrunMs":
            benchmark.overruns = try Self.runs(&reader, in: Self.overruns)
          default: try reader.skip()
          }
        }
      default: try reader.skip()
      }
    }
    self = benchmark
  }

  /// A frame may end before its deadline.
  private static let overruns = -InputTime.frames.upperBound...InputTime.frames.upperBound

  private static func runs(
    _ reader: inout JSONReader, in allowed: ClosedRange<Int64> = InputTime.frames
  ) throws(InputError) -> [[Int64]] {
    var runs: [[Int64]] = []
    try reader.object { (reader, key) throws(InputError) in
      guard key == "runs" else { return try reader.skip() }
      try reader.array { (reader) throws(InputError) in
        guard runs.count < StreamTable.maxRuns else { throw reader.failure("too many runs") }
        runs.append(try reader.spans(places: 6, in: allowed))
      }
    }
    return runs
  }

  var tallies: [FrameTally] {
    (0..<max(durations.count, overruns.count)).map { run in
      var tally = FrameTally(refresh: nil, clock: .app)
      for span in run < durations.count ? durations[run] : [] {
        tally.issues.row()
        tally.spans.productions.add(span)
      }
      for span in run < overruns.count ? overruns[run] : [] { tally.spans.overruns.add(span) }
      return tally
    }
  }
}
