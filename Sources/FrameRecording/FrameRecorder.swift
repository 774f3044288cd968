internal import Concurrency
public import FrameBudget
internal import Foundation
internal import MainJobs

/// Records what the main thread of a running app is busy with, for `framebudget learn`.
///
/// ```swift
/// import FrameRecording
///
/// try FrameRecorder.start(to: "app.json")
/// …
/// try FrameRecorder.stop()
/// ```
///
/// By itself it notes each job of the main actor and each event of a scheduler of SchedulableObjects, with when they were posted. What
/// they do, and what a frame is, the app says:
///
/// ```swift
/// let image = FrameRecorder.interval("decode") { decode(bytes) }
/// FrameRecorder.frame { draw(scene) }
/// ```
///
/// While nothing is recorded, these cost a look at a flag. The file is written as things happen, by a thread of its own, and
/// is whole after each write; it grows by some hundred bytes for each thing noted, and the memory not at all.
public enum FrameRecorder {
  private static let current = Locked<RecorderRun?>(nil)

  /// Begins a recording.
  ///
  /// - Parameters:
  ///   - path: of the trace, where there must be no file yet; JSON, whatever it is called.
  ///   - app: what the trace calls the app; the process's name if nil.
  ///   - refresh: how often the screen can show a new picture.
  /// - Throws: `isWatched` while another recording or a measurement is under way, or why nothing can be written.
  public static func start(
    to path: String, app: String? = nil, refresh: RefreshRate = RefreshRate(60)
  ) throws(FrameRecorderError) {
    let witness = RecorderWitness()
    // Whoever has the main actor has the rest.
    guard MainJobs.begin(witness) else { throw .isWatched }
    do throws(FrameRecorderError) {
      let run = try RecorderRun(
        path: path, app: app ?? ProcessInfo.processInfo.processName, refresh: refresh)
      current.withLock { $0 = run }
    } catch {
      MainJobs.end()
      throw error
    }
    ObservedWork.begin(showing: witness)
  }

  /// Ends the recording.
  ///
  /// - Returns: how much was noted.
  /// - Throws: `isOff` where there is none, or that the file could not be written; what is there by then can be read.
  @discardableResult
  public static func stop() throws(FrameRecorderError) -> RecordingSummary {
    guard let run = current.withLock({ $0.take() }) else { throw .isOff }
    ObservedWork.end()
    MainJobs.end()
    return try run.finish()
  }

  static var run: RecorderRun? { ObservedWork.isOn ? current.withLock { $0 } : nil }

  /// Does `work`, and notes from when to when.
  ///
  /// On the main thread intervals become the services of what is learned. One lies within another or beside it; across an
  /// `await` each part is one of its own.
  ///
  /// - Parameters:
  ///   - name: what is done, the same each time; digits are no part of it, and a `/` is written as `:`.
  ///   - work: what is done.
  /// - Returns: what `work` does.
  /// - Throws: what `work` does.
  public static func interval<Result, Failure: Error>(
    _ name: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let run else { return try work() }
    let began = ThreadUse.clock
    defer { run.note(.interval(name), from: began, to: ThreadUse.clock) }
    return try work()
  }

  /// Draws a frame, and notes from when to when.
  ///
  /// - Parameters:
  ///   - vsync: when the vsync was that the frame belongs to, where the platform says that. If nil, vsyncs are taken to be as
  ///     far apart as the refresh rate says, and as early as frames have begun.
  ///   - wanted: since when something new was to be shown. If nil, since the vsync behind that of the frame before: right for
  ///     an app that draws at every vsync.
  ///   - draw: draws it, on the main thread.
  /// - Returns: what `draw` does.
  /// - Throws: what `draw` does.
  public static func frame<Result, Failure: Error>(
    vsync: ContinuousClock.Instant? = nil, wantedSince wanted: ContinuousClock.Instant? = nil,
    _ draw: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let run else { return try draw() }
    let frame = TimedFrame(vsync: vsync.map(nanoseconds), wanted: wanted.map(nanoseconds))
    let began = ThreadUse.clock
    defer { run.note(.frame(frame), on: .main, from: began, to: ThreadUse.clock) }
    return try draw()
  }

  /// An instant on the clock of the notes, which need not begin where the other one does.
  private static func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 {
    let age = ContinuousClock.now - instant
    return ThreadUse.clock - Int64(age / .nanoseconds(1))
  }
}

/// Notes what comes to the main actor and to schedulers.
private struct RecorderWitness: MainJobWitness, WorkWitness {
  func posted(_ job: UInt) -> PostedJob? {
    guard let run = FrameRecorder.run else { return nil }
    return PostedJob(item: run.notePost(), poster: 0, posted: 0)
  }

  func run(_ job: PostedJob, _ body: () -> Void) {
    let began = ThreadUse.clock
    body()
    let ended = ThreadUse.clock
    FrameRecorder.run?.note(.task(post: job.item), on: .main, from: began, to: ended)
  }

  func posted() -> UInt32 { FrameRecorder.run?.notePost() ?? 0 }

  func ran(_ segment: WorkSegment) {
    FrameRecorder.run?.note(
      .task(post: segment.item), on: .current(name: segment.place), from: segment.began,
      to: segment.ended)
  }
}
