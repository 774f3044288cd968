internal import Parsing

/// What is read of a `TrackEvent`.
struct PerfettoTrackEvent {
  enum Kind { case begin, end }

  private(set) var kind: Kind?
  private(set) var track: UInt64?
  /// Its number among the names of the sequence, or where it stands.
  private(set) var nameNumber: UInt64?
  private(set) var name: Range<Int>?
  /// Chains that pass through it, and those that end in it.
  private(set) var flows: [UInt64] = []
  private(set) var ends: [UInt64] = []

  init(track: UInt64?) { self.track = track }

  mutating func read(_ bytes: Span<UInt8>, _ part: Range<Int>) throws(InputError) {
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 9: kind = value.number == 1 ? .begin : value.number == 2 ? .end : nil
      case 10: nameNumber = value.number
      case 11: track = value.number
      case 23: name = value.bytes
      case 36, 47: try Self.numbers(value, bytes, into: &flows)
      case 42, 48: try Self.numbers(value, bytes, into: &ends)
      default: break
      }
    }
  }

  /// One of them, or several of eight bytes each.
  private static func numbers(
    _ value: Wire.Value, _ bytes: Span<UInt8>, into numbers: inout [UInt64]
  ) throws(InputError) {
    guard let packed = value.bytes else { return numbers.append(value.number) }
    var at = packed.lowerBound
    while at + 8 <= packed.upperBound {
      numbers.append((0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) })
      at += 8
    }
  }
}
