public import FrameBudget
public import Parsing

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
      (format, streams) = try LogFormat.read(source, refresh: refresh)
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
}
