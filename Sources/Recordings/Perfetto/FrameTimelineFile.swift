package import FrameBudget
package import Parsing

/// The frames of all processes in a Perfetto trace, from Android's FrameTimeline.
package enum FrameTimelineFile {
  /// The frames of one process, in the order of their vsyncs.
  package struct Frames {
    package let process: RecordedProcess
    package let frames: [RecordedFrame]
    /// The period of vsyncs; nil if unknown.
    package let period: TimeSpan?
    /// FrameTimeline's own figures.
    package let figures: [RecordedFigure]
  }

  /// Whether a file with these first bytes may be such a trace.
  package static func isPerfetto(_ opening: [UInt8]) -> Bool {
    PerfettoRecording.isPerfetto(opening)
  }

  /// The processes with frames, by their numbers.
  package static func read(_ source: consuming ByteSource) throws(InputError) -> [Frames] {
    var packets = PerfettoPackets(Gatherer())
    var records = WireRecords(source)
    try records.forEach(field: 1) { (packet, _) throws(InputError) in
      try packets.take(packet)
      if let excess = packets.sink.excess { throw InputError(excess) }
    }
    return packets.sink.found
  }

  /// Keeps events of frames, and names of processes.
  private struct Gatherer: PerfettoSink {
    private var events: [(event: FrameTimelineEvent, instant: Int64)] = []
    private var processes: Set<Int> = []
    private var names: [Int: String] = [:]

    var excess: String? {
      RecordingLimits.excess(threads: processes.count)
        ?? RecordingLimits.excess(kept: events.count, names: 0)
    }

    var found: [Frames] {
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

    mutating func know(process: Int, name: String) { names[process] = name }
    mutating func number(of name: Span<UInt8>) -> Int { 0 }
    mutating func mark(_ mark: AtraceMark, thread: Int, at instant: Int64, cpu: Int64?) {}
    mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64) {}
    mutating func woken(thread: Int, at instant: Int64) {}
    mutating func know(thread: Int, process: Int?, name: String?) {}
    mutating func flow(_ chain: UInt64, isEnd: Bool, thread: Int, at instant: Int64) {}
    mutating func take(_ event: ChromeEvent) {}
    mutating func measured(_ name: Int, from begin: Int64, to end: Int64, thread: Int) {}
  }
}
