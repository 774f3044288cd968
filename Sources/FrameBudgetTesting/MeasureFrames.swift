public import FrameBudget

/// Runs your closures in a frame loop, on the real main actor, and says whether the frames are kept.
///
/// ```swift
/// @Test @MainActor func `adding photos keeps the frames`() async throws {
///   let catalogue = Catalogue()
///   let report = try await measureFrames(at: .hz(60), drawing: .milliseconds(4), for: .seconds(3)) { app in
///     app.workload("add", .batch(50, every: .seconds(1))) { await catalogue.add(Photo($0)) }
///   }
///   #expect(report.verdict(.droppedFrames, atMost: 0) == .met)
/// }
/// ```
///
/// The closures run for real, for as long as is said. What they took is measured by the clocks of their threads, so what
/// the machine did meanwhile does not count; the verdict is then reached in virtual time, see ``FrameReport``. Measurements
/// of a process take turns: each has the main actor for itself. With `FRAMEBUDGET_OUTPUT` in the environment each leaves a
/// folder there, as `swift package frame-budget` asks for.
///
/// - Parameters:
///   - refresh: how often the screen can show a new picture.
///   - drawing: processor time that drawing takes in each frame; zero where `frame` says what draws.
///   - duration: how long, from 100 ms to an hour.
///   - cores: how many processors the verdict assumes; as many as this machine has if nil.
///   - seed: of the random numbers by which costs and phases are drawn anew; the same seed, the same verdict on the same
///     measurement.
///   - loop: in which order the main loop serves frames and what is posted to it, and how much of that at a time; as
///     Foundation's does if not said.
///   - patience: how long a closure may keep the main thread, and how long after the last frame all must have ended.
///   - test: what errors call the test.
///   - build: declares the app.
/// - Returns: what was measured, and what follows from it.
/// - Throws: why nothing could be measured, with the workload and what can be done; also what a closure threw.
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

/// What a measurement was asked for.
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
