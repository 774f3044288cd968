import FrameBudget
import Testing

@Suite struct HeldLocksTests {
  /// The lock operations of a thread that runs steps which need these locks for the given times, and then leaves.
  private func operations(_ steps: [(lock: LockIndex?, hold: Lock.Hold)]) -> [String] {
    var locks = HeldLocks()
    var operations: [String] = []
    for (number, step) in steps.enumerated() {
      var move = locks.move(toward: step.lock)
      if case .release(let lock) = move {
        operations.append("-\(lock)")
        move = locks.move(toward: step.lock)
      }
      if case .take(let lock) = move {
        operations.append("+\(lock)")
        locks.took(lock, for: step.hold)
      }
      operations.append("step \(number)")
      if let lock = locks.endStep(step.hold) { operations.append("-\(lock)") }
    }
    while let lock = locks.popLast() { operations.append("-\(lock)") }
    return operations
  }

  @Test func `a step without a lock takes none`() {
    #expect(operations([(nil, .step), (nil, .step)]) == ["step 0", "step 1"])
  }

  @Test func `a lock of a step is released after each step`() {
    #expect(
      operations([(0, .step), (0, .step)]) == ["+0", "step 0", "-0", "+0", "step 1", "-0"])
  }

  @Test func `a lock of an item is kept while consecutive steps need it`() {
    #expect(
      operations([(0, .item), (0, .item), (1, .item), (nil, .step), (1, .item)])
        == [
          "+0", "step 0", "step 1", "-0", "+1", "step 2", "-1", "step 3", "+1", "step 4", "-1",
        ])
  }

  @Test func `nested locks are kept until the item leaves, and released in reverse order`() {
    #expect(
      operations([(0, .nested), (1, .nested), (0, .nested), (nil, .step)])
        == ["+0", "step 0", "+1", "step 1", "step 2", "step 3", "-1", "-0"])
  }

  @Test func `a lock of a step is taken and released inside nested ones`() {
    #expect(
      operations([(0, .nested), (1, .step), (0, .nested), (2, .item), (0, .nested)])
        == ["+0", "step 0", "+1", "step 1", "-1", "step 2", "+2", "step 3", "-2", "step 4", "-0"])
  }

  @Test func `a lock that was not taken is not held`() {
    var locks = HeldLocks()
    let moves = (0..<2).map { _ in locks.move(toward: 3) }
    #expect(moves == [.take(3), .take(3)])
    #expect(locks.all.isEmpty)
  }

  @Test func `are listed in the order in which they were taken`() {
    var locks = HeldLocks()
    for (lock, hold) in [(LockIndex(3), Lock.Hold.nested), (0, .nested), (1, .item)] {
      locks.took(lock, for: hold)
    }
    #expect(locks.all == [3, 0, 1])
  }
}
