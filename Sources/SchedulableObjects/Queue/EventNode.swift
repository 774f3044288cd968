internal import Concurrency

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
