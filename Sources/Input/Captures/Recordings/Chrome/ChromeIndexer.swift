internal import FrameBudget
internal import FrameBudgetParsing

/// Counts the slices and frames of each thread in a Chrome trace.
struct ChromeIndexer {
  private var counted = CountedThreads()
  /// Frames in compositors' reports, by process and frame number.
  private var reported = ProcessFrames<Int?>()
  /// The processes of pages in the order in which these were opened, at most `EventData.maxDocuments`, if the browser names them;
  /// others belong to frames of other sites, or to the browser.
  private var pages: [Int] = []
  /// The newest mark of a recorder in the page, for recordings that have lost the browser's names of pages.
  private var mark: (at: Int64, process: Int)?
  private var begin = Int64.max

  var count: Int { counted.count }

  mutating func take(_ event: ChromeEvent) {
    guard !event.isNoWork else { return }
    count(event)
    switch (event.phase, event.kind) {
    case (_, .processName):
      if let name = event.text { counted.processes[event.stream.process] = name }
    case (_, .threadName):
      counted[event.track].name = event.text ?? counted[event.track].name
    case (.complete, _):
      counted[event.track].counter.add(from: event.instant, length: event.length)
      begin = min(begin, event.instant)
    case (.begin, _):
      counted[event.track].counter.begin(at: event.instant)
      begin = min(begin, event.instant)
    case (_, .documents): add(event.documents?.all ?? [])
    case (nil, .pageMark) where event.category.contains(.userTiming):
      if event.instant >= mark?.at ?? .min { mark = (event.instant, event.stream.process) }
    case (.end, _): counted[event.track].counter.end(at: event.instant)
    default: break
    }
  }

  private mutating func add(_ documents: [PageDocuments.Document]) {
    for document in documents where document.isPage && pages.count < EventData.maxDocuments {
      if let process = document.process, !pages.contains(process) { pages.append(process) }
    }
  }

  /// Counts frames: those that threads drew, and those that a process wanted.
  private mutating func count(_ event: ChromeEvent) {
    if event.isFrameOfThread {
      counted[event.track].frames += 1
    } else if event.isWantedFrame {
      reported.count(event.frame, of: event.stream.process)
    }
  }

  consuming func found() throws(InputError) -> FoundThreads {
    var found = counted.found()
    // A compositor that draws by itself has no data about main threads, if those report frames themselves.
    if !found.contains(where: { $0.frames > 0 }) {
      RecordingIndex.Thread.share(reported.counts, among: &found)
    }
    guard !found.isEmpty else { throw InputError("is JSON, but holds no slices of any thread") }
    let isFlutter = found.contains { UIThread.isFlutterUI($0.name) }
    let pages = pages.isEmpty ? mark.map { [$0.process] } ?? [] : pages
    let ofPages = found.indices.filter { pages.contains(found[$0].process.number) }
    var threads = FoundThreads(
      isFlutter ? .flutter : .chrome, found, among: ofPages.isEmpty ? nil : ofPages, begin: begin)
    threads.index.settleTie(of: pages)
    return threads
  }
}
