import FrameBudget
import FrameBudgetParsing

/// A CSV with a column `timestamp`, when a frame was shown, and optionally `target`, when the next frame was due.
///
/// `CADisplayLink` has both, in seconds; a name such as `timestamp_ms` has another unit.
struct TimestampTable: LogTable {
  private let process: String
  private let width: Int
  private let timestamp: TimeColumn
  private let target: TimeColumn?
  private var tally: FrameTally
  private var previous: Int64?

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    guard let timestamp = Self.column("timestamp", header) else { return nil }
    self.init(
      FrameTally(refresh: refresh, clock: .screen), of: "app", width: header.names.count,
      timestamp: timestamp, target: Self.column("target", header))
  }

  init(
    _ tally: FrameTally, of process: String, width: Int, timestamp: TimeColumn,
    target: TimeColumn? = nil
  ) {
    (self.tally, self.process, self.width) = (tally, process, width)
    (self.timestamp, self.target) = (timestamp, target)
  }

  private static func column(_ name: String, _ header: LogHeader) -> TimeColumn? {
    header.time(
      (name, 9), ("\(name)_s", 9), ("\(name)_ms", 6), ("\(name)_us", 3), ("\(name)_ns", 0))
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    try fields.require(width)
    tally.issues.row()
    guard let now = try fields.instant(timestamp, of: line) else {
      tally.issues.missed()
      return
    }
    try tally.note(instant: now)
    count(now, fields, line, number)
    previous = now
    if let target, let due = try fields.instant(target, of: line) { expect(due, at: now) }
  }

  private mutating func count(
    _ now: Int64, _ fields: CSVFields, _ line: Span<UInt8>, _ number: Int
  ) {
    guard let previous else { return tally.shown(after: nil) }
    let interval = tally.span(
      .value(now - previous), timestamp, fields, line, number: number)
    if let interval, interval > 0 { tally.frame(interval) }
    tally.shown(after: interval)
  }

  /// Uses the time to the next target as the period, if it is possible for a display: 1 to 1000 Hz.
  private mutating func expect(_ due: Int64, at now: Int64) {
    if let refresh = RefreshRate(period: .nanoseconds(due - now)) { tally.use(refresh) }
  }

  consuming func finish() -> [ImportedFrames] {
    [ImportedFrames(StreamKey(process: process), tally, showsDisplay: tally.clock == .screen)]
  }
}
