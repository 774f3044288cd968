import FrameBudget
import FrameBudgetParsing

/// Fraps's `frametimes.csv`, which other tools write, too (AMD's `FrameStatsLogger.cpp`, 2015): the number of each frame, and when the app presented it, in milliseconds since the first.
struct FrapsTable: LogTable {
  private var table: TimestampTable

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    guard header.names == ["frame", "time (ms)"] else { return nil }
    table = TimestampTable(
      FrameTally(refresh: refresh, clock: .app), of: "Fraps", width: 2,
      timestamp: TimeColumn(index: 1, places: 6))
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    try table.row(fields, line, number: number)
  }

  consuming func finish() -> [ImportedFrames] { table.finish() }
}
