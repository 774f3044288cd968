/// One queued event, in memory of its own.
///
/// A node has one owner at a time: the producer until it is pushed, then the queue, then the consumer. Only the owner
/// touches it, and the queue's atomic word (or lock) hands it over.
@safe
struct EventNode: @unchecked Sendable {
  // Sendable: see the ownership rule above; a node is never reachable by two threads at once.
  struct Content {
    var next: UInt
    var postedAt: Int64
    var payload: EventPayload
    var priority: EventPriority
    var traits: UInt8
  }

  private let content: UnsafeMutablePointer<Content>

  init(_ payload: EventPayload, priority: EventPriority, postedAt: Int64 = 0) {
    let traits = priority.bit | payload.delayBit
    unsafe content = NodePool.take()
    unsafe content.initialize(
      to: Content(
        next: 0, postedAt: postedAt, payload: payload, priority: priority, traits: traits))
  }

  /// The node behind a word that `bits` gave; nil for 0.
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

  var priority: EventPriority { unsafe content.pointee.priority }

  /// The priority's bit, and another one if the event is delayed.
  var traits: UInt8 { unsafe content.pointee.traits }

  var postedAt: Int64 { unsafe content.pointee.postedAt }

  var isRefusable: Bool { unsafe content.pointee.payload.isRefusable }

  /// The node's ticket, if it has one.
  var ticket: ScheduledEvent? {
    if case .ticket(let ticket) = unsafe content.pointee.payload { ticket } else { nil }
  }

  /// Ends the node's life and hands out what it carried.
  consuming func takePayload() -> EventPayload {
    let taken = unsafe content.move()
    unsafe NodePool.giveBack(content)
    return taken.payload
  }
}
