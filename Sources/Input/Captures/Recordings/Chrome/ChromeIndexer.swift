internal import FrameBudget
internal import FrameBudgetParsing

/// Counts the slices and frames of each thread in a Chrome trace.
struct ChromeIndexer {
  private struct Place: Hashable {
    var process: Int
    var thread: Int
  }

  private struct Found {
    var name = ""
    var counter = TaskCounter()
    var frames = 0
  }

  private var places: [Place: Int] = [:]
  private var order: [Place] = []
  private var threads: [Found] = []
  private var processes: [Int: String] = [:]
  /// Frames in compositors' reports, by process and frame number.
  private var reported = ProcessFrames<Int?>()
  /// The processes of pages, if the browser names them; others belong to frames of other sites, or to the browser.
  private var pages: Set<Int> = []
  private var begin = Int64.max
  /// The newest place, because most events have the same place as the previous one.
  private var newest = Place(process: .min, thread: .min)
  private var newestIndex = 0

  var count: Int { threads.count }

  mutating func take(_ event: ChromeEvent) {
    guard !event.isNoWork else { return }
    count(event)
    switch (event.phase, event.kind) {
    case (_, .processName):
      if let name = event.text { processes[event.stream.process] = name }
    case (_, .threadName):
      let index = index(of: event)
      if let name = event.text { threads[index].name = name }
    case (.complete, _):
      threads[index(of: event)].counter.add(from: event.instant, length: event.length)
      begin = min(begin, event.instant)
    case (.begin, _):
      threads[index(of: event)].counter.begin(at: event.instant)
      begin = min(begin, event.instant)
    case (_, .documents):
      pages.formUnion((event.documents?.all ?? []).lazy.filter(\.isPage).map(\.process))
    case (.end, _): threads[index(of: event)].counter.end(at: event.instant)
    default: break
    }
  }

  /// Counts frames: those that threads drew, and those that a process wanted.
  private mutating func count(_ event: ChromeEvent) {
    if event.isFrameOfThread {
      threads[index(of: event)].frames += 1
    } else if event.isWantedFrame {
      reported.count(event.frame, of: event.stream.process)
    }
  }

  private mutating func index(of event: ChromeEvent) -> Int {
    let place = Place(process: event.stream.process, thread: event.thread)
    guard place != newest else { return newestIndex }
    let index = places[place] ?? threads.count
    if index == threads.count {
      places[place] = index
      order.append(place)
      threads.append(Found())
    }
    (newest, newestIndex) = (place, index)
    return index
  }

  consuming func found() throws(InputError) -> FoundThreads {
    var found: [RecordingIndex.Thread] = []
    for index in threads.indices {
      threads[index].counter.finish()
      guard threads[index].counter.slices > 0 else { continue }
      let place = order[index]
      found.append(
        RecordingIndex.Thread(
          process: RecordedProcess(
            number: place.process, name: processes[place.process] ?? ""),
          number: place.thread, name: threads[index].name, slices: threads[index].counter.slices,
          tasks: threads[index].counter.tasks(), frames: threads[index].frames))
    }
    // A compositor that draws by itself has no data about main threads, if those report frames themselves.
    if !found.contains(where: { $0.frames > 0 }) {
      RecordingIndex.Thread.share(reported.counts, among: &found)
    }
    guard !found.isEmpty else { throw InputError("is JSON, but holds no slices of any thread") }
    let isFlutter = found.contains { UIThread.isFlutterUI($0.name) }
    var index = RecordingIndex(format: isFlutter ? .flutter : .chrome, threads: found)
    let ofPages = found.indices.filter { pages.contains(found[$0].process.number) }
    index.choice = UIThread.choice(of: index, among: ofPages.isEmpty ? nil : ofPages)
    return FoundThreads(index: index, begin: begin)
  }
}
