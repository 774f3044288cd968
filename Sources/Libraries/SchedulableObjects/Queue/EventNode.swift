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
    // In this order without padding, so that a node is a cache line.
    var next: UInt
    let payload: EventPayload
    let priority: EventPriority
    let traits: EventTraits
    /// The measured item that the event belongs to.
    let item: UInt32
    var postedAt: Int64
  }

  private let content: UnsafeMutablePointer<Content>

  init(
    _ payload: consuming EventPayload, priority: EventPriority, traits: EventTraits = []
  ) {
    unsafe content =
      traits.contains(.delayed) ? .allocate(capacity: 1) : NodePool.take()
    unsafe content.initialize(
      to: Content(
        next: 0, payload: payload, priority: priority,
        traits: traits.union(EventTraits(priority)), item: ObservedWork.itemOfPost, postedAt: 0))
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
    if taken.traits.contains(.delayed) {
      unsafe content.deallocate()
    } else {
      unsafe NodePool.giveBack(content)
    }
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

  /// For each delayed node, last first: the earliest time of the delayed nodes behind it; `.max` if there is none.
  func earliestDuesBehind() -> [Int64] {
    var dues: [Int64] = []
    _ = count(where: { node in
      if let due = node.due { dues.append(due) }
      return false
    })
    var earliest = Int64.max
    var behind: [Int64] = []
    for due in dues.reversed() {
      behind.append(earliest)
      earliest = min(earliest, due)
    }
    return behind
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

/// The memory of nodes: the rest of a block, which belongs to the calling thread.
///
/// A thread that sends events uses the places of its block in order. The threads that have run the events return the places,
/// and the last one makes the block available to other senders. So an event needs no allocation besides its closure's, and
/// its node is one cache line between those of the events before and after it, which processors load ahead of their use.
///
/// A waiting event keeps its whole block. Delayed events, which may wait for hours, have memory of their own instead.
@safe
struct NodePool: ~Copyable {
  typealias Memory = UnsafeMutablePointer<EventNode.Content>

  /// The next unused place of the block; nil if there is none.
  private var next: UnsafeMutableRawPointer?

  init() { unsafe next = nil }

  deinit {
    guard let next = unsafe next else { return }
    unsafe NodeBlock(of: next).giveBack(NodeBlock.places(from: next))
  }

  /// Memory for one node, from the calling thread's block.
  static func take() -> Memory {
    unsafe ThreadMark.withPool { unsafe $0.take() }
  }

  /// Returns the memory of one node to its block.
  static func giveBack(_ memory: Memory) {
    unsafe NodeBlock(of: UnsafeMutableRawPointer(memory)).giveBack(1)
  }

  private mutating func take() -> Memory {
    let place = unsafe next ?? NodeBlock.take().firstPlace
    unsafe next = NodeBlock.place(after: place)
    return unsafe place.bindMemory(to: EventNode.Content.self, capacity: 1)
  }
}

/// A header and 63 places for nodes, at an address that is a multiple of the size, so that a place's address is enough to
/// find its block.
@safe
private struct NodeBlock: @unchecked Sendable {
  // Sendable: only `Atomic` and addresses are accessed through it; a place belongs to the one thread that has its node.
  private static let size = 4096
  /// The size of a cache line on most processors.
  private static let stride = 64
  private static let capacity = size / stride - 1
  private static let depot = BlockDepot()

  private let start: UnsafeMutableRawPointer

  /// The block that a place belongs to.
  init(of place: UnsafeMutableRawPointer) {
    unsafe start = place - Self.offset(of: place)
  }

  /// A block whose places are all unused.
  static func take() -> NodeBlock { depot.take() ?? NodeBlock() }

  private init() {
    precondition(MemoryLayout<EventNode.Content>.size <= Self.stride, "a node fits into its place")
    unsafe start = .allocate(byteCount: Self.size, alignment: Self.size)
    unsafe start.bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(0))
  }

  func free() {
    unsafe returned.deinitialize(count: 1)
    unsafe start.deallocate()
  }

  var firstPlace: UnsafeMutableRawPointer { unsafe start + Self.stride }

  /// The next place of the same block, if there is one.
  static func place(after place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let next = unsafe place + stride
    return unsafe offset(of: next) == 0 ? nil : next
  }

  /// The number of places from this one to the end of its block.
  static func places(from place: UnsafeMutableRawPointer) -> Int {
    unsafe (size - offset(of: place)) / stride
  }

  /// Returns places that no thread will access any more. After the last one the block is unused.
  func giveBack(_ count: Int) {
    let total = unsafe returned.pointee.add(count, ordering: .acquiringAndReleasing).newValue
    guard total == Self.capacity else { return }
    unsafe returned.pointee.store(0, ordering: .relaxed)
    if !Self.depot.give(self) { free() }
  }

  /// The number of returned places.
  private var returned: UnsafeMutablePointer<Atomic<Int>> {
    unsafe start.assumingMemoryBound(to: Atomic<Int>.self)
  }

  private static func offset(of place: UnsafeMutableRawPointer) -> Int {
    Int(UInt(bitPattern: place) % UInt(size))
  }
}

/// Unused blocks from threads that run events, for threads that send them.
private final class BlockDepot: Sendable {
  /// Limits the memory of an idle process to four megabytes.
  private static let capacity = 1024

  private let blocks = Locked<[NodeBlock]>([])

  func take() -> NodeBlock? { blocks.withLock { $0.popLast() } }

  /// Returns whether there was room.
  func give(_ block: NodeBlock) -> Bool {
    blocks.withLock { blocks in
      if blocks.count == Self.capacity { return false }
      blocks.append(block)
      return true
    }
  }
}
