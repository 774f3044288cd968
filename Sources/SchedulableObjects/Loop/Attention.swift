internal import Synchronization

/// Tells the consumer during a batch that an event of higher priority arrived, or that the loop was closed.
///
/// It has one bit per priority and one for closing. It is a hint and never decides whether an event is seen, only how
/// soon: the pusher sets a bit after its push, and the consumer clears the bits before it takes from the queue.
struct Attention: ~Copyable {
  private static let closing: UInt8 = 0x80
  private let bits = Atomic<UInt8>(0)

  func call(for priority: EventPriority) {
    let bit = priority.bit
    if priority > .background, bits.load(ordering: .sequentiallyConsistent) & bit == 0 {
      bits.bitwiseOr(bit, ordering: .sequentiallyConsistent)
    }
  }

  func callForClosing() { bits.bitwiseOr(Self.closing, ordering: .sequentiallyConsistent) }

  /// Whether a bit above this priority is set; if so, clears all bits.
  func answer(above priority: EventPriority) -> Bool {
    let wanted = priority.bitsAbove | Self.closing
    if bits.load(ordering: .relaxed) & wanted == 0 { return false }
    bits.store(0, ordering: .sequentiallyConsistent)
    return true
  }
}
