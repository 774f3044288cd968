internal import SchedulableThreads
internal import FrameBudget
internal import Synchronization

/// A thread that detects a stalled loop and regularly measures the speed of the machine.
final class LoopWatch: Sendable {
  fileprivate struct State {
    /// When the loop last ran.
    var seenAt: Int64
    var hasStalled = false
    var probes: [Int64] = []
  }

  private let state: Locked<State>
  private let over = Atomic(false)
  private let cancelled = Atomic(false)
  private let parker = makeParker()
  private let stallTimeout: Int64
  private let stalled: @Sendable () -> Void

  /// Starts the thread. It calls `stalled` once the loop has not run for `stallTimeout` nanoseconds. `room` is the capacity
  /// for probes of the machine's speed.
  init(
    stallTimeout: Int64, room: Int, stalled: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    self.stallTimeout = stallTimeout
    self.stalled = stalled
    state = Locked(State(seenAt: ThreadUse.clock))
    state.withLock { $0.probes.reserveCapacity(room) }
    _ = try PlatformThread(name: "frame-watch") { [self] in run() }
  }

  /// Records that the loop runs again, at an instant of the monotonic clock.
  func loopReturned(at instant: Int64) { state.withLock { $0.seenAt = instant } }

  /// Asks the loop to stop.
  func cancel() { cancelled.store(true, ordering: .releasing) }
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Whether it has ended, and nothing waits for the loop any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Ends the thread; returns the durations of all probes, in nanoseconds of processor time.
  func end() -> [Int64] {
    over.store(true, ordering: .releasing)
    parker.unpark()
    return state.withLock { $0.probes }
  }

  private func run() {
    while !isOver {
      let now = ThreadUse.clock
      let hasStalled = state.withLock { $0.checkStall(at: now, stallTimeout) }
      if hasStalled { stalled() }
      let took = SpeedProbe.measure()
      state.withLock { $0.probes.append(took) }
      parker.park(forNanoseconds: min(stallTimeout, Self.pause))
    }
  }

  private static let pause: Int64 = 16_000_000
}

extension LoopWatch.State {
  /// Whether the loop has stalled.
  fileprivate mutating func checkStall(at now: Int64, _ stallTimeout: Int64) -> Bool {
    guard !hasStalled, now - seenAt > stallTimeout else { return false }
    hasStalled = true
    return true
  }
}

/// A probe: a small fixed amount of work, which shows the current speed of the machine.
enum SpeedProbe {
  /// Its duration in nanoseconds of processor time, about 20 microseconds.
  static func measure() -> Int64 {
    let before = ThreadUse.now()
    var value: UInt64 = 1
    var round = 0
    while round < 10_000 {
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      round += 1
    }
    let took = ThreadUse.now().cpu - before.cpu
    // Keeps the compiler from removing the work.
    return value == 0 ? took + 1 : took
  }
}

/// The speed of the main thread during a measurement, by durations of the probe in nanoseconds. 0 without one.
struct ThreadSpeed: Equatable {
  /// Their median.
  let probe: Double
  /// The shortest. Nil if the main thread had no time for a probe: then `probe` is that of another thread, whose core may have been
  /// slower or faster.
  let fastestProbe: Double?

  init(_ probes: [Int64], otherwise others: [Int64]) {
    probe = (probes.middle ?? others.middle).map { Double($0) } ?? 0
    fastestProbe = probes.min().map { Double($0) }
  }
}

/// The current item or frame of the main thread, readable from other threads.
final class LoopProgress: Sendable {
  private let names = Locked<[String]>([])
  /// The workload's number from 1 in the upper 32 bits, the item's number in the lower; 0 without an item.
  private let place = Atomic<UInt64>(0)
  private static let frame = UInt64.max

  enum Current: Equatable {
    case item(workload: String, Int)
    case frame
  }

  /// Sets the names of the workloads, before their first items.
  func begin(_ workloads: [String]) { names.withLock { $0 = workloads } }

  func enter(workload: Int, item: Int) {
    place.store(UInt64(workload + 1) << 32 | UInt64(item), ordering: .relaxed)
  }

  func enterFrame() { place.store(Self.frame, ordering: .relaxed) }

  func leave() { place.store(0, ordering: .relaxed) }

  var current: Current? {
    let place = place.load(ordering: .relaxed)
    if place == Self.frame { return .frame }
    guard place != 0 else { return nil }
    let name = names.withLock { $0[Int(place >> 32) - 1] }
    return .item(workload: name, Int(place & 0xFFFF_FFFF))
  }
}
