internal import FrameBudget
internal import FrameBudgetParsing

/// Recordings in Perfetto's protocol buffers.
struct PerfettoRecording: RecordingReader {
  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads {
    var packets = PerfettoPackets(KernelIndexer())
    var records = WireRecords(try input.open())
    try records.forEach(field: 1) { (packet, _) throws(InputError) in
      try packets.take(packet)
      if let excess = RecordingLimits.excess(threads: packets.sink.count) {
        throw InputError(excess)
      }
    }
    guard let found = packets.sink.found(.perfetto) else {
      throw InputError("is a Perfetto trace, but holds no slices of any thread, and no frames")
    }
    return found
  }

  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording {
    var packets = PerfettoPackets(PerfettoGatherer(process: process.number, of: found))
    var records = WireRecords(try input.open())
    try records.forEach(field: 1) { (packet, _) throws(InputError) in
      try packets.take(packet)
      let sink = packets.sink.size
      if let excess = RecordingLimits.excess(kept: sink.kept + packets.kept, names: sink.names) {
        throw InputError(excess)
      }
    }
    var gathered = packets.sink.gathered(process, begin: found.begin)
    if packets.unknownClocks > 0 {
      gathered.doubts.append(
        "\(packets.unknownClocks) packets use an unknown clock and are left out"
      )
    }
    if packets.lost > 0 {
      gathered.doubts.append(
        "\(packets.lost) packets refer to packets that the recorder lost, and are left out")
    }
    return gathered
  }

  /// Whether a file with these first bytes may be a trace: a message in field 1, followed by another one.
  static func isPerfetto(_ opening: [UInt8]) -> Bool {
    var records = WireRecords(ByteSource(opening, name: ""))
    var count = 0
    do throws(InputError) {
      try records.forEach(field: 1) { (packet, _) throws(InputError) in
        try Wire.forEachField(of: packet, in: 0..<packet.count) { _, _ in }
        count += 1
      }
    } catch {
      // The first bytes may end within a message.
      return count > 0 || opening.first == 0x0A && opening.count >= 1 << 12
    }
    return count > 0
  }
}

/// Gathers the data of one process, including its frames.
struct PerfettoGatherer: PerfettoSink {
  private var kernel: KernelGatherer
  private var timeline: FrameTimeline
  private var flows = FlowPosts()
  /// Events of a browser or Flutter's engine about frames and the page.
  private var browser = ChromeFrames()
  private var page = PageTimings()
  private var timers = PageTimers()
  private var browserEvents = 0

  init(process: Int, of found: FoundThreads) {
    kernel = KernelGatherer(process: process, of: found)
    timeline = FrameTimeline(process: process)
  }

  /// The number of kept values, and of bytes in names.
  var size: (kept: Int, names: Int) {
    (
      kernel.kept + timeline.count + flows.points.count + browserEvents + page.count,
      kernel.names.size
    )
  }

  mutating func intern(_ name: Span<UInt8>) -> Int { kernel.intern(name) }

  mutating func mark(_ mark: AtraceMark, thread: Int, at instant: Int64, cpu: Int64?) {
    kernel.mark(mark, thread: thread, at: instant, cpu: cpu)
  }

  mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64) {
    kernel.switched(core: core, from: from, wasPreempted: wasPreempted, to: to, at: instant)
  }

  mutating func woken(thread: Int, by waker: Int?, at instant: Int64) {
    kernel.woken(thread: thread, by: waker, at: instant)
  }

  mutating func describe(thread: Int, process: Int?, name: String?) {
    kernel.describe(thread: thread, process: process, name: name)
    page.describe(thread: thread, name: name)
  }

  mutating func describe(process: Int, name: String) {}

  mutating func flow(_ chain: UInt64, isEnd: Bool, thread: Int, at instant: Int64) {
    flows.add(
      FlowPosts.Point(
        chain: chain, instant: instant, thread: kernel.place(of: thread), isEnd: true,
        isBegin: !isEnd, bindsEnclosing: true))
  }

  mutating func take(_ event: FrameTimelineEvent, at instant: Int64) {
    timeline.take(event, at: instant)
  }

  mutating func take(_ event: ChromeEvent) {
    guard event.stream.process == kernel.process else { return }
    browserEvents += 1
    browser.take(event)
    if event.isOfPage { page.take(event) }
    timers.take(event)
  }

  mutating func measured(_ name: Int, from begin: Int64, to end: Int64, thread: Int) {
    kernel.measured(name, from: begin, to: end, thread: thread)
  }

  consuming func gathered(_ process: RecordedProcess, begin: Int64) -> GatheredRecording {
    let frames = timeline.frames()
    let period = timeline.period
    for (thread, arrow) in timers.arrows {
      if let place = kernel.place(of: thread) { flows.add(arrow, to: place) }
    }
    let flows = flows
    var gathered = kernel.gathered(.perfetto, process: process, begin: begin)
    gathered.flows = flows
    if !frames.isEmpty {
      gathered.frames = frames
      gathered.timings = .surfaces(timeline.surfaceFrames)
      gathered.period = period ?? gathered.vsyncs.flatMap { AndroidFrames($0).period }
    } else if case let found = browser.found(), !found.frames.isEmpty {
      let isFlutter = gathered.threads.builders.values.contains { UIThread.isFlutterUI($0.name) }
      gathered.format = isFlutter ? .flutter : .chrome
      gathered.frames = found.frames
      gathered.stageMarks = found.stageMarks
      gathered.period = found.period
      gathered.timings = .page(page)
      // The display's vsyncs are those of Android's apps.
      gathered.vsyncs = nil
    }
    return gathered
  }
}

extension KernelIndexer: PerfettoSink {
  mutating func flow(_ chain: UInt64, isEnd: Bool, thread: Int, at instant: Int64) {}

  mutating func take(_ event: FrameTimelineEvent, at instant: Int64) {
    if event.kind == .actualSurface { displayed(event) }
  }

  mutating func take(_ event: ChromeEvent) { drawn(event) }

  mutating func measured(_ name: Int, from begin: Int64, to end: Int64, thread: Int) {}
}
