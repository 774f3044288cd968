import FrameBudget
import Parsing
import Recordings

/// Chrome trace JSON: the compositor's frames, a stream per layer tree.
///
/// `PipelineReporter` says what became of each frame (`ChromeReports`). Traces without it have `BeginFrame`,
/// `DrawFrame` and `DroppedFrame` (`ChromeDraws`), as the project's own traces do.
struct ChromeTrace {
  private let refresh: RefreshRate?
  private(set) var hasEvents = false
  private var events: [ChromeEvent] = []
  private var processes: [Int: String] = [:]
  /// What the pages of a process would report themselves.
  private var pages: [Int: PageTimings] = [:]
  /// Of the frame event that was read first.
  private var first: Int64?

  init(refresh: RefreshRate?) { self.refresh = refresh }

  mutating func readEvents(_ reader: inout JSONReader) throws(InputError) {
    hasEvents = true
    var read = ChromeEvents()
    try read.readList(&reader) { (_, event, reader) throws(InputError) in try take(event, reader) }
  }

  private mutating func take(
    _ event: ChromeEvent, _ reader: borrowing JSONReader
  ) throws(InputError) {
    if event.kind == .processName, let name = event.text { processes[event.stream.process] = name }
    if event.isOfPage, OutsideTime.instants.contains(event.instant) {
      pages[event.stream.process, default: PageTimings()].take(event)
    }
    guard event.isOfFrames else { return }
    guard OutsideTime.instants.contains(event.instant) else {
      throw reader.failure("the event's instant 'ts' is out of range")
    }
    // No recording is longer than a day: an instant that far from the first is a broken number.
    let span = event.instant - (first ?? event.instant)
    guard span.magnitude <= OutsideTime.spans.upperBound else {
      throw reader.failure("the event's instant 'ts' is more than a day from the first one's")
    }
    first = first ?? event.instant
    events.append(event)
  }

  consuming func finish() throws(InputError) -> [ImportedFrames] {
    events.sort { $0.instant < $1.instant }
    let isReported = events.contains { $0.kind == .report }
    let chosen = isReported ? reported() : events.filter { $0.kind != .report }
    var order: [ChromeEvent.Stream] = []
    var streams: [ChromeEvent.Stream: [ChromeEvent]] = [:]
    for event in chosen where event.kind != .vsync {
      if streams[event.stream] == nil { order.append(event.stream) }
      streams[event.stream, default: []].append(event)
    }
    guard order.count <= StreamTable.most else {
      throw InputError("more than \(StreamTable.most) processes and layer trees")
    }
    let owners = figureOwners(of: streams, order)
    let vsyncs = Set(events.filter { $0.kind == .vsync }.map(\.stream.process))
    return order.map { stream in
      let key = StreamKey(
        process: processes[stream.process] ?? "process \(stream.process)",
        swapChain: "layers \(stream.tree)")
      let events = streams[stream] ?? []
      let figures = owners.contains(stream) ? pages[stream.process]?.figures() ?? [] : []
      return isReported
        ? ChromeReports(events).imported(key, refresh: refresh, figures)
        : ChromeDraws(events, hasVsyncs: vsyncs.contains(stream.process))
          .imported(key, refresh: refresh, figures)
    }
  }

  /// Which streams the figures of their processes belong to: of each process the one with most events, of equals the first.
  private func figureOwners(
    of streams: [ChromeEvent.Stream: [ChromeEvent]], _ order: [ChromeEvent.Stream]
  ) -> Set<ChromeEvent.Stream> {
    var owners: [Int: ChromeEvent.Stream] = [:]
    for stream in order {
      let known = owners[stream.process].flatMap { streams[$0]?.count } ?? 0
      if streams[stream]?.count ?? 0 > known { owners[stream.process] = stream }
    }
    return Set(owners.values)
  }

  /// The events of streams that have reporters: of the pages', where there are any, not of the browser's own.
  private func reported() -> [ChromeEvent] {
    let streams = Set(events.filter { $0.kind == .report }.map(\.stream))
    let pages = streams.filter { processes[$0.process] == "Renderer" }
    let chosen = pages.isEmpty ? streams : pages
    return events.filter { chosen.contains($0.stream) }
  }
}
