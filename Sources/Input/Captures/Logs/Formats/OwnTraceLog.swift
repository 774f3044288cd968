import FrameBudget
import FrameBudgetParsing

/// The project's own traces (`run --trace`), whose frames say as much as lines of the per-frame CSV: reconstructs the exact row
/// of every run.
struct OwnTraceLog {
  /// A process of the file.
  private struct Process {
    let number: Int
    let key: StreamKey
    /// Nil if it is no run, and does not say them.
    let refresh: RefreshRate?
    let length: Int64?
    var run: OwnRun?
  }

  /// The process whose events are read; those of another one come later.
  private var process: Process?
  private var finished: [ImportedFrames] = []
  private var known: Set<Int> = []
  private var areAllRuns = true
  private let requested: RefreshRate?

  private init(requested: RefreshRate?) { self.requested = requested }

  /// Nil if the file has processes that are not runs, such as apps that recorded themselves.
  static func read(
    _ source: consuming ByteSource, requested: RefreshRate?
  ) throws(InputError) -> [ImportedFrames]? {
    var log = Self(requested: requested)
    var reader = TraceReader()
    try reader.read(source) { (trace, event, reader) throws(InputError) in
      do throws(InputError) {
        try log.take(event, trace)
      } catch {
        throw reader.failure(error.reason)
      }
    }
    log.finishRun()
    return log.areAllRuns ? log.finished : nil
  }

  private mutating func take(
    _ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader
  ) throws(InputError) {
    if event.kind == .metadata, case .about(.process) = event.meaning {
      try begin(event, trace)
    }
    guard event.kind == .span, event.category == .frame, var process = self.process,
      let refresh = process.refresh, let length = process.length
    else { return }
    guard event.process == process.number else {
      throw InputError("the frame is not of the newest run, \(process.number)")
    }
    // Otherwise all frames of the run would be copied.
    self.process = nil
    var otherCause: String?
    let frame = try Self.frame(event, trace, otherCause: &otherCause)
    if process.run == nil {
      process.run = OwnRun(
        refresh: refresh, duration: .nanoseconds(length), first: frame, requested: requested)
    }
    try process.run?.add(frame, otherCause: otherCause)
    self.process = process
  }

  private mutating func begin(
    _ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader
  ) throws(InputError) {
    guard known.insert(event.process).inserted else { return }
    guard known.count <= StreamTable.maxRuns else {
      throw InputError("more than \(StreamTable.maxRuns) runs")
    }
    finishRun()
    let process = Process(
      number: event.process,
      key: StreamKey(
        process: trace.text(.name, of: event) ?? "process \(event.process)", app: ""),
      refresh: trace.text(.refresh, of: event).flatMap { RefreshRate(printed: $0) },
      length: event[.duration].map { Int64($0) })
    guard (process.refresh == nil) == (process.length == nil) else {
      throw InputError("refresh_hz and duration_ms are needed")
    }
    guard process.length.map(InputTime.spans.contains) ?? true else {
      throw InputError("duration_ms is longer than a day, or negative")
    }
    if process.refresh == nil { areAllRuns = false }
    self.process = process
  }

  private mutating func finishRun() {
    if let process, let run = process.run { finished.append(run.imported(process.key)) }
    process = nil
  }

  private static func frame(
    _ event: borrowing ReadTraceEvent, _ trace: borrowing TraceReader,
    otherCause other: inout String?
  ) throws(InputError) -> FrameRecord {
    guard let begin = event[.beginVsync], let shown = event[.presentVsync],
      let due = event[.dueVsync], let ready = event[.ready], let dropped = event[.dropped]
    else { throw InputError("a frame lacks vsyncs, or the time at which it was ready") }
    func cause(_ fact: TraceArgument) -> Cause? {
      FrameRecord.cause(trace.text(fact, of: event) ?? "", otherwise: &other)
    }
    let frame = FrameRecord(
      beginVsync: begin, askedVsync: event[.askedVsync], dueVsync: due, presentVsync: shown,
      begin: Instant(nanoseconds: event.begin), workEnd: Instant(nanoseconds: event.end),
      ready: Instant(nanoseconds: Int64(ready)), dropped: dropped, cause: cause(.cause),
      beginCause: cause(.beginCause), isStuffed: event[.isStuffed] == 1,
      isOnDemand: event[.isOnDemand] == 1, items: 0, queueDepth: 0, spans: PhaseSpans(),
      hangsBetween: try FrameRecord.hangs(trace.text(.hangsBetween, of: event) ?? ""))
    try frame.check()
    return frame
  }
}
