import FrameBudget
import Parsing

/// A format of frame logs that is a table: sees each line once, keeps only tallies.
protocol LogTable {
  static var format: LogFormat { get }
  /// Nil unless the line split into `header` is where a log of this format begins.
  init?(_ header: LogHeader, refresh: RefreshRate?)
  /// Takes in a line that is not empty.
  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError)
  consuming func finish() throws(InputError) -> [ImportedFrames]
}
