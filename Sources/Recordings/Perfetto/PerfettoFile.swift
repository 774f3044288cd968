package import FrameBudget
package import Parsing

/// The frames of all processes in a Perfetto trace: from Android's FrameTimeline, or a browser's events.
package struct PerfettoFile {
  /// FrameTimeline's frames of one process, in the order of their vsyncs.
  package struct Frames {
    package let process: RecordedProcess
    package let frames: [RecordedFrame]
    /// The period of vsyncs; nil if unknown.
    package let period: TimeSpan?
    /// FrameTimeline's own figures.
    package let figures: [RecordedFigure]
  }

  /// The processes with FrameTimeline's frames, by their numbers.
  package let timelines: [Frames]
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
    timelines = packets.sink.timelines
    browser = packets.sink.browser
    processes = packets.sink.names
  }

  /// Keeps events of frames, and names.
  private struct Gatherer: PerfettoSink {
    private var events: [(event: FrameTimelineEvent, instant: Int64)] = []
    private var processes: Set<Int> = []
    private(set) var names: [Int: String] = [:]
    private(set) var browser: [ChromeEvent] = []

    var excess: String? {
      RecordingLimits.excess(threads: processes.count)
        ?? RecordingLimits.excess(kept: events.count + browser.count, names: 0)
    }

    var timelines: [Frames] {
      processes.sorted().compactMap { number in
        var timeline = FrameTimeline(process: number)
        for (event, instant) in events { timeline.take(event, at: instant) }
        let frames = timeline.frames()
        guard !frames.isEmpty else { return nil }
        return Frames(
          process: RecordedProcess(number: number, name: names[number] ?? ""), frames: frames,
          period: timeline.period, figures: SurfaceFrame.figures(of: timeline.surfaceFrames))
      }
    }

    mutating func take(_ event: FrameTimelineEvent, at instant: Int64) {
      if event.kind == .actualSurface { processes.insert(event.process) }
      events.append((event, instant))
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
      if event.isOfFrames || event.isOfPage { browser.append(event) }
    }

    mutating func intern(_ name: Span<UInt8>) -> Int { 0 }
    mutating func mark(_ mark: AtraceMark, thread: Int, at instant: Int64, cpu: Int64?) {}
    mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64) {}
    mutating func woken(thread: Int, at instant: Int64) {}
    mutating func flow(_ chain: UInt64, isEnd: Bool, thread: Int, at instant: Int64) {}
    mutating func measured(_ name: Int, from begin: Int64, to end: Int64, thread: Int) {}
  }
}
