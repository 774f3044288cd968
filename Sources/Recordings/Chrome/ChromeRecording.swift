internal import FrameBudget
internal import Parsing

/// Recordings in Chrome's trace format.
struct ChromeRecording: RecordingReader {
  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads {
    var events = ChromeEvents()
    var indexer = ChromeIndexer()
    var reader = try JSONReader(try input.open())
    try events.read(&reader) { (reader, _) throws(InputError) in
      try reader.skip()
    } event: { (events, event, reader) throws(InputError) in
      guard event.instant.magnitude <= Self.latest, event.length <= Self.longest else {
        throw reader.failure("the event's time is out of range")
      }
      indexer.take(event)
      guard indexer.count <= Self.mostThreads else { throw reader.failure("too many threads") }
    }
    return try indexer.found()
  }

  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording {
    var events = ChromeEvents()
    var gatherer = ChromeGatherer(
      process: process.number, counts: found.counts(of: process.number))
    var reader = try JSONReader(try input.open())
    try events.read(&reader) { (reader, key) throws(InputError) in
      if key == "metadata", try reader.kind() == .object {
        try gatherer.readMetadata(&reader)
      } else {
        try reader.skip()
      }
    } event: { (events, event, reader) throws(InputError) in
      gatherer.take(event)
      guard gatherer.kept <= Self.most else {
        throw reader.failure(
          "more than \(Self.most) slices of one process; record a shorter time")
      }
    }
    return gatherer.gathered(
      format: found.index.format, process: process, names: events.names.names, begin: found.begin)
  }

  /// Instants beyond this, 36 years from 0, are broken numbers; sums and differences of what is within fit into 64 bits.
  private static let latest: Int64 = 1 << 60
  /// A day: a slice that took longer is a broken number.
  private static let longest: Int64 = 86_400_000_000_000
  private static let mostThreads = 1 << 16
  /// A bound on memory for files that lie.
  private static let most = 1 << 25
}
