internal import FrameBudget
internal import FrameBudgetParsing

/// The project's own traces, of `run --trace` and of the library FrameRecording, as recordings.
struct OwnRecording: RecordingReader {
  static func isOwn(_ opening: [UInt8]) -> Bool { TraceReader.recognises(opening) }

  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads {
    var reader = TraceReader()
    var indexer = OwnIndexer()
    try reader.read(try input.open()) { (trace, event, reader) throws(InputError) in
      indexer.take(event, trace)
      if let excess = RecordingLimits.excess(threads: indexer.count) {
        throw reader.failure(excess)
      }
    }
    return try indexer.found()
  }

  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording {
    var reader = TraceReader()
    var gatherer = OwnGatherer(process: process.number, counts: found.counts(of: process.number))
    try reader.read(try input.open()) { (trace, event, reader) throws(InputError) in
      gatherer.take(event, trace)
      if let excess = RecordingLimits.excess(kept: gatherer.kept, names: trace.names.size) {
        throw reader.failure(excess)
      }
    }
    return gatherer.gathered(process: process, names: reader.names.names, begin: found.begin)
  }
}

extension ReadTraceEvent {
  /// Whether it is a span of work; waiting for a frame is none.
  fileprivate var isWork: Bool { kind == .span && category != .wakeup }

  fileprivate var track: TraceTrack { TraceTrack(process: process, thread: thread) }
}

/// Counts the slices of each thread in one of the project's own traces.
private struct OwnIndexer {
  private var counted = CountedThreads()
  private var begin = Int64.max

  var count: Int { counted.count }

  mutating func take(_ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader) {
    if event.isWork {
      counted[event.track].counter.add(from: event.begin, length: event.length)
      begin = min(begin, event.begin)
    }
    guard event.kind == .metadata, case .about(let about) = event.meaning else { return }
    if about == .process { counted.processes[event.process] = trace.text(.name, of: event) }
    guard about == .thread else { return }
    if let name = trace.text(.name, of: event) { counted[event.track].name = name }
    counted[event.track].isTrack = trace.isTrack(event)
  }

  consuming func found() throws(InputError) -> FoundThreads {
    let found = counted.found()
    guard !found.isEmpty else { throw InputError("is a trace, but holds no work of any thread") }
    return FoundThreads(.framebudget, found, begin: begin)
  }
}

extension TraceReader {
  /// Whether metadata of a track says that it is a track beside those of threads.
  fileprivate func isTrack(_ event: borrowing ReadTraceEvent) -> Bool {
    text(.role, of: event).map { $0 != TrackRole.thread.rawValue } ?? false
  }
}

/// Gathers the data of one run in the project's own traces.
private struct OwnGatherer {
  private let process: Int
  private var threads: GatheredThreads
  private var tracks: Set<Int> = []
  private var flows = FlowPosts()
  private var frames = OwnFrames()
  private var cores: Int?
  /// The numbers of the names of steps and of an app's own intervals.
  private var stepNames: Set<Int> = []
  private var lost = 0
  private var pieces = 0
  /// When the app's recorder wrote last, and the end of all that it wrote of the app.
  private var written: Int64?
  private var worked = Int64.min

  init(process: Int, counts: [Int: Int]) {
    self.process = process
    threads = GatheredThreads(expecting: counts)
  }

  /// The number of kept values.
  var kept: Int { pieces + frames.count }

  mutating func take(_ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader) {
    guard event.process == process else { return }
    switch event.kind {
    case .metadata: describe(event, trace)
    case .mark where event.category == .trace:
      lost += event[.lost] ?? 0
      if trace.names[event.name] == TraceEvent.time { written = event.begin }
    case .mark: frames.mark(event)
    case .span where event.isWork && !tracks.contains(event.thread): add(event)
    case .flowBegin: point(event, isEnd: false)
    case .flowEnd: point(event, isEnd: true)
    case .span, .waitBegin, .waitEnd, nil: break
    }
  }

  private mutating func describe(
    _ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader
  ) {
    guard case .about(let about) = event.meaning else { return }
    if about == .cores, let count = event[.cores] { cores = max(cores ?? 0, count) }
    guard about == .thread else { return }
    guard !trace.isTrack(event) else {
      tracks.insert(event.thread)
      return
    }
    let name = trace.text(.name, of: event)
    threads[event.thread].name = name ?? threads[event.thread].name
  }

  private mutating func add(_ event: borrowing ReadTraceEvent) {
    threads[event.thread].add(event.name, from: event.begin, length: event.length)
    worked = max(worked, event.end)
    pieces += 1
    if let frame = TracedFrame(event) { frames.add(frame) }
    if event.category == .step { stepNames.insert(event.name) }
    guard event.category == .step, let workload = event[.workload], let item = event[.item] else {
      return
    }
    threads[event.thread].steps.append(
      NumberedStep(
        begin: event.begin, name: Int32(event.name),
        step: RecordedStep(slice: 0, workload: workload, item: item)))
    pieces += 1
  }

  private mutating func point(_ event: borrowing ReadTraceEvent, isEnd: Bool) {
    flows.add(
      FlowPosts.Point(
        chain: UInt64(bitPattern: Int64(event.flow)), instant: event.begin,
        thread: threads.place(of: event.thread), isEnd: isEnd, isBegin: !isEnd,
        bindsEnclosing: true))
    pieces += 1
  }

  consuming func gathered(
    process: RecordedProcess, names: [String], begin: Int64
  ) -> GatheredRecording {
    let (found, period, last) = frames.found()
    return GatheredRecording(
      format: .framebudget, process: process, begin: begin, names: names,
      ownNames: Set(stepNames.map { names[$0] }), threads: threads,
      flows: flows, frames: found, period: period, lastVsync: last,
      cores: cores.flatMap { (1...65_536).contains($0) ? $0 : nil },
      doubts: lost > 0 ? ["the trace lacks \(lost) spans, for which there was no room"] : [],
      omissions: silence(since: begin).map { [$0] } ?? [])
  }

  /// A long time without any work at the end.
  private func silence(since begin: Int64) -> String? {
    guard let written, worked > .min else { return nil }
    let (silent, whole) = (written - worked, written - begin)
    guard silent >= Self.longSilence, silent * 10 >= whole else { return nil }
    func seconds(_ span: Int64) -> String { Decimal.text(Double(span) / 1e9, places: 1) }
    return
      "the last \(seconds(silent)) s of \(seconds(whole)) s: the app noted nothing then, so it was idle, or it hung "
      + "outside of tasks, intervals and frames"
  }

  /// In nanoseconds.
  private static let longSilence: Int64 = 1_000_000_000
}
