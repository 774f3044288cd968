internal import FrameBudgetParsing

/// Follows the events of tracks, keeps a stack of open events for each, and translates them to the terms of Chrome's and
/// Flutter's JSON.
struct TrackEventReader {
  /// The target of an end event.
  private enum Open {
    case slice
    /// A slice without work.
    case loop
    case work(ChromeEvent)
    /// On a track beside those of threads.
    case async(ChromeEvent)
    case measure(name: Int, begin: Int64, thread: Int)
    case other
  }

  /// By track.
  private var open: [UInt64: [Open]] = [:]
  /// The number of open events.
  private(set) var count = 0

  /// An event with the data of its sequence and its track.
  struct Event {
    var kind: PerfettoTrackEvent.Kind
    /// Its track, and the process and thread of the track.
    var track: UInt64
    var process: Int
    var thread: Int?
    var name: PerfettoSequence.Name?
    var instant: Int64
    var cpu: Int64?
    /// The thread that wrote it, for a measure of the page.
    var measuredBy: Int?
    /// Its arguments.
    var arguments: ChromeEvent
  }

  mutating func take(_ event: Event, into sink: inout some PerfettoSink) {
    switch event.kind {
    case .begin: begin(event, &sink)
    case .end: end(event, &sink)
    case .instant where event.thread != nil: sink.take(chromeEvent(event, .complete))
    case .instant: break
    }
  }

  private func chromeEvent(_ event: Event, _ phase: ChromeEvent.Phase) -> ChromeEvent {
    var result = event.arguments
    result.name = event.name?.number ?? 0
    result.kind = event.name?.kind
    result.phase = phase
    result.instant = event.instant
    result.stream.process = event.process
    result.thread = event.thread ?? 0
    result.identity = event.track
    return result
  }

  private mutating func begin(_ event: Event, _ sink: inout some PerfettoSink) {
    let opened = opened(event, &sink)
    open[event.track, default: []].append(opened)
    count += 1
    guard let thread = event.thread else { return }
    if case .loop = opened { return }
    sink.mark(
      .begin(process: event.process, name: event.name?.number ?? 0), thread: thread,
      at: event.instant, cpu: event.cpu)
  }

  private func opened(_ event: Event, _ sink: inout some PerfettoSink) -> Open {
    switch (event.name?.kind, event.thread) {
    case (.loop, _?): return .loop
    case (.commit, _?), (.mainFrame, _?), (.task, _?), (.flutterBegin, _?):
      return .work(chromeEvent(event, .complete))
    case (.flutterVsync, _?), (.flutterProduced, _?), (.flutterRaster, _?), (.mainBegin, _?),
      (.timerFiring, _?):
      sink.take(chromeEvent(event, .begin))
      return .slice
    case (_, _?): return .slice
    case (.report, nil), (.animationFrame, nil), (.eventTiming, nil):
      let result = chromeEvent(event, .asyncBegin)
      sink.take(result)
      return .async(result)
    case (_, nil):
      guard let thread = event.measuredBy, let name = event.name?.number else { return .other }
      return .measure(name: name, begin: event.instant, thread: thread)
    }
  }

  private mutating func end(_ event: Event, _ sink: inout some PerfettoSink) {
    let opened = open[event.track]?.popLast()
    if opened != nil { count -= 1 }
    if open[event.track]?.isEmpty == true { open[event.track] = nil }
    switch opened {
    case .loop: return
    case .work(var work):
      work.length = max(0, event.instant - work.instant)
      if InputTime.spans.contains(work.length) { sink.take(work) }
    case .async(var ended):
      ended.phase = .asyncEnd
      ended.instant = event.instant
      sink.take(ended)
    case .measure(let name, let begin, let thread):
      if begin <= event.instant {
        sink.measured(name, from: begin, to: event.instant, thread: thread)
      }
    case .slice, .other, nil: break
    }
    if let thread = event.thread {
      sink.mark(.end(process: event.process), thread: thread, at: event.instant, cpu: event.cpu)
    }
  }
}

extension ChromeEvent {
  /// Reads a `ChromeFrameReporter`.
  mutating func read(report bytes: Span<UInt8>, _ part: Range<Int>) throws(InputError) {
    state = Self.reported[0]
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 1: state = value.number < UInt64(Self.reported.count) ? Self.reported[value.count] : nil
      case 3: source = value.count
      case 4: frame = value.count
      case 11: stream.tree = value.count
      default: break
      }
    }
  }

  /// By their numbers.
  private static let reported: [State] = [.notWanted, .all, .partial, .dropped]

  /// Reads an `AnimationFrameTimingInfo`.
  mutating func read(animationFrame bytes: Span<UInt8>, _ part: Range<Int>) throws(InputError) {
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard field == 1 else { return }
      let (span, overflows) = value.signed.multipliedReportingOverflow(by: 1_000_000)
      blocking = !overflows && InputTime.spans.contains(span) ? span : nil
    }
  }

  private static let instants =
    Int(InputTime.instants.lowerBound)...Int(InputTime.instants.upperBound)

  /// Reads an argument of an event.
  mutating func take(_ annotation: PerfettoAnnotation) {
    func instant() -> Int64? {
      let number = annotation.text.flatMap { InputNumber.whole($0, in: Self.instants) }
      return (number ?? annotation.number).flatMap {
        Self.instants.contains($0) ? Int64($0) : nil
      }
    }
    switch annotation.key {
    case .frame, .beginFrame: frame = annotation.number
    case .frameNumber:
      frame = annotation.text.flatMap { InputNumber.whole($0) } ?? annotation.number
    case .tree: stream.tree = annotation.number ?? 0
    case .start: start = instant()
    case .target: target = instant()
    case .data: annotation.data?.give(to: &self)
    }
  }
}
