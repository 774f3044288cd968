internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import FrameBudget
internal import Synchronization

/// A wake-up: the waker's core, the core on which the woken thread began, and its delay.
struct WakeUp: Equatable {
  var waker: Int
  var woken: Int
  var nanoseconds: Int64

  /// The share of `all` that began on another core than the waker's, in percent, and the median delay of these; nil if `all` is
  /// empty.
  static func placement(of all: [WakeUp]) -> (percent: Int, latency: TimeSpan?)? {
    guard !all.isEmpty else { return nil }
    let elsewhere = all.filter { $0.woken != $0.waker }
    let median = elsewhere.map { Double($0.nanoseconds) }.median
    return (100 * elsewhere.count / all.count, median.map { TimeSpan.nanoseconds(Int64($0)) })
  }
}

/// Wakes a thread that last ran on the core on which its waker is now busy, while another core is idle.
struct WakeProbe {
  let samples: Int
  /// The cores on which both may run. The waker stays on the first.
  let cores: [Int]

  func run() throws(CarrierError) -> [WakeUp] {
    let pair = WakeUpPair(cores)
    let samples = samples
    let sleeper = try thread("sleeper", on: cores) {
      for round in 1...samples { pair.sleep(in: round) }
    }
    defer { sleeper.join() }
    let waker = try thread("waker", on: Array(cores.prefix(1))) {
      for round in 1...samples { pair.wake(in: round) }
    }
    waker.join()
    return pair.wakeUps
  }

  private func thread(
    _ name: String, on cores: [Int], _ body: @escaping @Sendable () -> Void
  ) throws(CarrierError) -> PlatformThread {
    try CarrierError.wrapping { try PlatformThread(name: name, processors: cores, body: body) }
  }
}

/// Two threads; one wakes the other, round after round.
private final class WakeUpPair: Sendable {
  private let cores: [Int]
  private let parker = makeParker()
  /// The numbers of rounds in which the sleeper was about to sleep, was woken, and ran.
  private let ready = Atomic(0)
  private let woken = Atomic(0)
  private let ran = Atomic(0)
  private let seen = Locked<(core: Int, time: Int64)>((0, 0))
  private let found = Locked<[WakeUp]>([])

  init(_ cores: [Int]) { self.cores = cores }

  var wakeUps: [WakeUp] { found.withLock(\.self) }

  func sleep(in round: Int) {
    // Moves this thread to the waker's core, on which the waker sleeps now; then lets it run anywhere.
    let me = Platform.threadID()
    _ = Platform.pin(thread: me, to: Array(cores.prefix(1)))
    _ = Platform.pin(thread: me, to: cores)
    ready.store(round, ordering: .releasing)
    while woken.load(ordering: .acquiring) < round { parker.park(forNanoseconds: nil) }
    let (time, core) = (clinux_monotonic(), Int(clinux_current_core()))
    seen.withLock { $0 = (core, time) }
    ran.store(round, ordering: .releasing)
  }

  func wake(in round: Int) {
    repeat {
      clinux_sleep_until(clinux_monotonic() + 500_000)
    } while ready.load(ordering: .acquiring) < round
    // By now the sleeper sleeps; spinning keeps the core warm until the wake-up.
    let warm = clinux_monotonic() + 100_000
    while clinux_monotonic() < warm {}
    let (began, core) = (clinux_monotonic(), Int(clinux_current_core()))
    woken.store(round, ordering: .releasing)
    parker.unpark()
    while ran.load(ordering: .acquiring) < round {}
    let (ranOn, time) = seen.withLock(\.self)
    let wakeUp = WakeUp(waker: core, woken: ranOn, nanoseconds: time - began)
    found.withLock { $0.append(wakeUp) }
  }
}
