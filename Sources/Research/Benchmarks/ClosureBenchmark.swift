internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import Foundation
internal import FrameBudget
internal import FrameBudgetTesting

/// The cost of a measured closure on the main thread besides its own work, and whether frames leak memory.
enum ClosureBenchmark {
  private static let period = Duration.milliseconds(50)
  private static let duration = Duration.seconds(2)
  private static let batch = 200
  private static let items = batch * Int(duration / period)

  static func run() throws {
    let costs = try (0..<5).map { _ in
      let alone = try mainThread { try await report(WorkArrival.once(at: .zero)) }
      let many = try mainThread { try await report(.batch(batch, every: period)) }
      return Double(many - alone) / Double(items)
    }
    let median = costs.median ?? 0
    print(
      "\(Decimal.text(median / 1000, places: 2)) us of the main thread for each of \(items) closures that do nothing "
        + "(\(costs.map { Decimal.text($0 / 1000, places: 2) }.joined(separator: ", ")))")
    let left = try kept { note in
      _ = try await measureFrames(for: duration) { app in app.frame(note) }
    }
    // The run loop itself keeps some memory per turn, with or without a measurement.
    let control = try kept { note in
      for _ in 0..<120 {
        try await Task.sleep(for: duration / 120)
        await note()
      }
    }
    print(
      "\(left.bytes) bytes more are allocated behind \(left.frames) frames than before them, "
        + "\(control.bytes) behind \(control.frames) turns of a task that only sleeps")
  }

  private static func report(_ arrival: WorkArrival) async throws {
    let report = try await measureFrames(for: duration) { app in
      app.workload("none", arrival) { _ in }
    }
    precondition(report.measured(.itemsPending) == 0, "all items were begun")
  }

  /// Processor time of the main thread, in nanoseconds, while it runs its part of `body`.
  private static func mainThread(_ body: @escaping @Sendable () async throws -> Void) throws
    -> Int64
  {
    let outcome = Locked<Result<Void, any Error>?>(nil)
    let before = ThreadUse.now().cpu
    Task.detached {
      do {
        try await body()
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
    }
    while true {
      if let outcome = outcome.withLock({ $0 }) {
        try outcome.get()
        return ThreadUse.now().cpu - before
      }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
    }
  }

  /// The growth of allocated memory between the thirtieth and the last call of the closure that `turns` receives.
  private static func kept(
    _ turns: @escaping @Sendable (@escaping @MainActor () -> Void) async throws -> Void
  ) throws -> (frames: Int, bytes: Int) {
    let samples = Locked<[Int]>([])
    samples.withLock { $0.reserveCapacity(1000) }
    _ = try mainThread {
      try await turns { samples.withLock { $0.append(Int(clinux_allocated_bytes())) } }
    }
    let seen = samples.withLock { $0 }.dropFirst(30)
    return (seen.count - 1, (seen.last ?? 0) - (seen.first ?? 0))
  }
}
