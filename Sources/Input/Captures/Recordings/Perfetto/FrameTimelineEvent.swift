internal import FrameBudgetParsing

/// An event of Android's FrameTimeline: the expected time of a frame, its actual time, or the end of either.
struct FrameTimelineEvent {
  enum Kind: Int {
    case expectedDisplay = 1
    case actualDisplay, expectedSurface, actualSurface, end
  }

  /// The reasons why a frame was not on the screen when expected.
  struct Jank: OptionSet {
    let rawValue: UInt64

    static let appDeadline = Self(rawValue: 64)
    static let stuffing = Self(rawValue: 128)
    static let dropped = Self(rawValue: 1024)
  }

  var kind: Kind
  /// The id that its end event has too.
  private(set) var cookie: UInt64 = 0
  private(set) var token: UInt64 = 0
  /// For a frame of a surface: the display's frame that shows it.
  private(set) var displayToken: UInt64 = 0
  private(set) var process = 0
  private(set) var wasDropped = false
  private(set) var jank: Jank = []

  /// A frame that never reached the screen.
  private static let droppedPresent: UInt64 = 4

  private init(kind: Kind) { self.kind = kind }

  /// Nil for unknown events.
  init?(_ bytes: Span<UInt8>, _ part: Range<Int>) throws(InputError) {
    var found: (kind: Kind, part: Range<Int>)?
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      if let kind = Kind(rawValue: field), let part = value.bytes { found = (kind, part) }
    }
    guard let found else { return nil }
    var event = Self(kind: found.kind)
    let isSurface = event.kind == .expectedSurface || event.kind == .actualSurface
    try Wire.forEachField(of: bytes, in: found.part) { (field, value) throws(InputError) in
      switch (field, isSurface) {
      case (1, _): event.cookie = value.number
      case (2, _): event.token = value.number
      case (3, true): event.displayToken = value.number
      case (4, true): event.process = value.count
      case (6, true): event.wasDropped = value.number == Self.droppedPresent
      case (9, true): event.jank = Jank(rawValue: value.number)
      default: break
      }
    }
    self = event
  }
}
