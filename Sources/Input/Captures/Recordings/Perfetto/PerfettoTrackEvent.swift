internal import FrameBudgetParsing

/// The fields of a `TrackEvent` that are read.
struct PerfettoTrackEvent {
  enum Kind: UInt64 { case begin = 1, end, instant }

  private(set) var kind: Kind?
  private(set) var track: UInt64?
  /// The number of its name in the sequence, or the range of the name itself.
  private(set) var nameNumber: UInt64?
  private(set) var name: Range<Int>?
  /// The numbers of its categories in the sequence, and whether an inline category is that of a page's measures.
  private(set) var categories: [UInt64] = []
  private(set) var isUserTiming = false
  /// The values of counters, in the order of the sequence's counter tracks; empty if the event names others.
  private(set) var counts: [Int64] = []
  private var hasOwnCounters = false
  /// Flows that pass through it, and flows that end in it.
  private(set) var flows: [UInt64] = []
  private(set) var terminatingFlows: [UInt64] = []
  /// The ranges of its arguments: `DebugAnnotation`s, and Chrome's `ChromeFrameReporter` and `AnimationFrameTimingInfo`.
  private(set) var annotations: [Range<Int>] = []
  private(set) var report: Range<Int>?
  private(set) var animationFrame: Range<Int>?

  init(track: UInt64?) { self.track = track }

  mutating func read(_ bytes: Span<UInt8>, _ part: Range<Int>) throws(InputError) {
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 3: if value.bytes == nil { categories.append(value.number) }
      case 4: if let part = value.bytes { annotations.append(part) }
      case 9: kind = Kind(rawValue: value.number)
      case 10: nameNumber = value.number
      case 11: track = value.number
      case 12: if value.bytes == nil { counts.append(value.signed) }
      case 22:
        if let part = value.bytes {
          isUserTiming =
            isUserTiming
            || ChromeCategory(PerfettoText.text(bytes, part)).contains(.userTiming)
        }
      case 23: name = value.bytes
      case 31: hasOwnCounters = true
      case 36, 47: try Self.numbers(value, bytes, into: &flows)
      case 42, 48: try Self.numbers(value, bytes, into: &terminatingFlows)
      case 32, 1075: report = value.bytes
      case 1064: animationFrame = value.bytes
      default: break
      }
    }
    if hasOwnCounters { counts = [] }
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

/// Text in a message.
enum PerfettoText {
  static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: range.map { bytes[$0] }, as: UTF8.self)
  }
}
