import FrameBudget
import FrameBudgetParsing

/// A trace of Chrome, in JSON or Perfetto's format: the compositor's frames, a stream per layer tree.
///
/// `PipelineReporter` has the result of each frame (`ChromeReports`). Traces without it have `BeginFrame`, `DrawFrame` and
/// `DroppedFrame` (`ChromeDraws`).
struct ChromeTrace {
  private let refresh: RefreshRate?
  private(set) var hasEvents = false
  private var events: [ChromeEvent] = []
  private var processes: [Int: String] = [:]
  /// The numbers that the pages of a process would report themselves.
  private var pages: [Int: PageTimings] = [:]
  /// The instant of the first frame event.
  private var first: Int64?

  init(refresh: RefreshRate?) { self.refresh = refresh }

  mutating func readEvents(_ reader: inout JSONReader) throws(InputError) {
    hasEvents = true
    var read = ChromeEvents()
    try read.readList(&reader) { (_, event, reader) throws(InputError) in
      if let problem = take(event) { throw reader.failure(problem) }
    }
  }

  mutating func read(_ file: PerfettoFile) throws(InputError) {
    processes = file.processes
    for event in file.browser {
      if let problem = take(event) { throw InputError(problem) }
    }
  }

  /// Returns what is wrong with the event.
  private mutating func take(_ event: ChromeEvent) -> String? {
    if event.kind == .processName, let name = event.text { processes[event.stream.process] = name }
    if event.isOfPage, InputTime.instants.contains(event.instant) {
      pages[event.stream.process, default: PageTimings()].take(event)
    }
    guard event.isOfFrames else { return nil }
    guard InputTime.instants.contains(event.instant) else {
      return "the event's instant 'ts' is out of range"
    }
    // No recording is longer than a day: a larger distance from the first instant is an invalid number.
    let span = event.instant - (first ?? event.instant)
    guard span.magnitude <= InputTime.spans.upperBound else {
      return "the event's instant 'ts' is more than a day from the first one's"
    }
    first = first ?? event.instant
    events.append(event)
    return nil
  }

  consuming func finish() throws(InputError) -> [ImportedFrames] {
    events.sort { $0.instant < $1.instant }
    let isReported = events.contains { $0.kind == .report }
    let chosen = isReported ? reported() : events.filter { $0.kind != .report }
    let streams = chosen.grouped(by: \.stream)
    guard streams.count <= StreamTable.maxStreams else {
      throw InputError("more than \(StreamTable.maxStreams) processes and layer trees")
    }
    let owners = Self.figureOwners(streams)
    return streams.map { stream, events in
      let key = StreamKey(
        process: processes[stream.process] ?? "process \(stream.process)",
        swapChain: "layers \(stream.tree)")
      let figures = owners.contains(stream) ? pages[stream.process]?.figures() ?? [] : []
      return isReported
        ? ChromeReports(events).imported(key, refresh: refresh, figures)
        : ChromeDraws(events).imported(key, refresh: refresh, figures)
    }
  }

  /// The stream that gets the figures of a process: the one with the most events; among equal ones, the first.
  private static func figureOwners(
    _ streams: [(key: ChromeEvent.Stream, elements: [ChromeEvent])]
  ) -> Set<ChromeEvent.Stream> {
    let sizes = streams.map { ($0.key.process, (stream: $0.key, count: $0.elements.count)) }
    let owners = Dictionary(sizes, uniquingKeysWith: { $1.count > $0.count ? $1 : $0 })
    return Set(owners.values.map(\.stream))
  }

  /// The events of streams with reporters: those of pages or, without pages, those of the browser itself.
  private func reported() -> [ChromeEvent] {
    let streams = Set(events.filter { $0.kind == .report }.map(\.stream))
    let pages = streams.filter { processes[$0.process] == "Renderer" }
    let chosen = pages.isEmpty ? streams : pages
    return events.filter { chosen.contains($0.stream) }
  }
}

/// Frames of a layer tree by their `PipelineReporter`s, each of which has the result of the frame or of a part.
///
/// A vsync without a wanted update is not a missed one.
struct ChromeReports {
  private struct Frame {
    let source: Int
    let number: Int
    let begin: Int64
    var states = ChromeEvent.States()

    /// Whether this frame's vsync is the next one after that of `other`.
    func follows(_ other: Frame) -> Bool {
      source == other.source && other.number < .max && number == other.number + 1
    }

    var isWanted: Bool { states.verdict != .notWanted }
  }

  private struct Identity: Hashable {
    let source: Int
    let number: Int
  }

  /// In the order of their vsyncs.
  private var frames: [Frame] = []
  /// By frame number: the time from its `BeginFrame` to the first `DrawFrame`.
  private var works: [Int: Int64] = [:]
  /// The period of vsyncs: the median over consecutive frames.
  private let period: Int64?

