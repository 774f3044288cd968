internal import SchedulableThreads
public import FrameBudget
internal import Foundation

/// Records the work of a running app's main thread, for `framebudget learn`.
///
/// ```swift
/// import FrameRecording
///
/// try FrameRecorder.start(to: "app.json")
/// …
/// try FrameRecorder.stop()
/// ```
///
/// It notes each job of the main actor and each event of SchedulableObjects' schedulers, with the time of its post. The app
/// names intervals and marks frames:
///
/// ```swift
/// let image = FrameRecorder.interval("decode") { decode(bytes) }
/// FrameRecorder.frame { draw(scene) }
/// ```
///
/// While no recording is on, these calls cost reads of two flags. A separate thread writes the file during the recording. The
/// file is complete after each write and grows by a few hundred bytes per note; memory does not grow.
public enum FrameRecorder {
  private static let current = Locked<RecorderRun?>(nil)

  /// Begins a recording.
  ///
  /// In a program that `framebudget record program` started, the first recording goes to the file that the command reads,
  /// whatever `path` is. In one that `framebudget measure` started, nothing is recorded: the command counts the instructions of
  /// intervals and frames.
  ///
  /// - Parameters:
  ///   - path: the path of the trace, which must not exist yet. The format is JSON, with any file name extension.
  ///   - app: the app's name in the trace; the process's name if nil.
  ///   - refresh: the refresh rate of the screen.
  /// - Throws: `isWatched` during another recording or a measurement; `file` or `noThread` if nothing can be written.
  public static func start(
    to path: String, app: String? = nil, refresh: RefreshRate = RefreshRate(60)
  ) throws(FrameRecorderError) {
    if try InstrumentedSpans.begin() { return }
    let observer = RecorderObserver()
    // Observing the main actor is exclusive, so it also decides who observes schedulers.
    guard MainJobs.begin(observer) else { throw .isWatched }
    do throws(FrameRecorderError) {
      let run = try RecorderRun(
        path: pathFromEnvironment() ?? path, app: app ?? ProcessInfo.processInfo.processName,
        refresh: refresh)
      current.withLock { $0 = run }
    } catch {
      MainJobs.end()
      throw error
    }
    ObservedWork.begin(showing: observer)
  }

  /// Where `framebudget record program` wants the recording, unless it is there already.
  private static func pathFromEnvironment() -> String? {
    ProcessInfo.processInfo.environment["FRAMEBUDGET_RECORDING"].flatMap {
      FileManager.default.fileExists(atPath: $0) ? nil : $0
    }
  }

  /// Ends the recording. Intervals, frames and tasks that are under way end with it.
  ///
  /// - Returns: the numbers of written and lost notes.
  /// - Throws: `isOff` if there is no recording; `file` if the file could not be written. Its contents so far are readable.
  @discardableResult
  public static func stop() throws(FrameRecorderError) -> RecordingSummary {
    if InstrumentedSpans.end() { return RecordingSummary() }
    guard let run = current.withLock({ $0.take() }) else { throw .isOff }
    ObservedWork.end()
    MainJobs.end()
    return try run.finish()
  }

  static var run: RecorderRun? { ObservedWork.isOn ? current.withLock { $0 } : nil }

  /// Runs `work`, and notes its start and end.
  ///
  /// Intervals on the main thread become services of the learned scenario. They may nest; across an `await`, each part is an
  /// interval of its own.
  ///
  /// - Parameters:
  ///   - name: the name of the work, the same each time; digits are ignored, and a `/` is written as `:`.
  ///   - work: the work to run.
  /// - Returns: the result of `work`.
  /// - Throws: the error of `work`.
  public static func interval<Result, Failure: Error>(
    _ name: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let run else { return try InstrumentedSpans.run(name, work) }
    let interval = run.begin(.interval(name))
    defer { run.end(interval) }
    return try work()
  }

  /// Draws a frame, and notes its start and end.
  ///
  /// - Parameters:
  ///   - vsync: the time of the frame's vsync, if the platform provides it. If nil, vsyncs are assumed to be one period
  ///     apart, and as early as frames have begun.
  ///   - wanted: the time from which a new frame was needed. If nil, the vsync after that of the previous frame, which is
  ///     right for an app that draws at every vsync.
  ///   - draw: draws the frame, on the main thread.
  /// - Returns: the result of `draw`.
  /// - Throws: the error of `draw`.
  public static func frame<Result, Failure: Error>(
    vsync: ContinuousClock.Instant? = nil, wantedSince wanted: ContinuousClock.Instant? = nil,
    _ draw: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let run else { return try InstrumentedSpans.run(InstrumentedSpans.frame, draw) }
    let frame = run.begin(
      .frame(TimedFrame(vsync: vsync.map(nanoseconds), wanted: wanted.map(nanoseconds))), on: .main)
    defer { run.end(frame) }
    return try draw()
  }

  /// Converts an instant to the clock of the notes, which may have another zero.
  private static func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 {
    let age = ContinuousClock.now - instant
    return ThreadUse.clock - Int64(age / .nanoseconds(1))
  }
}

/// Notes the posts and runs of the main actor and of schedulers.
private struct RecorderObserver: MainJobObserver, WorkSegmentObserver {
  func posted(_ job: UInt) -> PostedJob? {
    guard let run = FrameRecorder.run else { return nil }
    return PostedJob(item: run.notePost(), poster: 0, posted: 0)
  }

  func run(_ job: PostedJob, _ body: () -> Void) {
    guard let run = FrameRecorder.run else { return body() }
    let work = run.begin(post: job.item, on: .main)
    body()
    run.end(work)
  }

  func posted() -> UInt32 { FrameRecorder.run?.notePost() ?? 0 }

  func began(_ item: UInt32, at place: String) {
    FrameRecorder.run?.begin(post: item, on: .current(name: place))
  }

  func ran(_ segment: WorkSegment) {
    FrameRecorder.run?.end(
      post: segment.item, on: .current(name: segment.place), from: segment.began,
      to: segment.ended)
  }
}
