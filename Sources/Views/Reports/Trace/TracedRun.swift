public import FrameBudgetParsing
internal import FrameBudget

/// A run that was read from a trace: its frames and vsyncs, and the work of its threads in the part that the page draws.
public struct TracedRun: Sendable {
  public internal(set) var name = ""
  /// The name of the result that it belongs to, if there are several; otherwise empty.
  var origin = ""
  var repetition = 1
  var place = Place(file: 0, process: 0)

  /// The place of a run: the number of its file on a page, and its own in the file.
  struct Place: Hashable {
    var file: Int
    let process: Int
  }

  /// Main first; their spans and those of locks are read later, for a part of the run.
  var threads: [Thread] = []
  /// Each span is a hold of the lock, named by its thread.
  var locks: [Thread] = []
  /// By what suspended items waited for; each span is named by their number.
  var waits: [Thread] = []
  var frames: [Frame] = []
  /// By number, from 1.
  var vsyncs: [Int: Int64] = [:]
  var lastVsync: Int64 = 0

  struct Thread: Sendable {
    let name: String
    /// Its number in the file.
    var number = 0
    var spans: [Span] = []
  }

  /// From one instant to another, in nanoseconds.
  struct Span: Sendable {
    let begin: Int64
    let end: Int64
    let kind: Kind
    /// The name; for a wait, that of the lock or of the part of drawing.
    let name: String
  }

  /// In the order of a legend.
  enum Kind: Int, CaseIterable, Sendable {
    case wakeup, preempted, post, logic, drain, release, reads, render, lockWait, lockHold,
      suspended, partWait
  }

  struct Frame: Sendable {
    let span: Range<Int64>
    let begin: Int
    /// The vsync that it was asked for.
    let asked: Int
    let shown: Int
    let late: Int
    let cause: Cause?
  }

  /// The frame with the longest gap on the screen before it, the first of equal ones; nil if none was late.
  var worst: Frame? {
    frames.reduce(nil) { worst, frame in
      frame.late > worst?.late ?? 0 ? frame : worst
    }
  }

  /// Gaps of more than a minute between the work of two frames.
  public var gaps: LongGaps {
    var gaps = LongGaps()
    var end: Int64 = 0
    for span in frames.map(\.span).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      gaps.add(span.lowerBound - end)
      end = max(end, span.upperBound)
    }
    return gaps
  }

  /// The time of a vsync; a vsync after the run's last is a period later.
  func instant(ofVsync number: Int) -> Int64 {
    number <= 0 ? 0 : vsyncs[number] ?? lastVsync + period
  }

  var period: Int64 { vsyncs[1] ?? 16_666_667 }
}

/// The traced runs of a file of any size. Their frames are kept; the work of their threads is read when it is known which part
/// of it a page draws.
public struct TracedRuns: Sendable {
  private let input: RereadableInput
  /// The first repetition of each run, in the order of the file.
  public private(set) var runs: [TracedRun] = []

  /// The limit for frames of all runs, two hours at 120 Hz, and for spans in a picture.
  private static let most = 1 << 20
  /// The limit for runs and for what each of them names, which a page lists.
  static let mostNamed = 1 << 14

  /// `origin` is the name of the result that it belongs to, if there are several.
  public init(_ source: consuming ByteSource, origin: String = "") throws(InputError) {
    input = try RereadableInput(source)
    var gatherer = Gatherer()
    try input.readTrace { (trace, event, reader) throws(InputError) in
      gatherer.take(event, trace)
      if gatherer.count > Self.most {
        throw reader.failure("more than \(Self.most) frames and vsyncs")
      }
      if gatherer.named > Self.mostNamed {
        throw reader.failure("more than \(Self.mostNamed) runs, threads and locks")
      }
    }
    runs = gatherer.runs.filter { $0.repetition == 1 }
    if runs.isEmpty {
      throw InputError(
        "is JSON, but not a trace of 'run --trace'; a run.json is read with its summary.csv",
        file: input.name)
    }
    for index in runs.indices { runs[index].origin = origin }
  }

  /// The same as the file with that number on a page.
  func numbered(_ number: Int) -> Self {
    var numbered = self
    for index in runs.indices { numbered.runs[index].place.file = number }
    return numbered
  }

  /// The runs that have a window, with the work of their threads within it.
  func drawn(
    in windows: [TracedRun.Place: ThreadPicture.Window]
  ) throws(InputError) -> [TracedRun] {
    var drawn: [Int: (index: Int, window: ThreadPicture.Window)] = [:]
    for (index, run) in runs.enumerated() {
      if let window = windows[run.place] { drawn[run.place.process] = (index, window) }
    }
    guard !drawn.isEmpty else { return [] }
    var (runs, count) = (runs, 0)
    var waits = runs.map { _ in SuspendedWaits() }
    try input.readTrace { (trace, event, reader) throws(InputError) in
      guard let (index, window) = drawn[event.process] else { return }
      if event.category == .suspended {
        if waits[index].take(event, trace.names[event.name], in: window) { count += 1 }
      } else if event.kind == .span, event.category != .frame,
        event.end > window.from, event.begin < window.to,
        let kind = TracedRun.Kind(event, trace)
      {
        count += 1
        runs[index].add(kind, event, trace)
      }
      guard count + waits[index].openCount <= Self.most else {
        throw reader.failure("more than \(Self.most) spans")
      }
    }
    for index in runs.indices { runs[index].waits = waits[index].rows }
    return drawn.values.map { runs[$0.index] }
  }
}

/// The waits of a run's suspended items, which may overlap.
private struct SuspendedWaits {
  /// By the number of the wait.
  private var open: [Int: (name: String, begin: Int64)] = [:]
  /// By what they waited for: the instants at which the number of waiting items changes, and by how much.
  private var changes: [(name: String, steps: [(at: Int64, by: Int)])] = []
  private var places: [String: Int] = [:]

