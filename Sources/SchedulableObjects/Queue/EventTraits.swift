/// The traits of an event, or of several together, that a queue and its consumer need without reading the payload.
struct EventTraits: OptionSet {
  let rawValue: UInt8

  static let background = EventTraits(rawValue: EventPriority.background.bit)
  static let normal = EventTraits(rawValue: EventPriority.normal.bit)
  static let user = EventTraits(rawValue: EventPriority.user.bit)
  /// It may not be due yet.
  static let delayed = EventTraits(rawValue: 0b01_000)
  /// Neither a shutdown nor a full queue may refuse it.
  static let mustRun = EventTraits(rawValue: 0b10_000)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ priority: EventPriority) { self.init(rawValue: priority.bit) }
}
