import FrameBudget
import FrameBudgetParsing

/// The CSV of Unreal Engine's CSV profiler (5.5, `CsvProfiler.cpp`): a row per frame with times in milliseconds, of which
/// `FrameTime` is that from one frame of the game thread to the next.
///
/// Facts about the machine follow the last frame, as `[name],value,...`. If columns were added meanwhile, the header is repeated
/// before them, and rows may be longer than the first one.
struct UnrealTable: LogTable {
  private let width: Int
  private let frameTime: TimeColumn
  private var tally: FrameTally
  private var hasEnded = false

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    guard header.names.first == "events", let frameTime = header.time(("frametime", 6)) else {
      return nil
    }
    width = frameTime.index + 1
    self.frameTime = frameTime
    tally = FrameTally(refresh: refresh, clock: .app)
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    let first = fields.text(0, of: line)
    if first.hasPrefix("[") || first.lowercased() == "events" { hasEnded = true }
    guard !hasEnded else { return }
    try fields.require(width)
    tally.issues.row()
    let time = try fields.time(frameTime, of: line)
    tally.frame(lasting: time, frameTime, fields, line, number: number)
  }

  consuming func finish() -> [ImportedFrames] {
    [ImportedFrames(StreamKey(process: "Unreal"), tally, showsDisplay: false)]
  }
}
