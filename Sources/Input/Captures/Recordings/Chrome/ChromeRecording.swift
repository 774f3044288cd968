internal import FrameBudget
internal import FrameBudgetParsing

/// Recordings in Chrome's trace format.
struct ChromeRecording: RecordingReader {
  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads {
    var events = ChromeEvents()
    var indexer = ChromeIndexer()
    var reader = try JSONReader(try input.open())
    try events.read(&reader) { (reader, _) throws(InputError) in
      try reader.skip()
    } event: { (events, event, reader) throws(InputError) in
      try Self.check(event, reader)
      indexer.take(event)
      if let excess = RecordingLimits.excess(threads: indexer.count, names: events.namesSize) {
        throw reader.failure(excess)
      }
    }
    return try indexer.found()
  }

  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording {
    var events = ChromeEvents(
      namesFunctions: input.namesFunctions, namesEvents: input.namesEvents)
    var gatherer = ChromeGatherer(
      process: process.number, counts: found.counts(of: process.number),
      namesFunctions: input.namesFunctions)
    var reader = try JSONReader(try input.open())
    try events.read(&reader) { (reader, key) throws(InputError) in
      if key == "metadata", try reader.kind() == .object {
        try gatherer.readMetadata(&reader)
      } else {
        try reader.skip()
      }
    } event: { (events, event, reader) throws(InputError) in
      // Checked again, because another process may still be writing the file.
      try Self.check(event, reader)
      gatherer.take(event)
      if let excess = RecordingLimits.excess(kept: gatherer.kept, names: events.namesSize) {
        throw reader.failure(excess)
      }
    }
    return gatherer.gathered(
      format: found.index.format, process: process, names: events.names.names, begin: found.begin)
  }

  /// Throws if the event's time is out of range.
  private static func check(
    _ event: ChromeEvent, _ reader: borrowing JSONReader
  ) throws(InputError) {
    guard event.hasSafeTimes else { throw reader.failure("the event's time is out of range") }
  }
}
