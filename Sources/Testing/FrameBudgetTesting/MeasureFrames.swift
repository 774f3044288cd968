internal import SchedulableThreads
internal import Foundation
public import FrameBudget

/// Runs your closures in a frame loop on the real main actor, and reports whether frames are dropped.
///
/// ```swift
/// @Test @MainActor func `adding photos drops no frame`() async throws {
///   let catalogue = Catalogue()
///   let report = try await measureFrames(at: .hz(60), drawing: .milliseconds(4), for: .seconds(3)) { app in
///     app.workload("add", .batch(50, every: .seconds(1))) { await catalogue.add(Photo($0)) }
///   }
///   #expect(report.verdict(.droppedFrames, atMost: 0) == .met)
/// }
/// ```
///
/// The closures run in real time for the given duration. Their costs are measured by the clocks of their threads, which
/// exclude other processes; verdicts then come from runs in virtual time, see ``FrameReport``. Measurements of a process
/// run one at a time. With `FRAMEBUDGET_OUTPUT` in the environment, each writes a folder there, which
/// `swift package frame-budget` reads.
///
/// - Parameters:
///   - refresh: the refresh rate of the screen.
///   - drawing: processor time of drawing in each frame; zero if `frame` sets a closure for it.
///   - duration: the duration of the measurement, from 100 ms to an hour.
///   - cores: the number of processors that verdicts assume; nil for this machine's.
///   - seed: the seed of resampling; the same seed gives the same verdict on the same measurement.
///   - loop: the order in which the main loop processes frames and posted work, and its batch size; by default Foundation's.
///   - patience: how long a closure may occupy the main thread, and how long items may take after the last frame.
///   - test: the name of the test in errors.
///   - build: declares the app.
/// - Returns: the measured values, with verdicts.
/// - Throws: `MeasurementError` with the reason, the workload and what to do; also if a closure throws.
public func measureFrames(
  at refresh: RefreshRate = .hz(60), drawing: Duration = .zero, for duration: Duration,
  cores: Int? = nil, seed: UInt64 = 1, loop: MainLoop.Events = .foundation,
  patience: Duration = .seconds(30), test: String = #function,
  _ build: @escaping @MainActor (FrameApp) throws -> Void
) async throws(MeasurementError) -> FrameReport {
  let settings = MeasurementSettings(
    test: test, refresh: refresh, drawing: TimeSpan(drawing), duration: TimeSpan(duration),
    cores: cores, seed: seed, loop: loop, patience: TimeSpan(patience))
  let measured = try await Measurement(settings).run(build)
  return try await FrameReport.concluded(from: measured, settings).recorded()
}

/// The parameters of a measurement.
struct MeasurementSettings: Sendable {
  let test: String
  let refresh: RefreshRate
  let drawing: TimeSpan
  let duration: TimeSpan
  let cores: Int?
  let seed: UInt64
  let loop: MainLoop.Events
  let patience: TimeSpan

  func error(_ reason: MeasurementError.Reason) -> MeasurementError {
    MeasurementError(reason, test: test)
  }
}

/// One measurement: its turn, the loop on the main actor, and the watch for stalls.
struct Measurement {
  private let settings: MeasurementSettings

  init(_ settings: MeasurementSettings) { self.settings = settings }

  typealias Outcome = Result<Measured, MeasurementError>

  func run(
    _ build: @escaping @MainActor (FrameApp) throws -> Void
  ) async throws(MeasurementError) -> Measured {
    guard (.milliseconds(100)...(.seconds(3600))).contains(settings.duration) else {
      throw settings.error(.badDuration)
    }
    // It would wait for the turn of the measurement that waits for it.
    if ObservedJobs.isItemsTask { throw settings.error(.nested) }
    await Turns.measurements.acquire()
    let answer = OneAnswer()
    let progress = LoopProgress()
    let ticket = TurnTicket()
    let watch: LoopWatch
    do throws(MeasurementError) {
      watch = try self.watch(answer, progress, ticket)
    } catch {
      ticket.abandon()
      throw error
    }
    let settings = settings
    let outcome = await answer.wait {
      Task { @MainActor in
        guard ticket.begin() else { return }
        let outcome = await Self.measured(build, settings, watch, progress)
        // Not sooner: no other measurement may use the main actor while closures of this one still occupy it.
        Turns.measurements.release()
        answer.give(outcome)
      }
    }
    let probes = watch.end()
    var measured = try outcome.get()
    measured.watchProbes = probes
    return measured
  }

