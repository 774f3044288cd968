import SchedulableThreads
import TestSupport
import Testing

@Suite struct ParkerTests {
  static let kinds = ["futex", "semaphore"]

  private func parker(_ kind: String) -> any Parker {
    kind == "futex" ? makeParker() : SemaphoreParker()
  }

  @Test(arguments: kinds)
  func `a wake-up before the sleep is not lost`(kind: String) {
    let parker = parker(kind)
    parker.unpark()
    parker.park(forNanoseconds: nil)
  }

  @Test(arguments: kinds)
  func `a sleeper is woken`(kind: String) throws {
    let (parker, turn) = (parker(kind), Tally())
    let sleeper = try PlatformThread(name: "sleeper") {
      for _ in 0..<1_000 {
        while turn.count % 2 == 0 { parker.park(forNanoseconds: nil) }
        turn.add()
      }
    }
    for _ in 0..<1_000 {
      turn.add()
      parker.unpark()
      while turn.count % 2 == 1 {}
    }
    sleeper.join()
    #expect(turn.count == 2_000)
  }

  @Test(arguments: kinds)
  func `a sleep ends at its deadline`(kind: String) {
    let parker = parker(kind)
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .milliseconds(5) {
      parker.park(forNanoseconds: 5_000_000)
    }
    parker.park(forNanoseconds: 0)
  }
}
