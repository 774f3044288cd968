/// Keeps the memory of nodes, so that an event costs no allocation beside its closure's.
///
/// Each thread has a few free nodes of its own. A thread that only sends runs out of them, one that only runs events
/// has ever more; so they change threads by the magazine, through a depot with a lock that is taken once per magazine.
struct NodePool: ~Copyable {
  typealias Memory = UnsafeMutablePointer<EventNode.Content>

  private static let magazineSize = 64
  private static let depot = NodeDepot()

  private var first: UInt = 0
  private var count = 0

  /// Memory for one node, from the calling thread's pool.
  static func take() -> Memory {
    unsafe ThreadMark.withPool { unsafe $0.take() }
  }

  /// Takes back the memory of one node into the calling thread's pool.
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

/// Full magazines on their way from threads that run events to threads that send them.
private final class NodeDepot: Sendable {
  /// Bounds what an idle process keeps: 256 magazines of 64 nodes are about one megabyte.
  private static let capacity = 256

  private let magazines = Locked<[UInt]>([])

  func take() -> UInt { magazines.withLock { $0.popLast() ?? 0 } }

  /// - Returns: whether there was room.
  func give(_ magazine: UInt) -> Bool {
    magazines.withLock { magazines in
      if magazines.count == Self.capacity { return false }
      magazines.append(magazine)
      return true
    }
  }
}
