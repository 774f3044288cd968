internal import SchedulableThreads
internal import Foundation
internal import FrameBudget
internal import Synchronization

/// A recording in progress: threads put notes into a buffer, and one thread writes them.
final class RecorderRun: Sendable {
  private struct State {
    var summary = RecordingSummary()
    var failure: FrameRecorderError?
  }

  /// Enough for a second of a busy app.
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

  /// Notes a post. Returns its number, for the note of its run.
  func notePost() -> UInt32 {
    // Never zero, which means none. Numbers repeat after two billion posts.
    let number = posts.wrappingAdd(1, ordering: .relaxed).newValue | 1 << 31
    let now = ThreadUse.clock
    note(.post(number), from: now, to: now)
    return number
  }

  /// Writes the remaining notes, and ends the recording.
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
        // The file so far is a complete recording; later notes are lost.
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

/// The numbers of written and lost notes of a recording.
public struct RecordingSummary: Hashable, Sendable {
  /// The number of intervals, frames, tasks and posts that were written.
  public internal(set) var notes = 0
  /// The number of notes that were lost because they came faster than they could be written. The trace marks the places.
  public internal(set) var lost = 0
}
