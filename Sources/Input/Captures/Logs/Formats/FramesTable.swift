import FrameBudget
import FrameBudgetParsing

/// The project's own per-frame CSV (`--frames`): reconstructs the exact row of every run in it.
struct FramesTable: LogTable {
  private let requested: RefreshRate?
  private let columns: FramesColumns
  private let key: [Int]
  private var streams = StreamTable(limit: StreamTable.maxRuns)
  private var runs: [OwnRun] = []

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    guard header.names.contains(RunKey.schema.name),
      let columns = try? FramesColumns(header.names, .instants)
    else { return nil }
    requested = refresh
    self.columns = columns
    let keys: [RunKey] = [.scenario, .strategy, .options, .changes, .engine, .repetition]
    key = keys.map(columns.place)
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    try columns.require(fields)
    let places = key
    let stream = try streams.index(
      of: places, in: fields, line, refresh: nil, clock: .vsyncs
    ) { fields, line in
      let texts = places.map { fields.plain($0, of: line) }
      return StreamKey(
        process: texts[0], swapChain: texts.dropFirst().joined(separator: " "), app: "")
    }
    var otherCause: String?
    let frame = try columns.frame(fields, line, otherCause: &otherCause)
    if stream == runs.count {
      runs.append(
        OwnRun(
          refresh: try columns.refresh(fields, line),
          duration: try columns.duration(fields, line), first: frame,
          knowsPipeline: columns.havePipeline, requested: requested))
    }
    try runs[stream].add(frame, otherCause: otherCause)
  }

  consuming func finish() -> [ImportedFrames] {
    zip(streams.keys, runs).map { $1.imported($0) }
  }
}
