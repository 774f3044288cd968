internal import FrameBudget
internal import FrameBudgetParsing

/// Gathers the data of one process in a Chrome trace.
struct ChromeGatherer {
  private struct Measure: Hashable {
    var name: Int
    var identity: UInt64
  }

  private let process: Int
  private var threads: GatheredThreads
  private var flows = FlowPosts()
  private var frames = ChromeFrames()
  /// The start and the thread of each measure that has not ended.
  private var measuring: [Measure: (begin: Int64, thread: Int)] = [:]
  private var cores: Int?
  private var doubts: [String] = []
  private var page = PageTimings()
  private var timers = PageTimers()
  private var profiles = PageProfiles()
  /// By the number of its name: a function that the browser called.
  private var calls: [Int: PageFunction] = [:]
  /// When handlers of inputs that are no movements began.
  private var inputs: [Int64] = []
  /// The site of the page, and its first address.
  private var site: String?
  private var address: String?
  private var pieces = 0
  /// The end of the last event of any process.
  private var end = Int64.min
  /// Addresses of frames in other processes, at most a few, in the order of the file.
  private var foreign: [String] = []
  /// The sites of the page in other processes, by process in the order of the file, and all frames of other processes.
  private var elsewhere: [(process: Int, site: String)] = []
  private var otherFrames: [Int: ChromeFrames] = [:]

  private let namesFunctions: Bool

  init(process: Int, counts: [Int: Int], namesFunctions: Bool) {
    self.process = process
    self.namesFunctions = namesFunctions
    threads = GatheredThreads(expecting: counts)
  }

  /// The number of kept values.
  var kept: Int {
    pieces + page.count + profiles.count + otherFrames.values.reduce(0) { $0 + $1.count }
  }

  mutating func take(_ event: ChromeEvent) {
    takeFlow(event)
    if event.phase != .metadata { end = max(end, event.instant + event.length) }
    if let documents = event.documents { take(documents) }
    if event.kind == .cores, let count = event.count { cores = max(cores ?? 0, count) }
    guard event.stream.process == process else {
      if event.kind != nil {
        otherFrames[event.stream.process, default: ChromeFrames()].take(event)
      }
      return
    }
    frames.take(event)
    if event.isOfPage { page.take(event) }
    if event.timer != nil {
      timers.take(event)
      pieces += 1
    }
    if namesFunctions {
      profiles.take(event)
      if event.kind == .call, let function = event.function { calls[event.name] = function }
    }
    guard !event.isNoWork else { return }
    if event.kind == .dispatch, event.phase == .complete || event.phase == .begin,
      event.text.map(AppCalls.inputs.contains) ?? false
    {
      inputs.append(event.instant)
      pieces += 1
    }
    switch event.phase {
    case .complete:
      threads[event.thread]
        .add(event.name, from: event.instant, length: event.length, cpu: event.cpuLength)
      pieces += 1
    case .begin:
      threads[event.thread].begin(event.name, at: event.instant, cpu: event.cpuInstant)
      pieces += 1
    case .end:
      threads[event.thread].end(at: event.instant, cpu: event.cpuInstant)
      pieces += 1
    case .asyncBegin, .asyncEnd: takeMeasure(event)
    case .metadata where event.kind == .threadName:
      threads[event.thread].name = event.text ?? threads[event.thread].name
    default: break
    }
  }

  private static let maxForeign = 3
  private static let maxElsewhere = 20

  private mutating func take(_ documents: PageDocuments) {
    for document in documents.all {
      guard let owner = document.process, let site = PageDocuments.site(of: document.address)
      else { continue }
      if document.isPage, owner == process {
        self.site = site
        address = address ?? String(document.address.prefix { !"?#".contains($0) }.prefix(200))
      }
      if document.isPage, owner != process, elsewhere.count < Self.maxElsewhere,
        !elsewhere.contains(where: { $0.process == owner })
      {
        elsewhere.append((owner, site))
      }
      guard !document.isPage, owner != process, foreign.count < Self.maxForeign,
        !foreign.contains(site)
      else { continue }
      foreign.append(site)
    }
  }

  private mutating func takeMeasure(_ event: ChromeEvent) {
    guard event.category.contains(.userTiming) else { return }
    let measure = Measure(name: event.name, identity: event.identity)
    if event.phase == .asyncBegin {
      _ = threads.place(of: event.thread)
      measuring[measure] = (event.instant, event.thread)
      pieces += 1
    } else if let (begin, thread) = measuring.removeValue(forKey: measure), begin <= event.instant {
      threads[thread].measures.append(
        RecordedSlice(
          name: Int32(event.name), depth: 0, begin: .nanoseconds(begin),
          length: .nanoseconds(event.instant - begin)))
    }
  }

  private mutating func takeFlow(_ event: ChromeEvent) {
    func point(_ chain: UInt64, isEnd: Bool, isBegin: Bool, _ bindsEnclosing: Bool) {
      let isOurs = event.stream.process == process
      let thread = isOurs ? threads.place(of: event.thread) : nil
      flows.add(
        FlowPosts.Point(
          chain: chain, instant: event.instant, thread: thread, isEnd: isEnd, isBegin: isBegin,
          bindsEnclosing: bindsEnclosing))
      pieces += 1
    }
    // Such a chain has a number that is unique within its name and category.
    let chain = event.identity ^ UInt64(event.name) &* 0x9E37_79B9_7F4A_7C15
    switch event.phase {
    case .flowBegin: point(chain, isEnd: false, isBegin: true, true)
    case .flowStep: point(chain, isEnd: true, isBegin: true, true)
    case .flowEnd: point(chain, isEnd: true, isBegin: false, event.bindsEnclosing)
    case .complete, .begin:
      guard let bound = event.bound, event.flowsIn || event.flowsOut else { return }
      point(bound, isEnd: event.flowsIn, isBegin: event.flowsOut, true)
    default: break
    }
  }

