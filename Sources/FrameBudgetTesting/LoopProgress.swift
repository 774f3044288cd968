internal import Concurrency
internal import Synchronization

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
