import FrameBudget
import Testing

@testable import FrameBudgetSimulation

/// Threads that share locks, drawn nanosecond by nanosecond.
@Suite struct LockTimelineTests {
  /// Holds a lock for three nanoseconds, three times, and takes it again at once.
  private let greedy: [Operation] = Array(
    repeating: [.lock(0), .run(3), .unlock(0)], count: 3
  ).flatMap { $0 }
  private let patient: [Operation] = [.sleep(1), .lock(0), .run(2), .unlock(0), .run(1)]

  @Test func `a fair lock is handed to the waiter, and the releaser waits in turn`() {
    let rows = timeline(
      [greedy, patient], [.fair(nice: 0), .fair(nice: 0)], cores: 2, locks: [VirtualLock(.fair)],
      length: 14)
    #expect(
      rows == [
        "000LL000000",
        ".LL111",
      ])
  }

  @Test func `a barging lock is taken again before the waiter has woken`() {
    let rows = timeline(
      [greedy, patient], [.fair(nice: 0), .fair(nice: 0)], cores: 2,
      locks: [VirtualLock(.barging)], length: 14)
    #expect(
      rows == [
        "000000000",
        ".LLLLLLLL111",
      ])
  }

  @Test func `a barging lock that is left alone goes to the waiter`() {
    let pauses: [Operation] = [.lock(0), .run(3), .unlock(0), .run(1), .lock(0), .run(2)]
    let rows = timeline(
      [pauses, patient], [.fair(nice: 0), .fair(nice: 0)], cores: 2,
      locks: [VirtualLock(.barging)], length: 14)
    #expect(
      rows == [
        "0000L00",
        ".LL111",
      ])
  }

  @Test func `a fair lock is unused during the wake-up latency`() {
    let costs = HandOffCosts(post: .zero, wake: .zero, latency: .nanoseconds(2))
    let rows = timeline(
      [greedy, patient], [.fair(nice: 0), .fair(nice: 0)], cores: 2,
      locks: [VirtualLock(.fair, costs: costs)], length: 20)
    #expect(
      rows == [
        "000LLLL..000000",
        ".LL..111",
      ])
  }

  @Test
  func `without an idle core, a waiter can get a barging lock before its owner takes it again`() {
    let costs = HandOffCosts(post: .zero, wake: .nanoseconds(1), latency: .nanoseconds(2))
    let rows = timeline(
      [
        [.lock(0), .run(3), .unlock(0), .lock(0), .run(3), .unlock(0)],
        [.sleep(1), .lock(0), .run(3), .unlock(0)],
      ], [.fair(nice: 0), .fixed(1)], locks: [VirtualLock(.barging, costs: costs)], length: 14)
    // It preempts the first thread when that has released the lock, and before it pays for the hand-off.
    #expect(
      rows == [
        "000---0000",
        ".LL000",
      ])
  }

  /// A low thread takes a lock that a high one will want, and one in between needs no lock at all.
  private let inversion: [[Operation]] = [
    [.lock(0), .run(4), .unlock(0), .run(2)],
    [.sleep(3), .run(6)],
    [.sleep(2), .lock(0), .run(2), .unlock(0), .run(1)],
  ]
  private let ranks: [Priority] = [.fixed(1), .fixed(2), .fixed(3)]

  @Test func `without inheritance a thread in between keeps the high one waiting`() {
    let rows = timeline(inversion, ranks, locks: [VirtualLock(.fair)], length: 20)
    #expect(
      rows == [
        "000------0---00",
        "...000000",
        "..LLLLLLLL000",
      ])
  }

  @Test func `with inheritance, the owner runs at the waiter's priority until it releases`() {
    let rows = timeline(inversion, ranks, locks: [VirtualLock(.inheriting)], length: 20)
    #expect(
      rows == [
        "0000---------00",
        "...----000000",
        "..LL000",
      ])
  }

  @Test func `inheritance goes through a chain of owners`() {
    let chain: [[Operation]] = [
      [.lock(0), .run(4), .unlock(0)],
      [.sleep(1), .lock(1), .lock(0), .run(1), .unlock(0), .unlock(1)],
      [.sleep(2), .run(5)],
      [.sleep(3), .lock(1), .run(1), .unlock(1)],
    ]
    let rows = timeline(
      chain, [.fixed(1), .fixed(2), .fixed(3), .fixed(4)],
      locks: [VirtualLock(.inheriting), VirtualLock(.inheriting)], length: 16)
    #expect(
      rows == [
        "00-00",
        ".LLLL0",
        "..0----0000",
        "...LLL0",
      ])
  }

  @Test func `an inheriting lock goes to the waiter of the highest priority`() {
    let scripts: [[Operation]] = [
      [.lock(0), .run(4), .unlock(0)],
      [.sleep(1), .lock(0), .run(2), .unlock(0)],
      [.sleep(2), .lock(0), .run(2), .unlock(0)],
    ]
    for (kind, expected) in [
      (Lock.Kind.inheriting, ["0000", ".LLLLL00", "..LL00"]),
      (.fair, ["0000", ".LLL00", "..LLLL00"]),
    ] {
      #expect(timeline(scripts, ranks, locks: [VirtualLock(kind)], length: 12) == expected)
    }
  }

  @Test func `threads that wait for each other wait endlessly, and the machine continues`() {
    let crossed: [[Operation]] = [
      [.lock(0), .run(2), .lock(1), .run(1)],
      [.lock(1), .run(2), .lock(0), .run(1)],
      [.sleep(4), .run(2), .lock(0)],
    ]
    for kind in Lock.Kind.allCases {
      let rows = timeline(
        crossed, Array(repeating: .fair(nice: 0), count: 3), cores: 2,
        locks: [VirtualLock(kind), VirtualLock(kind)], length: 10)
      #expect(rows == ["00LLLLLLLL", "11LLLLLLLL", "--..00LLLL"])
    }
  }
}
