/// The urgency of an event: of two queued events the one of higher priority runs first, whichever was sent first.
public enum EventPriority: UInt8, Sendable, Comparable, CaseIterable {
  /// Work that no user waits for.
  case background = 0
  /// The default.
  case normal = 1
  /// Work that a user waits for.
  case user = 2

  public static func < (left: EventPriority, right: EventPriority) -> Bool {
    left.rawValue < right.rawValue
  }

  /// This priority's bit in a set of priorities.
  var bit: UInt8 { 1 << rawValue }

  /// The bits of all priorities above this one.
  var bitsAbove: UInt8 { ~(bit | (bit &- 1)) & 0b111 }
}
