import FrameBudget
import Parsing

/// A CSV with a column `timestamp`, when a frame was shown, and optionally `target`, when the next was due.
///
/// `CADisplayLink` has both, in seconds; a name such as `timestamp_ms` says another unit.
struct TimestampTable: LogTable {
  static let format = LogFormat.timestamps

  private let width: Int
  private let timestamp: TimeColumn
  private let target: TimeColumn?
  private var tally: FrameTally
  private var previous: Int64?

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    guard let timestamp = Self.column("timestamp", header) else { return nil }
    width = header.names.count
    self.timestamp = timestamp
    target = Self.column("target", header)
    tally = FrameTally(refresh: refresh)
  }

  private static func column(_ name: String, _ header: LogHeader) -> TimeColumn? {
    header.time(
      (name, 9), ("\(name)_s", 9), ("\(name)_ms", 6), ("\(name)_us", 3), ("\(name)_ns", 0))
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    if line.isEmpty { return }
    try fields.require(width)
    tally.doubts.row()
    let time = try fields.time(timestamp, of: line)
    guard case .value(let now) = time else {
      tally.doubts.missed()
      return
    }
    try tally.note(instant: time)
    if let previous, let interval = interval(from: previous, to: now, fields, line, number) {
      tally.frame(interval)
      tally.shown(after: interval)
    }
    previous = now
    if let target, case .value(let due) = try fields.time(target, of: line) { expect(due, at: now) }
  }

  private mutating func interval(
    from previous: Int64, to now: Int64, _ fields: CSVFields, _ line: Span<UInt8>, _ number: Int
  ) -> Int64? {
    let (interval, overflow) = now.subtractingReportingOverflow(previous)
    let point = overflow ? FixedPoint.outOfRange : .value(interval)
    return tally.span(point, timestamp, fields, line, number: number)
  }

  /// Takes the time to the next target for the period, if a display could have it: 1 to 1000 Hz.
  private mutating func expect(_ due: Int64, at now: Int64) {
    let (period, overflow) = due.subtractingReportingOverflow(now)
    if !overflow, (1_000_000...1_000_000_000).contains(period) { tally.use(period: Double(period)) }
  }

  consuming func finish() -> [ImportedFrames] {
    [ImportedFrames(StreamKey(process: "app"), tally, showsDisplay: true)]
  }
}
