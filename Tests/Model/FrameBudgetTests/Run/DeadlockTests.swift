import FrameBudget
import Testing

@Suite struct `Threads that wait for locks` {
  private static let names = ["a", "b", "c", "d", "e"]
  private static let locks = PerLock(["k", "l", "m", "n"].map { Lock(name: $0, kind: .fair) })

  private func wait(
    _ thread: Int, for lock: LockIndex, holding held: [LockIndex], since: Int64 = 0
  ) -> LockWait {
    LockWait(thread: thread, lock: lock, held: held, since: .zero + .milliseconds(since))
  }

  private func found(_ waits: [LockWait]) -> [Deadlock] {
    Deadlock.found(among: waits, threads: Self.names, locks: Self.locks)
  }

  @Test func `are deadlocked if two of them hold what the other one wants`() {
    let waits = [
      wait(0, for: 1, holding: [0], since: 5), wait(1, for: 0, holding: [1, 2], since: 7),
    ]
    #expect(
      found(waits) == [
        Deadlock(threads: ["a", "b"], locks: ["l", "k"], since: .zero + .milliseconds(7))
      ])
  }

  @Test func `are deadlocked in a cycle of any length, without the threads that only wait for it`()
  {
    let waits = [
      wait(4, for: 0, holding: []), wait(2, for: 2, holding: [1]), wait(0, for: 1, holding: [0]),
      wait(3, for: 1, holding: [3]), wait(1, for: 0, holding: [2]),
    ]
    #expect(
      found(waits) == [Deadlock(threads: ["c", "b", "a"], locks: ["m", "k", "l"], since: .zero)])
  }

  @Test func `can be in two cycles at once`() {
    let waits = [
      wait(0, for: 2, holding: [0]), wait(1, for: 3, holding: [1]), wait(2, for: 0, holding: [2]),
      wait(3, for: 1, holding: [3]),
    ]
    #expect(found(waits).map(\.threads) == [["a", "c"], ["b", "d"]])
  }

  @Test func `are not deadlocked if a holder of a lock waits for none`() {
    #expect(found([]) == [])
    #expect(found([wait(0, for: 1, holding: [0]), wait(1, for: 2, holding: [1])]) == [])
  }
}
