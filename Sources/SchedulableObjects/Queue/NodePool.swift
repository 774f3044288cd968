internal import Concurrency
internal import Synchronization

/// Reuses the memory of nodes, so that an event costs no allocation besides its closure's.
///
/// Each thread has a few free nodes. A thread that only sends runs out of them, and one that only runs events collects
/// more and more. So whole magazines of nodes move between threads, through a depot whose lock is taken once per magazine.
struct NodePool: ~Copyable {
  typealias Memory = UnsafeMutablePointer<EventNode.Content>

  /// More than a hundred, so that exchanging a magazine does not affect the 99th percentile of a post's time.
  private static let magazineSize = 128
  private static let depot = NodeDepot()

  private var first: UInt = 0
  private var count = 0

  /// Memory for one node, from the calling thread's pool.
  static func take() -> Memory {
    unsafe ThreadMark.withPool { unsafe $0.take() }
  }

  /// Returns the memory of one node to the calling thread's pool.
  static func giveBack(_ memory: Memory) {
    ThreadMark.withPool { unsafe $0.giveBack(memory) }
  }

  deinit {
    var chain = first
    while let memory = unsafe Self.pop(&chain) { unsafe memory.deallocate() }
  }

  private mutating func take() -> Memory {
    if first == 0 {
      first = Self.depot.take()
      count = first == 0 ? 0 : Self.magazineSize
    }
    guard let memory = unsafe Self.pop(&first) else { return Memory.allocate(capacity: 1) }
    count -= 1
    return unsafe memory
  }

  private mutating func giveBack(_ memory: Memory) {
    if count == 2 * Self.magazineSize { handOver() }
    unsafe Self.push(memory, on: &first)
    count += 1
  }

  /// Gives half of this pool to the depot, or to the system if the depot is full.
  private mutating func handOver() {
    var magazine: UInt = 0
    for _ in 0..<Self.magazineSize {
      guard let memory = unsafe Self.pop(&first) else { break }
      unsafe Self.push(memory, on: &magazine)
    }
    count -= Self.magazineSize
    if Self.depot.give(magazine) { return }
    while let memory = unsafe Self.pop(&magazine) { unsafe memory.deallocate() }
  }

  /// Free memory is linked through its first word.
  private static func push(_ memory: Memory, on chain: inout UInt) {
    unsafe UnsafeMutableRawPointer(memory).storeBytes(of: chain, as: UInt.self)
    chain = UInt(bitPattern: memory)
  }

  private static func pop(_ chain: inout UInt) -> Memory? {
    guard let memory = unsafe Memory(bitPattern: chain) else { return nil }
    chain = unsafe UnsafeRawPointer(memory).load(as: UInt.self)
    return unsafe memory
  }
}

/// Full magazines from threads that run events, for threads that send them.
private final class NodeDepot: Sendable {
  /// Limits the memory of an idle process: 128 magazines of 128 nodes are about one megabyte.
  private static let capacity = 128

  private let magazines = Locked<[UInt]>([])
  /// A hint, so that a sender far ahead of its consumers does not lock an empty depot for each event.
  private let isEmpty = Atomic(true)

  func take() -> UInt {
    if isEmpty.load(ordering: .relaxed) { return 0 }
    return magazines.withLock { magazines in
      let magazine = magazines.popLast() ?? 0
      isEmpty.store(magazines.isEmpty, ordering: .relaxed)
      return magazine
    }
  }

  /// - Returns: whether there was room.
  func give(_ magazine: UInt) -> Bool {
    magazines.withLock { magazines in
      if magazines.count == Self.capacity { return false }
      magazines.append(magazine)
      isEmpty.store(false, ordering: .relaxed)
      return true
    }
  }
}
