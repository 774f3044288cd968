internal import Dispatch
internal import FrameBudget
internal import SchedulableObjects
internal import SchedulableThreads

/// A call whose result is awaited: of an object, beside that of an actor on the same thread.
enum CallBenchmark {
  private static let (repetitions, calls) = (15, 20_000)

  static func run() throws {
    let scheduler = try ThreadScheduler(name: "calls")
    let (actor, object) = (Counter(scheduler), SchedulableObject(Receiver(), on: scheduler))
    var spans: (actor: [Double], object: [Double]) = ([], [])
    // Interleaved, so that both meet the same machine.
    for _ in 0..<repetitions {
      spans.actor.append(try measured { await actor.receive() })
      spans.object.append(try measured { try await object.call { $0.receive() } })
    }
    guard let own = spans.object.median, let other = spans.actor.median else { return }
    let (text, times) = (Decimal.text(own, places: 0), Decimal.text(own / other, places: 2))
    print("ns for a call of an object, median: \(text), \(times) times an actor's call")
  }

  /// In nanoseconds for each call.
  private static func measured(_ call: @escaping @Sendable () async throws -> Void) throws -> Double
  {
    let span = Locked<Result<Duration, any Error>?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        let took = try await ContinuousClock().measure { for _ in 0..<calls { try await call() } }
        span.withLock { $0 = .success(took) }
      } catch {
        span.withLock { $0 = .failure(error) }
      }
      ended.signal()
    }
    ended.wait()
    let took = try span.withLock { $0 }?.get() ?? .zero
    return took / .nanoseconds(calls)
  }

  private final class Receiver {
    private var count = 0

    func receive() { count += 1 }
  }

  private actor Counter: Schedulable {
    nonisolated let scheduler: any Scheduler
    private var count = 0

    init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

    func receive() { count += 1 }
  }
}
