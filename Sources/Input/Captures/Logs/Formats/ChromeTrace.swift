import FrameBudget
import FrameBudgetParsing

/// A trace of Chrome, in JSON or Perfetto's format: the compositor's frames, a stream per layer tree.
///
/// `ChromeTree` finds the frames, as for `learn`, and `ChromeTally` counts them.
struct ChromeTrace {
  private let refresh: RefreshRate?
  private(set) var hasEvents = false
  /// By process.
  private var frames: [Int: ChromeFrames] = [:]
  private var processes: [Int: String] = [:]
  /// The numbers that the pages of a process would report themselves.
  private var pages: [Int: PageTimings] = [:]
  private var tasks = OpenTasks()
  /// The instant of the first frame event.
  private var first: Int64?

  init(refresh: RefreshRate?) { self.refresh = refresh }

  mutating func readEvents(_ reader: inout JSONReader) throws(InputError) {
    hasEvents = true
    var read = ChromeEvents()
    try read.readList(&reader) { (_, event, reader) throws(InputError) in
      if event.hasSafeTimes { tasks.take(event) }
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
    if event.isOfMainThread, event.hasSafeTimes {
      frames[event.stream.process, default: ChromeFrames()].take(event)
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
    frames[event.stream.process, default: ChromeFrames()].take(event)
    return nil
  }

  /// A layer tree and its process.
  private typealias Layers = (process: Int, tree: ChromeTree)

  consuming func finish() throws(InputError) -> [ImportedFrames] {
    let layers = layers()
    guard layers.count <= StreamTable.maxStreams else {
      throw InputError("more than \(StreamTable.maxStreams) processes and layer trees")
    }
    let owners = Self.figureOwners(layers)
    return layers.enumerated().map { place, layer in
      let key = StreamKey(
        process: processes[layer.process] ?? "process \(layer.process)",
        swapChain: "layers \(layer.tree.number)")
      let figures = owners.contains(place) ? pages[layer.process]?.figures() ?? [] : []
      let open = tasks.since(in: layer.process)
      return ChromeTally(layer.tree, openSince: open).imported(key, refresh: refresh, figures)
    }
  }

  /// The layer trees in the order of their first events. If there are reporters, those with reporters: those of pages or,
  /// without pages, those of the browser itself.
  private mutating func layers() -> [Layers] {
    var all: [Layers] = []
    for process in frames.keys.sorted() {
      let trees = frames.removeValue(forKey: process)?.trees() ?? []
      all += trees.map { (process, $0) }
    }
    all.sort { $0.tree.first < $1.tree.first }
    let reported = all.filter { $0.tree.reports > 0 }
    let pages = reported.filter { processes[$0.process] == "Renderer" }
    return reported.isEmpty ? all : pages.isEmpty ? reported : pages
  }

  /// The places of the trees that get the figures of a process: the one with the most events; among equal ones, the first.
  private static func figureOwners(_ layers: [Layers]) -> Set<Int> {
    let sizes = layers.enumerated().map { ($1.process, (place: $0, count: $1.tree.size)) }
    let owners = Dictionary(sizes, uniquingKeysWith: { $1.count > $0.count ? $1 : $0 })
    return Set(owners.values.map(\.place))
  }
}

/// The main threads of pages that are in a task at the end of a trace.
private struct OpenTasks {
  private var mains: [TraceTrack] = []
  private var threads: [TraceTrack: OpenSlices] = [:]
  private var end = Int64.min

  mutating func take(_ event: ChromeEvent) {
    if event.phase != .metadata { end = max(end, event.instant + event.length) }
    let track = event.track
    switch event.phase {
    case .metadata where event.kind == .threadName:
      if event.text == UIThread.chromeMain, !mains.contains(track) { mains.append(track) }
    case .begin where !event.isNoWork:
      threads[track, default: OpenSlices()].begin(event.name, at: event.instant)
    case .end where !event.isNoWork: threads[track]?.end(at: event.instant)
    // Only a slice that began can stay open.
    case .complete where !event.isNoWork:
      threads[track]?.add(event.name, from: event.instant)
    default: break
    }
  }

  /// Since when; nil if its main thread is idle at the end.
  mutating func since(in process: Int) -> Int64? {
    var open: Int64?
    for track in mains where track.process == process {
      open = threads[track]?.since(at: end) ?? open
    }
    return open
  }
}

/// The frames of a layer tree as metrics. A vsync without a wanted update is not a missed one.
struct ChromeTally {
  private let tree: ChromeTree
  private let frames: [ChromeFrame]

  init(_ tree: ChromeTree, openSince: Int64?) {
    self.tree = tree
    frames = tree.frames(openSince: openSince)
  }

  func imported(
    _ key: StreamKey, refresh: RefreshRate?, _ figures: [RecordedFigure]
  ) -> ImportedFrames {
    tree.reports > 0
      ? reported(key, refresh: refresh, figures) : marked(key, refresh: refresh, figures)
  }

  // MARK: Reporters

  private func reported(
    _ key: StreamKey, refresh: RefreshRate?, _ figures: [RecordedFigure]
  ) -> ImportedFrames {
    let period = ChromeFrame.period(of: frames)
    var tally = FrameTally(refresh: refresh, clock: .vsyncs)
    tally.distinguishPartialFrames()
    if let refresh = period.flatMap({ RefreshRate(period: $0) }) { tally.use(refresh) }
    func span(of vsyncs: Int) -> Int64? { period.map { $0.nanoseconds * Int64(vsyncs) } }
    var gap = 0
    func end(_ tally: inout FrameTally) {
      tally.missed(gap, interval: span(of: gap))
      gap = 0
    }
    var previous: ChromeFrame?
    for frame in frames {
      // A gap ends where no frame was wanted.
      if let previous, !previous.isWanted || !frame.follows(previous) { end(&tally) }
      previous = frame
      tally.issues.row()
      guard frame.isWanted else { continue }
      if let work = frame.composed { tally.frame(work) }
      gap += 1
      guard frame.frame.verdict != .dropped else { continue }
      tally.shown(
        afterGap: gap - 1, interval: span(of: gap), isPartial: frame.frame.verdict == .partial)
      gap = 0
    }
    end(&tally)
    let drops = frames.count { $0.frame.verdict == .dropped }
    return ImportedFrames(
      key, tally, showsDisplay: true,
      figures: figures + [RecordedFigure(.browserDrops, .count(drops))])
  }

  // MARK: Marks

  /// `BeginFrame`, `DrawFrame` and `DroppedFrame`. A frame's time is from its `BeginFrame` to its first `DrawFrame`.
  private func marked(
    _ key: StreamKey, refresh: RefreshRate?, _ figures: [RecordedFigure]
  ) -> ImportedFrames {
    var tally = FrameTally(refresh: refresh, clock: .vsyncs)
    if tree.knowsDrops { tally.distinguishPartialFrames() }
    var late = 0
    var previous: Int64?
    let ended = frames.compactMap { frame in frame.ended.map { (frame: frame, at: $0) } }
    for (frame, instant) in ended.sorted(by: { $0.at < $1.at }) {
      guard frame.frame.verdict != .dropped else {
        late += 1
        continue
      }
      tally.issues.row()
      if let work = frame.composed { tally.frame(work) }
      tally.shown(
        afterGap: late, interval: previous.map { instant - $0 },
        isPartial: frame.frame.verdict == .partial)
      (late, previous) = (0, instant)
    }
    tally.missed(late)
    let doubt = "the trace does not mark dropped frames, so dropped frames and hitches are empty"
    return ImportedFrames(
      key, tally, showsDisplay: true, figures: figures, doubt: tree.knowsDrops ? nil : doubt)
  }
}
