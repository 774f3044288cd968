import FrameBudget
import FrameBudgetParsing

/// The CSV of Unreal Engine's CSV profiler (5.2, `CsvProfiler.cpp`): a row per frame with times in milliseconds, of which
/// `FrameTime` is that from one frame of the game thread to the next.
///
/// Facts about the machine follow the last frame, as `[name],value,...`, the command line last. If columns were added meanwhile, the header is repeated
/// before them, and rows may be longer than the first one.
struct UnrealTable: LogTable {
  private let width: Int
  private let frameTime: TimeColumn
  private var tally: FrameTally
  private var hasEnded = false
  private var machine = ""

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
    if first.hasPrefix("[") { machine = Self.machine(fields, line) }
    if first.hasPrefix("[") || first.lowercased() == "events" { hasEnded = true }
    guard !hasEnded else { return }
    try fields.require(width)
    tally.issues.row()
    let time = try fields.time(frameTime, of: line)
    tally.frame(lasting: time, frameTime, fields, line, number: number)
  }

  /// The processor or, of a phone or console, the device; empty if no fact says it. A comma in a value is written as `&#44;`.
  private static func machine(_ fields: CSVFields, _ line: Span<UInt8>) -> String {
    for place in stride(from: 0, to: fields.count - 1, by: 2) {
      let name = fields.text(place, of: line).lowercased()
      // The command line may have anything in it, commas as well.
      if name == "[commandline]" { return "" }
      if name == "[cpu]" { return fields.text(place + 1, of: line).replacing("&#44;", with: ",") }
    }
    return ""
  }

  consuming func finish() -> [ImportedFrames] {
    [
      ImportedFrames(
        StreamKey(process: "Unreal", machine: machine), tally, showsDisplay: false)
    ]
  }
}