  /// `events` in the order of time.
  init(_ events: [ChromeEvent]) {
    var places: [Identity: Int] = [:]
    var begins: [Int: Int64] = [:]
    for event in events {
      guard let number = event.frame else { continue }
      if let state = event.state, event.kind == .report {
        let identity = Identity(source: event.source, number: number)
        let index = places[identity] ?? frames.count
        if index == frames.count {
          places[identity] = index
          frames.append(Frame(source: event.source, number: number, begin: event.instant))
        }
        frames[index].states.insert(state)
      } else if event.kind == .begin {
        if begins[number] == nil { begins[number] = event.instant }
      } else if event.kind == .draw, let begin = begins[number], works[number] == nil {
        works[number] = event.instant - begin
      }
    }
    let spans = zip(frames, frames.dropFirst()).filter { $1.follows($0) }.map {
      $1.begin - $0.begin
    }
    period = Percentiles(spans).quantile(0.5).map { Int64($0) }
  }

  func imported(
    _ key: StreamKey, refresh: RefreshRate?, _ figures: [RecordedFigure]
  ) -> ImportedFrames {
    var tally = FrameTally(refresh: refresh, clock: .vsyncs)
    tally.distinguishPartialFrames()
    if let period, let refresh = RefreshRate(period: .nanoseconds(period)) { tally.use(refresh) }
    var gap = 0
    var previous: Frame?
    for frame in frames {
      // A gap ends where no frame was wanted.
      if let previous, !previous.isWanted || !frame.follows(previous) { end(&gap, in: &tally) }
      count(frame, after: &gap, in: &tally)
      previous = frame
    }
    end(&gap, in: &tally)
    let drops = frames.count { $0.states.verdict == .dropped }
    return ImportedFrames(
      key, tally, showsDisplay: true,
      figures: figures + [RecordedFigure(.browserDrops, .count(drops))])
  }

  private func count(_ frame: Frame, after gap: inout Int, in tally: inout FrameTally) {
    tally.issues.row()
    guard frame.isWanted else { return }
    if let work = works[frame.number] { tally.frame(work) }
    if frame.states.verdict == .dropped {
      gap += 1
    } else {
      tally.shown(
        afterGap: gap, interval: span(of: gap + 1), isPartial: frame.states.verdict == .partial)
      gap = 0
    }
  }

  private func end(_ gap: inout Int, in tally: inout FrameTally) {
    tally.missed(gap, interval: span(of: gap))
    gap = 0
  }

  private func span(of vsyncs: Int) -> Int64? { period.map { $0 * Int64(vsyncs) } }
}

/// Frames of a layer tree by `BeginFrame`, `DrawFrame` and `DroppedFrame`.
///
/// A frame's time is from its `BeginFrame` to its first `DrawFrame`. A frame that was also drawn is not dropped, because
/// partial updates are marked as dropped too.
struct ChromeDraws {
  private let events: [ChromeEvent]
  private let drawn: Set<Int>
  /// Whether the trace marks dropped frames.
  private let knowsDrops: Bool

  /// `events` in the order of time.
  init(_ events: [ChromeEvent]) {
    self.events = events
    drawn = Set(events.lazy.filter { $0.kind == .draw }.compactMap(\.frame))
    knowsDrops = events.contains { $0.kind == .drop }
  }

  func imported(
    _ key: StreamKey, refresh: RefreshRate?, _ figures: [RecordedFigure]
  ) -> ImportedFrames {
    var tally = FrameTally(refresh: refresh, clock: .vsyncs)
    var late = 0
    var begins: [Int: Int64] = [:]
    var seen: Set<Int> = []
    var previous: Int64?
    for event in events {
      switch event.kind {
      case .begin:
        if let frame = event.frame, begins[frame] == nil { begins[frame] = event.instant }
      case .drop:
        if isDropped(event, &seen) { late += 1 }
      case .draw where event.frame.map { seen.insert($0).inserted } ?? true:
        tally.issues.row()
        if let begin = event.frame.flatMap({ begins[$0] }) { tally.frame(event.instant - begin) }
        tally.shown(afterGap: late, interval: previous.map { event.instant - $0 })
        (late, previous) = (0, event.instant)
      default: break
      }
    }
    tally.missed(late)
    let doubt =
      "the trace does not mark dropped frames, so dropped frames and hitches are empty"
    return ImportedFrames(
      key, tally, showsDisplay: true, figures: figures, doubt: knowsDrops ? nil : doubt)
  }

  private func isDropped(_ event: ChromeEvent, _ seen: inout Set<Int>) -> Bool {
    guard let frame = event.frame else { return true }
    return !drawn.contains(frame) && seen.insert(frame).inserted
  }
}
