import FrameBudget
import FrameBudgetParsing

@testable import FrameBudgetCaptures

/// Frame logs of a known format.
enum LogParsing {
  private static let refresh = RefreshRate(60)

  /// Reads a table of one format, without the detection of the format.
  static func table<Table: LogTable>(
    _: Table.Type, _ source: consuming ByteSource
  ) throws(InputError) {
    var lines = LineReader(source)
    var table: Table?
    try lines.forEachWhile { (line, _) throws(InputError) in
      var fields = CSVFields()
      try fields.split(line)
      table = Table(LogHeader(fields.texts(of: line)), refresh: refresh)
      return table == nil
    }
    if let table { check(try table.read(from: &lines)) }
  }

  /// Reads JSON whose member `key` is what makes it a log of one format.
  static func member(_ key: String, _ value: [UInt8]) throws(InputError) {
    let object = Array("{\"\(key)\":".utf8) + value + [UInt8(ascii: "}")]
    try log(ByteSource(object, name: key))
  }

  /// Reads an export of Instruments, without the detection of the format.
  static func exported(_ source: consuming ByteSource) throws(InputError) {
    check(try XctraceLog.read(source, refresh: refresh))
  }

  static func log(_ source: consuming ByteSource) throws(InputError) {
    check(try ImportedLog(source, refresh: refresh).streams)
  }

  /// Reads a packed file to its end.
  static func unpack(_ source: consuming ByteSource) throws(InputError) {
    try source.unpack()
    _ = try source.readBinary(limit: 1 << 26)
  }

  /// Invariants of every log that was read without an error.
  private static func check(_ streams: [ImportedFrames]) {
    for stream in streams {
      precondition(stream.rows >= 0 && stream.displayChanges ?? 0 <= stream.rows)
      for (name, value) in stream.values {
        guard let number = value.number else { continue }
        // A frame may end before its deadline.
        precondition(number.isFinite && (number >= 0 || name.contains("_overrun_ms_")))
      }
      precondition(stream.warnings.allSatisfy { !$0.contains("\n") }, "a warning of several lines")
    }
  }
}
