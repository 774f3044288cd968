internal import Concurrency
internal import Synchronization

/// Notices, on a thread of its own, when the loop does not come back, and now and then measures how fast the machine is.
final class LoopWatch: Sendable {
  fileprivate struct State {
    /// When the loop was seen last.
    var seenAt: Int64
    var hasStalled = false
    var probes: [Int64] = []
  }

  private let state: Locked<State>
  private let over = Atomic(false)
  private let cancelled = Atomic(false)
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
    state = Locked(State(seenAt: ThreadUse.clock))
    state.withLock { $0.probes.reserveCapacity(room) }
    _ = try PlatformThread(name: "frame-watch") { [self] in run() }
  }

  /// The loop is back, at an instant of the clock that only goes forward.
  func loopIsBack(at instant: Int64) { state.withLock { $0.seenAt = instant } }

  /// Nobody wants the loop to go on.
  func cancel() { cancelled.store(true, ordering: .releasing) }
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Whether it has been ended: then nobody waits for the loop any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Ends the thread, and tells how long the same little work took each time, in nanoseconds of processor time.
  func end() -> [Int64] {
    over.store(true, ordering: .releasing)
    parker.unpark()
    return state.withLock { $0.probes }
  }

  private func run() {
    while !isOver {
      let now = ThreadUse.clock
      let hasStalled = state.withLock { $0.look(at: now, patience) }
      if hasStalled { stalled() }
      let took = SpeedProbe.measure()
      state.withLock { $0.probes.append(took) }
      parker.park(forNanoseconds: min(patience, Self.pause))
    }
  }

  private static let pause: Int64 = 16_000_000
}

extension LoopWatch.State {
  /// Whether the loop has just been away for too long.
  fileprivate mutating func look(at now: Int64, _ patience: Int64) -> Bool {
    guard !hasStalled, now - seenAt > patience else { return false }
    hasStalled = true
    return true
  }
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

/// The item that the main thread is at, for whoever waits for the loop on another thread.
final class LoopProgress: Sendable {
  private let names = Locked<[String]>([])
  /// The workload's place, counted from 1, above the item's number, which is below 2^32; 0 while it is at none.
  private let place = Atomic<UInt64>(0)

  /// Says what the workloads are called, before the first of their items.
  func begin(_ workloads: [String]) { names.withLock { $0 = workloads } }

  func enter(workload: Int, item: Int) {
    place.store(UInt64(workload + 1) << 32 | UInt64(item), ordering: .relaxed)
  }

  func leave() { place.store(0, ordering: .relaxed) }

  var current: (workload: String, item: Int)? {
    let place = place.load(ordering: .relaxed)
    guard place != 0 else { return nil }
    let name = names.withLock { $0[Int(place >> 32) - 1] }
    return (name, Int(place & 0xFFFF_FFFF))
  }
}