  /// Reads the data of DevTools and Chrome about the machine.
  mutating func readMetadata(_ reader: inout JSONReader) throws(InputError) {
    try reader.object { (reader, key) throws(InputError) in
      switch (key, try reader.kind()) {
      case ("num-cpus", .number), ("cpu-num-cores", .number), ("hardwareConcurrency", .number):
        if let count = try reader.fixedPoint(places: 0).value { cores = Int(count) }
      case ("cpuThrottling", .number):
        let factor = try reader.number()
        if factor > 1, factor < 1000 {
          let text = factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
          doubts.append("the browser made its main thread \(text) times slower while recording")
        }
      default: try reader.skip()
      }
    }
  }

  consuming func gathered(
    format: RecordingFormat, process: RecordedProcess, names: [String], begin: Int64
  ) -> GatheredRecording {
    // A main thread that hangs at the end of the recording.
    let end = end
    var openSince: Int64?
    for thread in threads.order where threads[thread].name == UIThread.chromeMain {
      openSince = threads[thread].closeOpen(at: end) ?? openSince
    }
    let settled = settled(since: begin)
    let names = nameCalls(names)
    if !foreign.isEmpty {
      doubts.append(
        "frames of other sites run in other processes and are not part of it: "
          + foreign.map(\.printable).joined(separator: ", "))
    }
    let found = frames.found(openSince: openSince)
    let omissions = omissions(beside: found)
    if format == .chrome, !found.frames.isEmpty, found.frames.allSatisfy({ $0.work == nil }) {
      doubts.append(
        "the compositor's frames were recorded, but not the main thread's part of them: the trace lacks the "
          + "categories devtools.timeline and cc")
    }
    for (thread, arrow) in timers.arrows {
      if let place = threads.known(thread) { flows.add(arrow, to: place) }
    }
    return GatheredRecording(
      format: format, process: process, begin: begin, names: names, threads: threads,
      flows: flows, frames: found.frames, stageMarks: found.stageMarks, timings: .page(page),
      period: found.period,
      cores: cores.flatMap { (1...65_536).contains($0) ? $0 : nil }, doubts: doubts,
      omissions: omissions, page: address, settled: settled, inputs: inputs)
  }

  /// The page's frames that are not among those of its process, or of its layer trees. The browser changes the process with the
  /// site, and a page that drops frames draws fewer, so its process may not be the chosen one.
  private func omissions(beside found: FoundFrames) -> [String] {
    var omissions: [String] = []
    for (process, site) in elsewhere {
      var count = FrameCount()
      count.add(otherFrames[process]?.found().frames ?? [])
      guard count.wanted > 0 else { continue }
      omissions.append(
        "what the page drew in another process: \(site.printable) with \(count.words)"
      )
    }
    if found.others.wanted > 0 {
      omissions.append(
        "what the page drew at the same time in other layer trees: "
          + found.others.words)
    }
    return omissions
  }

  /// The end of the task in which V8's profiler began. It compiles all functions again, and so holds up the first script that runs
  /// behind it for some 0.1 s. A longer task is the app's own, and nothing is left out.
  private func settled(since begin: Int64) -> Int64? {
    threads.order.lazy.filter { threads[$0].name == UIThread.chromeMain }
      .compactMap { thread -> Int64? in
        guard let start = profiles.begin(on: thread), start - begin <= Self.longestStart
        else { return nil }
        let end = threads[thread].end(around: start) ?? start
        return end - start <= Self.longestHold ? end : nil
      }.max()
  }

  /// How long the profiler's start can hold up a task at most, in nanoseconds.
  private static let longestHold: Int64 = 300_000_000

  /// A profile that begins later, in nanoseconds since the begin of the recording, is not a part of its start.
  private static let longestStart: Int64 = 2_000_000_000

  /// Gives calls the names of the app's functions in them, where the browser names a function of a library, or none. Returns
  /// `names` with those that were added.
  private mutating func nameCalls(_ names: [String]) -> [String] {
    let profiled = profiles.threads(site: site)
    guard !profiled.isEmpty else { return names }
    let functions = calls.mapValues {
      $0.isOfLibrary(in: site) ? ProfiledThread.Call.Function.library : .app
    }
    var kinds: [Int32: ProfiledThread.Call.Function] = [:]
    for (name, text) in names.enumerated() {
      kinds[Int32(name)] = functions[name] ?? (AppCalls.isUnnamed(text) ? .unnamed : nil)
    }
    var names = names
    var places = Dictionary(
      names.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
    for (number, samples) in profiled where threads.known(number) != nil {
      threads[number].rename({ kinds[$0.name] != nil }) { slices in
        let calls = slices.map { slice in
          ProfiledThread.Call(
            span: slice.begin.nanoseconds..<max(slice.begin.nanoseconds, slice.end.nanoseconds),
            function: kinds[slice.name] ?? .unnamed)
        }
        return samples.names(of: calls).map { name in
          guard let name else { return nil }
          if let known = places[name] { return known }
          names.append(name)
          places[name] = Int32(names.count - 1)
          return Int32(names.count - 1)
        }
      }
    }
    return names
  }
}