  private func watch(
    _ answer: OneAnswer, _ progress: LoopProgress, _ ticket: TurnTicket
  ) throws(MeasurementError) -> LoopWatch {
    let settings = settings
    do {
      return try LoopWatch(
        stallTimeout: settings.patience.nanoseconds,
        room: Int(settings.duration.inMilliseconds / 10) + 100
      ) {
        let error = settings.error(Self.stalled(at: progress.current, settings))
        // A caller on the main actor receives it only when that is free again.
        FileHandle.standardError.write(Data("FrameBudgetTesting: \(error)\n".utf8))
        ticket.abandon()
        answer.give(.failure(error))
      }
    } catch {
      throw settings.error(.file("a thread", problem: "\(error)"))
    }
  }

  private static func stalled(
    at place: LoopProgress.Current?, _ settings: MeasurementSettings
  ) -> MeasurementError.Reason {
    let seconds = settings.patience.inSeconds
    return switch place {
    case nil: .noMainActor(seconds: seconds)
    case .frame: .frameBlocked(seconds: seconds)
    case .item(let workload, let item):
      .mainThreadBlocked(workload: workload, item: item, seconds: seconds)
    }
  }

  @MainActor
  private static func measured(
    _ build: @MainActor (FrameApp) throws -> Void, _ settings: MeasurementSettings,
    _ watch: LoopWatch,
    _ progress: LoopProgress
  ) async -> Outcome {
    do throws(MeasurementError) {
      let app = try declared(build, settings)
      let before = HostSample.now
      var measured = try await AppLoop(app, settings, watch: watch, progress: progress).run()
      measured.hostLoad = before.flatMap(HostLoad.init(since:))
      return .success(measured)
    } catch {
      return .failure(error)
    }
  }

  @MainActor
  private static func declared(
    _ build: @MainActor (FrameApp) throws -> Void, _ settings: MeasurementSettings
  ) throws(MeasurementError) -> FrameApp {
    let app = FrameApp()
    do {
      try build(app)
    } catch {
      throw settings.error(
        .failed(workload: "the app's own description", item: 0, error: "\(error)"))
    }
    if let fault = app.fault { throw settings.error(fault) }
    if app.drawing != nil && settings.drawing > .zero { throw settings.error(.twoDrawings) }
    if app.drawing == nil && app.workloads.isEmpty && settings.drawing == .zero {
      throw settings.error(.nothingToMeasure)
    }
    return app
  }
}

extension HostSample {
  /// Nil on systems that do not count processor times.
  fileprivate static var now: HostSample? {
    (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)).flatMap {
      HostSample(times: $0, ownCPU: TimeSpan(nanoseconds: ThreadUse.ofProcess))
    }
  }
}

extension HostLoad {
  fileprivate init?(since before: HostSample) {
    guard let now = HostSample.now else { return nil }
    self.init(from: before, to: now, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)))
  }
}

/// The result of a measurement. The loop and its watch may both give one; the first counts.
private final class OneAnswer: Sendable {
  private let waiting = Locked<CheckedContinuation<Measurement.Outcome, Never>?>(nil)
  private let task = Locked<Task<Void, Never>?>(nil)

  /// Starts the work and waits for its answer.
  func wait(_ start: @Sendable () -> Task<Void, Never>) async -> Measurement.Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        let started = start()
        task.withLock { $0 = started }
        if Task.isCancelled { started.cancel() }
      }
    } onCancel: {
      task.withLock { $0?.cancel() }
    }
  }

  func give(_ outcome: Measurement.Outcome) {
    let continuation = waiting.withLock { $0.take() }
    continuation?.resume(returning: outcome)
  }
}

/// The turn of one measurement. The loop returns it when it ends; if the loop never starts, it is returned at once.
final class TurnTicket: Sendable {
  private enum State { case waiting, begun, abandoned }
  private let state = Locked(State.waiting)

  /// The loop starts; false if the caller no longer waits and the turn was returned.
  func begin() -> Bool {
    state.withLock { state in
      guard state == .waiting else { return false }
      state = .begun
      return true
    }
  }

  /// The main actor is not served: the loop must not start later.
  func abandon() {
    let isFree = state.withLock { state in
      guard state == .waiting else { return false }
      state = .abandoned
      return true
    }
    if isFree { Turns.measurements.release() }
  }
}

