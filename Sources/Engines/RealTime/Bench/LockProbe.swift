internal import CFrameBudgetLinux
internal import SchedulableThreads
public import FrameBudget
internal import Synchronization

/// Measures the handover of a lock: one thread holds it until the processor of another thread, which waits for it, is idle.
public struct LockProbe: Sendable {
  public let kind: Lock.Kind
  public let samples: Int
  /// How long the other thread waits before the lock is released.
  public let held: TimeSpan

  public init(_ kind: Lock.Kind, samples: Int, held: TimeSpan = .microseconds(2600)) {
    self.kind = kind
    self.samples = samples
    self.held = held
  }

  /// The measured handovers, in nanoseconds.
  public struct Outcome: Sendable {
    /// Durations of the release, which wakes the waiter, on the releasing thread.
    public var wakes: [Int64] = []
    /// Times from the start of the release until the waiter had the lock.
    public var latencies: [Int64] = []
  }

  public func run() throws(CarrierError) -> Outcome {
    let passing = LockHandOff(kind.makeLock())
    let waiter = try CarrierError.wrapping {
      try PlatformThread(name: "waiter") { [samples] in
        for round in 1...samples { passing.waitAndTake(in: round) }
      }
    }
    defer { waiter.join() }
    var outcome = Outcome()
    for round in 1...samples {
      let (released, woke, taken) = passing.holdAndRelease(in: round, after: held.nanoseconds)
      outcome.wakes.append(woke - released)
      outcome.latencies.append(taken - released)
    }
    return outcome
  }
}

/// A lock that two threads pass on, round after round. All other waits spin.
private final class LockHandOff: Sendable {
  private let lock: any EngineLock
  private let round = Atomic(0)
  private let takenAt = Atomic<Int64>(0)

  init(_ lock: any EngineLock) { self.lock = lock }

  func waitAndTake(in round: Int) {
    while self.round.load(ordering: .acquiring) < round {}
    lock.lock()
    let now = clinux_monotonic()
    lock.unlock()
    takenAt.store(now, ordering: .releasing)
  }

  func holdAndRelease(
    in round: Int, after span: Int64
  ) -> (released: Int64, woke: Int64, taken: Int64) {
    lock.lock()
    takenAt.store(0, ordering: .relaxed)
    self.round.store(round, ordering: .releasing)
    let end = clinux_monotonic() + span
    while clinux_monotonic() < end {}
    let released = clinux_monotonic()
    lock.unlock()
    let woke = clinux_monotonic()
    while takenAt.load(ordering: .acquiring) == 0 {}
    return (released, woke, takenAt.load(ordering: .acquiring))
  }
}
