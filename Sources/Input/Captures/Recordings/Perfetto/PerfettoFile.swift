package import FrameBudgetParsing

/// What a Perfetto trace holds about frames: the processes in Android's FrameTimeline, or a browser's events.
package struct PerfettoFile {
  /// The numbers of processes with FrameTimeline's frames, in order.
  package let timelines: [Int]
  /// A browser's events about frames and pages, in the order of the file.
  package let browser: [ChromeEvent]
  /// By number.
  package let processes: [Int: String]

  /// Whether a file with these first bytes may be such a trace.
  package static func isPerfetto(_ opening: [UInt8]) -> Bool {
    PerfettoRecording.isPerfetto(opening)
  }

  package init(_ source: consuming ByteSource) throws(InputError) {
    var packets = PerfettoPackets(Gatherer())
    var records = WireRecords(source)
    try records.forEach(field: 1) { (packet, _) throws(InputError) in
      try packets.take(packet)
      if let excess = packets.sink.excess { throw InputError(excess) }
    }
    timelines = packets.sink.timelines.sorted()
    browser = packets.sink.browser
    processes = packets.sink.names
  }

  /// Keeps events of frames, and names.
  private struct Gatherer: PerfettoSink {
    private(set) var timelines: Set<Int> = []
    private(set) var names: [Int: String] = [:]
    private(set) var browser: [ChromeEvent] = []

    var excess: String? {
      RecordingLimits.excess(threads: timelines.count)
        ?? RecordingLimits.excess(kept: browser.count, names: 0)
    }

    mutating func take(_ event: FrameTimelineEvent, at instant: Int64) {
      if event.kind == .actualSurface { timelines.insert(event.process) }
    }

    mutating func describe(process: Int, name: String) { names[process] = name }

    mutating func describe(thread: Int, process: Int?, name: String?) {
      guard name == UIThread.chromeMain else { return }
      var event = ChromeEvent()
      (event.kind, event.thread, event.text) = (.threadName, thread, name)
      event.stream.process = process ?? 0
      browser.append(event)
    }

    mutating func take(_ event: ChromeEvent) {
      if event.isOfFrames || event.isOfMainThread || event.isOfPage { browser.append(event) }
    }

    mutating func intern(_ name: Span<UInt8>) -> Int { 0 }
    mutating func mark(_ mark: AtraceMark, thread: Int, at instant: Int64, cpu: Int64?) {}
    mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64) {}
    mutating func woken(thread: Int, by waker: Int?, at instant: Int64) {}
    mutating func flow(_ chain: UInt64, isEnd: Bool, thread: Int, at instant: Int64) {}
    mutating func measured(_ name: Int, from begin: Int64, to end: Int64, thread: Int) {}
  }
}
