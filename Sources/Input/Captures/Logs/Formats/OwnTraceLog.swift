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
    guard let frame = TracedFrame(event), var process = self.process,
      let refresh = process.refresh, let length = process.length
    else { return }
    guard event.process == process.number else {
      throw InputError("the frame is not of the newest run, \(process.number)")
    }
    // Otherwise all frames of the run would be copied.
    self.process = nil
    var otherCause: String?
    let record = try trace.record(of: frame, event, otherCause: &otherCause)
    if process.run == nil {
      process.run = OwnRun(
        refresh: refresh, duration: .nanoseconds(length), first: record, requested: requested)
    }
    try process.run?.add(record, otherCause: otherCause)
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
}
