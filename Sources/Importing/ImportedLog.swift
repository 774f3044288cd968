public import FrameBudget
public import Parsing
internal import Recordings

/// A frame log of this or another tool, recognised by its content.
public struct ImportedLog: Sendable {
  public let file: String
  public let format: LogFormat
  /// In the order in which they first appear.
  public let streams: [ImportedFrames]

  /// Reads the log from `source`; `refresh` is the display's rate where the log does not say it.
  public init(_ source: consuming ByteSource, refresh: RefreshRate?) throws(InputError) {
    file = source.name
    do {
      try source.inflateIfCompressed()
      let opening = try source.peek(4096)
      if JSONReader.isJSON(opening) {
        (format, streams) = try JSONLog.read(source, refresh: refresh)
      } else if opening.contains(where: { $0 < 9 }), FrameTimelineFile.isPerfetto(opening) {
        // No text has such bytes, but one may begin like a message.
        (format, streams) = (.frameTimeline, try FrameTimelineLog.read(source))
      } else {
        (format, streams) = try Self.table(source, refresh: refresh)
      }
    } catch {
      throw error.of(file)
    }
    guard streams.contains(where: { $0.rows > 0 }) else {
      throw InputError("holds no frames", file: file)
    }
    guard !streams.contains(where: \.areShuffled) else {
      throw InputError("its rows are not in the order of time; sort them first", file: file)
    }
    guard !streams.contains(where: \.isTooLong) else {
      throw InputError("its frame times add up to more than 73 years", file: file)
    }
  }

  /// The known header lies within so many lines: MangoHud writes its machine first, dumpsys a greeting.
  private static let longestPreamble = 200

  private static func table(
    _ source: consuming ByteSource, refresh: RefreshRate?
  ) throws(InputError) -> (LogFormat, [ImportedFrames]) {
    var lines = LineReader(source)
    var table: (any LogTable)?
    try lines.forEachWhile { (line, number) throws(InputError) in
      table = recognise(line, refresh: refresh)
      return table == nil && number < longestPreamble
    }
    guard let table else { throw unknown }
    return (type(of: table).format, try read(table, from: &lines))
  }

  /// Generic rather than over any table: a value in a box would be copied for each line.
  static func read<Table: LogTable>(
    _ table: consuming Table, from lines: inout LineReader
  ) throws(InputError) -> [ImportedFrames] {
    var table = table
    var fields = CSVFields()
    try lines.forEach { (line, number) throws(InputError) in
      if line.isEmpty { return }
      do throws(InputError) {
        try fields.split(line)
        try table.row(fields, line, number: number)
      } catch {
        throw InputError(error.reason, line: number)
      }
    }
    return try table.finish()
  }

  private static func recognise(
    _ line: Span<UInt8>, refresh: RefreshRate?
  ) -> (any LogTable)? {
    var fields = CSVFields()
    guard (try? fields.split(line)) != nil else { return nil }
    let header = LogHeader(fields.texts(of: line))
    return PresentMonTable(header, refresh: refresh) ?? MangoHudTable(header, refresh: refresh)
      ?? FrameStatsTable(header, refresh: refresh) ?? FramesTable(header, refresh: refresh)
      ?? TimestampTable(header, refresh: refresh)
  }

  static var unknown: InputError {
    InputError("is no frame log that is known; read are \(LogFormat.known)")
  }
}
