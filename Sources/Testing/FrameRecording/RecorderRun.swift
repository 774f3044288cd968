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
  /// Posts have numbers with the first bit, and named work with the second; numbers without are of items that `measureFrames`
  /// started. They repeat after two and after one billion.
  private static let ofPosts: UInt32 = 1 << 31
  private static let ofWorks: UInt32 = 1 << 30
  /// Of the process: what is posted in one recording may run in the next, and is no post of that.
  private static let posts = Atomic<UInt32>(0)

  private let buffer: NoteBuffer
  private let parker = makeParker()
  private let isOver = Atomic(false)
  private let works = Atomic<UInt32>(0)
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
    // Never zero, which means none.
    let number = Self.posts.wrappingAdd(1, ordering: .relaxed).newValue | Self.ofPosts
    let now = ThreadUse.clock
    note(.post(number), from: now, to: now)
    return number
  }

  /// Begins named work or a frame, for `end`.
  func begin(_ kind: Note.Kind, on track: NotedTrack = .current()) -> OpenWork {
    let count = works.wrappingAdd(1, ordering: .relaxed).newValue
    let number = count & (Self.ofWorks - 1) | Self.ofWorks
    return begin(kind, number: number, on: track)
  }

  /// Begins the run of what was posted under that number.
  @discardableResult
  func begin(post number: UInt32, on track: NotedTrack) -> OpenWork {
    begin(.task(post: number), number: number, on: track)
  }

  private func begin(_ kind: Note.Kind, number: UInt32, on track: NotedTrack) -> OpenWork {
    let work = OpenWork(number: number, kind: kind, track: track, began: ThreadUse.clock)
    buffer.begin(work)
    return work
  }

  func end(_ work: OpenWork) {
    if buffer.end(work.number, with: work.ending(at: ThreadUse.clock)) { parker.unpark() }
  }

  /// Ends the run of what was posted under that number, whose begin may be unknown.
  func end(post number: UInt32, on track: NotedTrack, from began: Int64, to ended: Int64) {
    let note = Note(kind: .task(post: number), track: track, began: began, ended: ended)
    if buffer.end(number, with: note) { parker.unpark() }
  }

  /// Writes the remaining notes and what is under way, and ends the recording.
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
        try writeNotes(&trace, areLast: isLast, to: &output)
        if isLast { try output.close() }
      } catch {
        // The file so far is a complete recording; later notes are lost.
        return state.withLock { $0.failure = error }
      }
    }
  }

  private func writeNotes(
    _ trace: inout NotedTrace, areLast: Bool, to output: inout TraceOutput
  ) throws(FrameRecorderError) {
    let (notes, lost, open) = buffer.take()
    let now = ThreadUse.clock
    for note in notes {
      try trace.write(note) { (event) throws(FrameRecorderError) in try output.add(event) }
    }
    if lost > 0 { try output.add(trace.loss(of: lost, at: now)) }
    if areLast || !notes.isEmpty || output.isOld(at: now) {
      trace.writeUnfinished(open, at: now) { output.addForNow($0, at: now) }
    }
    try output.flush()
    state.withLock {
      $0.summary.notes += notes.count + (areLast ? open.count : 0)
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
