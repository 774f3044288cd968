internal import SchedulableThreads
internal import Synchronization

/// One queued event, in its own memory.
///
/// A node has one owner at a time: the producer until it is pushed, then the queue, then the consumer. Only the owner
/// accesses it, and the queue's atomic word (or lock) hands it over.
@safe
struct EventNode: @unchecked Sendable {
  // Sendable: see the ownership rule above; a node is never reachable by two threads at once.
  struct Content: ~Copyable {
    var next: UInt
    var postedAt: Int64
    let priority: EventPriority
    let traits: EventTraits
    /// The measured item that the event belongs to. Occupies bytes that would otherwise be padding.
    let item: UInt32
    let payload: EventPayload
  }

  private let content: UnsafeMutablePointer<Content>

  init(
    _ payload: consuming EventPayload, priority: EventPriority, traits: EventTraits = []
  ) {
    unsafe content = NodePool.take()
    unsafe content.initialize(
      to: Content(
        next: 0, postedAt: 0, priority: priority, traits: traits.union(EventTraits(priority)),
        item: ObservedWork.itemOfPost, payload: payload))
  }

  /// The node of a word from `bits`; nil for 0.
  init?(bits: UInt) {
    guard let content = unsafe UnsafeMutablePointer<Content>(bitPattern: bits) else { return nil }
    unsafe self.content = content
  }

  /// The node's address; its four lowest bits are 0, so a queue may keep marks in them.
  var bits: UInt { unsafe UInt(bitPattern: content) }

  var next: UInt {
    get { unsafe content.pointee.next }
    nonmutating set { unsafe content.pointee.next = newValue }
  }

  var postedAt: Int64 {
    get { unsafe content.pointee.postedAt }
    nonmutating set { unsafe content.pointee.postedAt = newValue }
  }

  var priority: EventPriority { unsafe content.pointee.priority }

  var traits: EventTraits { unsafe content.pointee.traits }

  /// The measured item that the event belongs to; 0 if there is none.
  var item: UInt32 { unsafe content.pointee.item }

  /// When the event is due, in nanoseconds on the loop's clock, if it is delayed.
  var due: Int64? {
    switch unsafe content.pointee.payload {
    case .ticket(let ticket): ticket.due
    case .chore(let chore): chore.due
    default: nil
    }
  }

  /// Whether it has been withdrawn.
  var isOver: Bool {
    switch unsafe content.pointee.payload {
    case .ticket(let ticket): ticket.isOver
    case .call(let call): call.isOver
    default: false
    }
  }

  /// Whether its loss must be reported: a caller sent it and has not withdrawn it.
  var isMissed: Bool {
    switch unsafe content.pointee.payload {
    case .run: true
    case .send: true
    case .keyed: true
    case .ticket(let ticket): !ticket.isOver
    case .call(let call): !call.isOver
    default: false
    }
  }

  /// Frees the node and returns its payload.
  consuming func takePayload() -> EventPayload {
    let taken = unsafe content.move()
    unsafe NodePool.giveBack(content)
    return taken.payload
  }
}

/// An intrusive linked list of nodes, oldest first. Belongs to one thread.
struct EventChain {
  private var first: UInt = 0
  private var last: UInt = 0
  private(set) var count = 0

  var isEmpty: Bool { first == 0 }

  mutating func append(_ node: EventNode) {
    node.next = 0
    link(node.bits, to: node.bits, count: 1)
  }

  mutating func append(_ chain: EventChain) {
    if !chain.isEmpty { link(chain.first, to: chain.last, count: chain.count) }
  }

  mutating func prepend(_ node: EventNode) {
    node.next = first
    first = node.bits
    if last == 0 { last = node.bits }
    count += 1
  }

  mutating func popFirst() -> EventNode? {
    guard let node = EventNode(bits: first) else { return nil }
    first = node.next
    if first == 0 { last = 0 }
    count -= 1
    return node
  }

  /// Removes and returns the oldest node that may be refused.
  mutating func removeFirstRefusable() -> EventNode? {
    var skipped = EventChain()
    defer {
      skipped.append(self)
      self = skipped
    }
    while let node = popFirst() {
      if !node.traits.contains(.mustRun) { return node }
      skipped.append(node)
    }
    return nil
  }

  /// The number of nodes that meet the condition.
  func count(where condition: (EventNode) -> Bool) -> Int {
    var count = 0
    var bits = first
    while let node = EventNode(bits: bits) {
      if condition(node) { count += 1 }
      bits = node.next
    }
    return count
  }

  private mutating func link(_ start: UInt, to end: UInt, count added: Int) {
    if let tail = EventNode(bits: last) { tail.next = start } else { first = start }
    last = end
    count += added
  }
}

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
