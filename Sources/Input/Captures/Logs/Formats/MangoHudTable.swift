import FrameBudget
import FrameBudgetParsing

/// MangoHud's log (`logging.cpp`, commit 021df9b): `fps,frametime,…,elapsed` after a few lines about the machine.
///
/// Frame times are in milliseconds, before version 0.7 in microseconds; the frame rate beside them shows which. They are the
/// app's times, not the screen's. With a log interval the log has only samples.
struct MangoHudTable: LogTable {
  private let machine: String
  private let width: Int
  private let rate: Int
  private let frameTime: Int
  private let elapsed: TimeColumn?
  private var places: Int?
  private var tally: FrameTally

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    guard let rate = header.column("fps"), let frameTime = header.column("frametime"),
      header.column("swapchainaddress") == nil
    else { return nil }
    machine = header.machine
    width = header.names.count
    self.rate = rate
    self.frameTime = frameTime
    elapsed = header.time(("elapsed", 0))
    tally = FrameTally(refresh: refresh, clock: .app)
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    try fields.require(width)
    tally.issues.row()
    if let elapsed { try tally.note(instant: fields.instant(elapsed, of: line)) }
    let column = TimeColumn(index: frameTime, places: try places(fields, line))
    let time = try fields.time(column, of: line)
    tally.frame(lasting: time, column, fields, line, number: number)
  }

  /// 6 for milliseconds, 3 for microseconds: at `f` frames a second a frame takes 1000 / f ms.
  private mutating func places(
    _ fields: CSVFields, _ line: Span<UInt8>
  ) throws(InputError) -> Int {
    if let places { return places }
    let rate = try fields.time(TimeColumn(index: rate, places: 3), of: line).value ?? 0
    let time = try fields.time(TimeColumn(index: frameTime, places: 3), of: line).value ?? 0
    guard rate > 0, time > 0 else { return 6 }
    let chosen = Double(rate) * Double(time) / 1e6 > 30_000 ? 3 : 6
    places = chosen
    return chosen
  }

  consuming func finish() -> [ImportedFrames] {
    [
      ImportedFrames(
        StreamKey(process: "MangoHud", machine: machine), tally, showsDisplay: false)
    ]
  }
}