  /// The number of waits that have not ended.
  var openCount: Int { open.count }

  /// Returns whether it kept a wait, which overlaps the window.
  mutating func take(
    _ event: borrowing ReadTraceEvent, _ name: String, in window: ThreadPicture.Window
  ) -> Bool {
    if event.kind == .waitBegin {
      open[event.flow] = (name, event.begin)
      return false
    }
    guard event.kind == .waitEnd, let (name, begin) = open.removeValue(forKey: event.flow),
      event.begin > window.from, begin < window.to
    else { return false }
    let place = places[name] ?? changes.count
    if place == changes.count {
      places[name] = place
      changes.append((name, []))
    }
    changes[place].steps += [(begin, 1), (event.begin, -1)]
    return true
  }

  /// A row for each thing that was waited for, with a span for each time with the same number of waiting items.
  var rows: [TracedRun.Thread] {
    changes.map { name, steps in
      var (count, last) = (0, Int64.min)
      var spans: [TracedRun.Span] = []
      for step in steps.sorted(by: { $0.at < $1.at }) {
        if count > 0, step.at > last {
          spans.append(
            TracedRun.Span(
              begin: last, end: step.at, kind: .suspended, name: English.count(count, "item")))
        }
        (count, last) = (count + step.by, step.at)
      }
      return TracedRun.Thread(name: name, spans: spans)
    }
  }
}

extension RereadableInput {
  fileprivate func readTrace(
    _ body: (borrowing TraceReader, borrowing ReadTraceEvent, borrowing JSONReader)
      throws(InputError) -> Void
  ) throws(InputError) {
    do throws(InputError) {
      var reader = TraceReader()
      try reader.read(open(), body)
    } catch {
      throw error.of(name)
    }
  }
}

/// Gathers the frames of runs, and the names of their threads.
private struct Gatherer {
  private(set) var runs: [TracedRun] = []
  /// The number of kept frames and vsyncs.
  private(set) var count = 0
  /// The number of runs, threads and locks.
  private(set) var named = 0
  private var places: [Int: Int] = [:]

  mutating func take(_ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader) {
    if event.kind == .metadata, case .about(.process) = event.meaning,
      places[event.process] == nil
    {
      places[event.process] = runs.count
      named += 1
      var run = TracedRun()
      run.name = trace.text(.name, of: event) ?? ""
      run.repetition = event[.repetition] ?? 1
      run.place = TracedRun.Place(file: 0, process: event.process)
      runs.append(run)
    }
    guard let place = places[event.process] else { return }
    switch (event.kind, event.meaning) {
    case (.metadata, .about(.thread)): addTrack(event, trace, to: place)
    case (.mark, .screen(.vsync)):
      guard runs[place].repetition == 1, let number = event[.vsync] else { return }
      runs[place].vsyncs[number] = event.begin
      runs[place].lastVsync = max(runs[place].lastVsync, event.begin)
      count += 1
    default:
      guard runs[place].repetition == 1, let frame = TracedFrame(event) else { return }
      runs[place].frames.append(TracedRun.Frame(frame, event, trace))
      count += 1
    }
  }

  private mutating func addTrack(
    _ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader, to place: Int
  ) {
    let number = event.thread
    let isNamed = [runs[place].threads, runs[place].locks].contains { tracks in
      tracks.contains { $0.number == number }
    }
    guard !isNamed else { return }
    named += 1
    let thread = TracedRun.Thread(name: trace.text(.name, of: event) ?? "", number: number)
    switch trace.text(.role, of: event).flatMap(TrackRole.init(rawValue:)) {
    case .lock: runs[place].locks.append(thread)
    case .thread: runs[place].threads.append(thread)
    case .screen, nil: return
    }
  }
}

extension TracedRun {
  fileprivate mutating func add(
    _ kind: Kind, _ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader
  ) {
    let number = event.thread
    let awaited: String? =
      switch kind {
      case .lockWait: trace.text(.lock, of: event)
      case .partWait: trace.text(.name, of: event)
      default: nil
      }
    let span = Span(
      begin: event.begin, end: event.end, kind: kind,
      name: awaited ?? trace.names[event.name])
    if let index = threads.firstIndex(where: { $0.number == number }) {
      threads[index].spans.append(span)
    } else if let index = locks.firstIndex(where: { $0.number == number }) {
      locks[index].spans.append(span)
    }
  }
}

extension TracedRun.Kind {
  /// Nil for events within another one that shows the same.
  fileprivate init?(_ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader) {
    switch event.category {
    case .wakeup: self = .wakeup
    case .preempted: self = .preempted
    case .post: self = .post
    case .step: self = .logic
    case .lock: self = trace.text(.name, of: event) == nil ? .lockWait : .partWait
    case .lockHold: self = .lockHold
    case .phase:
      let name = trace.names[event.name]
      guard let kind = Phase.allCases.first(where: { $0.name == name })?.kind else { return nil }
      self = kind
    default: return nil
    }
  }
}

extension TracedRun.Frame {
  fileprivate init(
    _ frame: TracedFrame, _ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader
  ) {
    var other: String?
    let causes = GapCauses(
      begin: trace.cause(.beginCause, of: event, otherwise: &other),
      own: trace.cause(.cause, of: event, otherwise: &other))
    span = frame.work
    begin = frame.beginVsync ?? 0
    asked = frame.askedVsync ?? begin
    shown = frame.presentVsync ?? 0
    // Traces of earlier versions.
    late = frame.dropped ?? event[.lateVsyncs] ?? 0
    cause = causes.main(
      in: DisplayGap(from: shown - late, to: shown, due: frame.dueVsync ?? begin + 1))
  }
}
