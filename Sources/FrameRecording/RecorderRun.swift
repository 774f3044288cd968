internal import Concurrency
internal import Foundation
internal import FrameBudget
internal import MainJobs
internal import Synchronization

/// A recording under way: what threads note goes through a buffer to a thread that writes it.
final class RecorderRun: Sendable {
  private struct State {
    var summary = RecordingSummary()
    var failure: FrameRecorderError?
  }

  /// For a second of a busy app.
  static let room = 1 << 14
  private static let pause: Int64 = 100_000_000

  private let buffer: NoteBuffer
  private let parker = makeParker()
  private let isOver = Atomic(false)
  private let posts = Atomic<UInt32>(0)
  private let state = Locked(State())
  private let writer = Locked<PlatformThread?>(nil)

  init(path: String, app: String, refresh: RefreshRate, room: Int = room) throws(FrameRecorderError)
  {
    buffer = NoteBuffer(room: room)
    let trace = NotedTrace(from: ThreadUse.clock, refresh)
    var output = try TraceOutput(creating: path)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    for event in NotedTrace.opening(app, cores: cores) { try output.add(event) }
    try output.flush()
    do {
      let opened = output
      let thread = try PlatformThread(name: "frame-recorder") { [self] in
        write(trace, to: opened)
      }
      writer.withLock { $0 = thread }
    } catch {
      throw .noThread("\(error)")
    }
  }

  // MARK: Any thread

  func note(
    _ kind: Note.Kind, on track: NotedTrack = .current(), from began: Int64, to ended: Int64
  ) {
    if buffer.add(Note(kind: kind, track: track, began: began, ended: ended)) { parker.unpark() }
  }

  /// Notes that something was handed over; the number by which its run is to be noted.
  func notePost() -> UInt32 {
    // Zero stands for nothing; numbers come again after two billions of posts.
    let number = posts.wrappingAdd(1, ordering: .relaxed).newValue | 1 << 31
    let now = ThreadUse.clock
    note(.post(number), from: now, to: now)
    return number
  }

  /// Writes what is left, and ends.
  func finish() throws(FrameRecorderError) -> RecordingSummary {
    isOver.store(true, ordering: .releasing)
    parker.unpark()
    writer.withLock { $0.take() }?.join()
    let (summary, failure) = state.withLock { ($0.summary, $0.failure) }
    if let failure { throw failure }
    return summary
  }

  // MARK: The writer

  private func write(_ trace: NotedTrace, to output: TraceOutput) {
    var (trace, output) = (trace, output)
    var isLast = false
    while !isLast {
      parker.park(forNanoseconds: Self.pause)
      isLast = isOver.load(ordering: .acquiring)
      do throws(FrameRecorderError) {
        try writeNotes(&trace, to: &output)
        if isLast { try output.close() }
      } catch {
        // What is on the disk by now is a whole recording; what comes is lost.
        return state.withLock { $0.failure = error }
      }
    }
  }

  private func writeNotes(
    _ trace: inout NotedTrace, to output: inout TraceOutput
  ) throws(FrameRecorderError) {
    let (notes, lost) = buffer.take()
    for note in notes {
      try trace.write(note) { (event) throws(FrameRecorderError) in try output.add(event) }
    }
    if lost > 0 { try output.add(trace.loss(of: lost, at: ThreadUse.clock)) }
    try output.flush()
    state.withLock {
      $0.summary.notes += notes.count
      $0.summary.lost += lost
    }
  }
}

/// What a recording came to.
public struct RecordingSummary: Hashable, Sendable {
  /// Intervals, frames, tasks and posts that were written.
  public internal(set) var notes = 0
  /// How many of them found no room, as they came faster than they could be written; the trace says where.
  public internal(set) var lost = 0
}
