internal import Synchronization

/// Tells the consumer, while it works through a batch, that something came which goes before the rest.
///
/// One bit per priority and one for closing. It is a hint beside the queue and never decides whether an event is seen,
/// only how soon: the pusher sets a bit after its push, the consumer clears them before it takes.
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

  /// Whether somebody called who goes before this priority; if so, starts afresh.
  func answer(above priority: EventPriority) -> Bool {
    let wanted = priority.bitsAbove | Self.closing
    if bits.load(ordering: .relaxed) & wanted == 0 { return false }
    bits.store(0, ordering: .sequentiallyConsistent)
    return true
  }
}
