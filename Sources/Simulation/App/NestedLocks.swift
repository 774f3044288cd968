internal import FrameBudget

/// The locks that threads keep until their items end, by thread in the order in which they were taken.
///
/// Its memory is there from the beginning: a thread can hold each nested lock once.
struct NestedLocks {
  /// Whether there is any such lock; without one nobody looks further.
  let isNeeded: Bool
  private let lockCount: Int
  /// So many places for each thread, of which the first `depths` are taken.
  private var places: ContiguousArray<LockIndex>
  private var depths: ContiguousArray<Int>

  init(_ arrangement: Arrangement, threads: Int) {
    lockCount = arrangement.locks.count
    isNeeded = arrangement.nestsLocks
    places = ContiguousArray(repeating: .absent, count: isNeeded ? threads * lockCount : 0)
    depths = ContiguousArray(repeating: 0, count: isNeeded ? threads : 0)
  }

  func contains(_ lock: LockIndex, heldBy thread: ThreadIndex) -> Bool {
    let first = thread * lockCount
    return places[first..<first + depths[thread]].contains(lock)
  }

  mutating func append(_ lock: LockIndex, heldBy thread: ThreadIndex) {
    places[thread * lockCount + depths[thread]] = lock
    depths[thread] += 1
  }

  /// The lock that `thread` has taken last of those that it keeps: it is to be released now.
  mutating func popLast(of thread: ThreadIndex) -> LockIndex? {
    guard isNeeded, depths[thread] > 0 else { return nil }
    depths[thread] -= 1
    return places[thread * lockCount + depths[thread]]
  }
}
