internal import Concurrency
internal import FrameBudget
internal import Foundation

/// One measurement: its turn, the loop on the main actor, and who watches that it comes back.
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
    await MeasurementTurn.take()
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
        // Not sooner: nobody else may have the main actor while closures of this one still keep it.
        MeasurementTurn.give()
        answer.give(outcome)
      }
    }
    let probes = watch.end()
    var measured = try outcome.get()
    measured.probes = probes
    return measured
  }

  private func watch(
    _ answer: OneAnswer, _ progress: LoopProgress, _ ticket: TurnTicket
  ) throws(MeasurementError) -> LoopWatch {
    let settings = settings
    do {
      return try LoopWatch(
        patience: settings.patience.nanoseconds,
        room: Int(settings.duration.inMilliseconds / 10) + 100
      ) {
        let error = settings.error(Self.stalled(at: progress.current, settings))
        // Who waits on the main actor hears of it only once that is free again.
        FileHandle.standardError.write(Data("FrameBudgetTesting: \(error)\n".utf8))
        ticket.abandon()
        answer.give(.failure(error))
      }
    } catch {
      throw settings.error(.file("a thread", problem: "\(error)"))
    }
  }

  private static func stalled(
    at place: (workload: String, item: Int)?, _ settings: MeasurementSettings
  ) -> MeasurementError.Reason {
    let seconds = settings.patience.inSeconds
    guard let place else { return .noMainActor(seconds: seconds) }
    return .mainThreadBlocked(workload: place.workload, item: place.item, seconds: seconds)
  }

  @MainActor
  private static func measured(
    _ build: @MainActor (FrameApp) throws -> Void, _ settings: MeasurementSettings,
    _ watch: LoopWatch,
    _ progress: LoopProgress
  ) async -> Outcome {
    do throws(MeasurementError) {
      let app = try declared(build, settings)
      return .success(
        try await AppLoop(app, settings, watch: watch, progress: progress).run())
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

/// What a measurement ends with: the first answer counts, as the loop and who watches it may both give one.
private final class OneAnswer: Sendable {
  private let waiting = Locked<CheckedContinuation<Measurement.Outcome, Never>?>(nil)
  private let task = Locked<Task<Void, Never>?>(nil)

  /// Starts what answers, and waits.
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