/// Why a measurement failed: the test, the reason, and what to do.
public struct MeasurementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the test's function.
  public let test: String
  /// The reason.
  public let reason: Reason

  /// The reason.
  public enum Reason: Hashable, Sendable {
    /// The main actor ran nothing of the measurement for this number of seconds, so nothing serves it.
    case noMainActor(seconds: Double)
    /// A closure has occupied the main thread for this number of seconds.
    case mainThreadBlocked(workload: String, item: Int, seconds: Double)
    /// This number of items of a workload, starting with this one, were not done this number of seconds after the last frame.
    case neverEnded(workload: String, item: Int, count: Int, seconds: Double)
    /// A closure threw this error, as text.
    case failed(workload: String, item: Int, error: String)
    /// The measuring task was cancelled.
    case cancelled
    /// A `FrameRecorder` records this process; the main actor can have one observer.
    case isRecorded
    /// A workload's name has other characters than letters, digits, `-` and `_`, or more than 40.
    case badName(String)
    /// Two workloads have the same name, or one has the name of undeclared work.
    case sameName(String)
    /// A workload has empty batches, or a period that is not positive.
    case badArrival(String)
    /// There is no workload and nothing to draw.
    case nothingToMeasure
    /// `frame` was called twice, or together with a drawing time.
    case twoDrawings
    /// The duration is not from 100 ms to an hour.
    case badDuration
    /// No metric has that name; with a suggestion.
    case unknownMetric(String, suggestion: String)
    /// A file could not be read or written, and why.
    case file(String, problem: String)
    /// There is no baseline at that path.
    case noBaseline(String)
    /// The baseline is from another machine or another kind of build.
    case otherMachine(baseline: String, here: String)
    /// The closure that draws a frame has occupied the main thread for this number of seconds.
    case frameBlocked(seconds: Double)
    /// A closure of a measurement has called `measureFrames`.
    case nested
  }

  init(_ reason: Reason, test: String) {
    self.test = test
    self.reason = reason
  }

  /// The test, the reason, and what to do.
  public var description: String { "\(test): \(reason.sentence)" }
}

extension MeasurementError.Reason {
  var sentence: String {
    switch self {
    case .noMainActor(let seconds):
      "the main actor was not served for \(seconds) s; is the main thread blocked, by a semaphore or a synchronous test "
        + "that waits? Make the test async, and do not block the main thread"
    case .mainThreadBlocked(let workload, let item, let seconds):
      "item \(item) of '\(workload)' has kept the main thread for \(seconds) s without a pause; await long waits, "
        + "and move computations off the main actor. A larger 'patience' waits longer"
    case .frameBlocked(let seconds):
      "the drawing of a frame has kept the main thread for \(seconds) s without a pause; move computations off the main "
        + "actor. A larger 'patience' waits longer"
    case .nested: "a closure of a measurement has begun another one; measure one after the other"
    case .neverEnded(let workload, let item, let count, let seconds):
      "\(English.count(count, "item")) of '\(workload)', the first of them \(item), had not returned \(seconds) s "
        + "after the last frame; does the closure await an event that never occurs? A larger 'patience' waits longer"
    case .failed(let workload, let item, let error):
      "item \(item) of '\(workload)' threw \(error); catch expected errors in the closure"
    case .cancelled: "the task of the measurement was cancelled"
    case .isRecorded: "a FrameRecorder records this process; stop it before a measurement"
    case .badName(let name):
      "'\(name)' is not a valid name of a workload; allowed: 1 to 40 letters, digits, - and _"
    case .sameName(let name): "two workloads are called '\(name)'; rename one"
    case .badArrival(let name):
      "the items of '\(name)' cannot arrive like that; use at least one at a time, and intervals above zero"
    case .nothingToMeasure:
      "there is neither a workload nor something to draw; add one with app.workload"
    case .twoDrawings:
      "drawing is given twice; use either its time (drawing:) or one closure (app.frame)"
    case .badDuration: "a measurement lasts from 100 ms to an hour"
    case .unknownMetric(let name, let suggestion): "'\(name)' is not a metric\(suggestion)"
    case .file(let path, let problem): "\(path): \(problem)"
    case .noBaseline(let path):
      "there is no baseline \(path); run the test with FRAMEBUDGET_UPDATE_BASELINE=1 to write it"
    case .otherMachine(let baseline, let here):
      "the baseline is of another machine or build (\(baseline)) than this one (\(here)), and times are not comparable; "
        + "keep one for each, or write it anew with FRAMEBUDGET_UPDATE_BASELINE=1"
    }
  }
}
