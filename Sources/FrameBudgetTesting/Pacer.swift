internal import Concurrency
internal import Synchronization

/// Wakes the loop at instants, on a thread of its own: the pool that timers use may be busy with what is measured.
///
/// Beside that it notices when the loop does not come back, and now and then measures how fast the machine is.
final class Pacer: Sendable {
  fileprivate struct State {
    var sleeper: CheckedContinuation<Void, Never>?
    var wakeAt = Int64.max
    /// When the loop was woken last.
    var awakeSince: Int64
    var hasStalled = false
    var probes: [Int64] = []
  }

  private let state: Locked<State>
  private let over = Atomic(false)
  private let parker = makeParker()
  private let patience: Int64
  private let stalled: @Sendable () -> Void

  /// Starts the thread. `stalled` is done once the loop has stayed away for longer than `patience`, in nanoseconds; `room` is
  /// for how many looks at the machine's speed.
  init(
    patience: Int64, room: Int, stalled: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    self.patience = patience
    self.stalled = stalled
    state = Locked(State(awakeSince: ThreadUse.clock))
    state.withLock { $0.probes.reserveCapacity(room) }
    _ = try PlatformThread(name: "frame-pacer") { [self] in run() }
  }

  /// Sleeps until an instant of the clock that only goes forward.
  func sleep(until instant: Int64) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard !self.isOver else { return true }
        state.sleeper = continuation
        state.wakeAt = instant
        return false
      }
      if isOver { continuation.resume() } else { parker.unpark() }
    }
  }

  /// Whether it has been ended: then nobody waits for the loop any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Ends the thread, and tells how long the same little work took each time, in nanoseconds of processor time.
  func end() -> [Int64] {
    over.store(true, ordering: .releasing)
    parker.unpark()
    return state.withLock { $0.probes }
  }

  private func run() {
    var probedAt = Int64.min
    while let wait = step() {
      let now = ThreadUse.clock
      if wait > Self.probeEvery / 4, now - Self.probeEvery > probedAt {
        probedAt = now
        let took = SpeedProbe.measure()
        state.withLock { $0.probes.append(took) }
      } else {
        parker.park(forNanoseconds: wait)
      }
    }
  }

  private static let probeEvery: Int64 = 16_000_000

  /// Wakes who is to be woken; how long there is nothing to do, or nil once it is over.
  private func step() -> Int64? {
    guard !isOver else {
      state.withLock { $0.sleeper.take() }?.resume()
      return nil
    }
    let now = ThreadUse.clock
    let (wait, woken, hasStalled) = state.withLock { $0.step(at: now, patience) }
    woken?.resume()
    if hasStalled { stalled() }
    return wait
  }
}

extension Pacer.State {
  /// How long there is nothing to do, who is to be woken, and whether the loop has just been away for too long.
  fileprivate mutating func step(
    at now: Int64, _ patience: Int64
  ) -> (wait: Int64, woken: CheckedContinuation<Void, Never>?, hasStalled: Bool) {
    guard sleeper != nil else {
      let isAway = !hasStalled && now - awakeSince > patience
      hasStalled = hasStalled || isAway
      return (min(patience, Self.look), nil, isAway)
    }
    guard wakeAt <= now else { return (wakeAt - now, nil, false) }
    awakeSince = now
    return (Self.look, sleeper.take(), false)
  }

  private static let look: Int64 = 50_000_000
}

/// The same little work each time: how fast the machine is at the moment.
enum SpeedProbe {
  /// What it takes now, in nanoseconds of processor time; some 20 microseconds.
  static func measure() -> Int64 {
    let before = ThreadUse.now()
    var value: UInt64 = 1
    var round = 0
    while round < 10_000 {
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      round += 1
    }
    let took = ThreadUse.now().cpu - before.cpu
    // So that the work is done at all.
    return value == 0 ? took + 1 : took
  }
}
