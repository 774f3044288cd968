internal import FrameBudget
internal import FrameBudgetParsing

/// A marker in a profile of Firefox, with times in nanoseconds.
struct GeckoMarker {
  /// Its fields, which have the same names in both formats.
  enum Field: String, CaseIterable { case name, startTime, endTime, phase, data }

  /// What its times bound. The raw values are those of the formats.
  enum Phase: Int64 { case instant, interval, begin, end }

  /// Names with a meaning. They are interned first, so that these are their numbers.
  enum Meaning: Int32, CaseIterable {
    case awake, runnable, longTask, tick, vsync, scene, composite, timing, task

    var name: String {
      switch self {
      case .awake: "Awake"
      case .runnable: "Runnable"
      case .longTask: "LongTask"
      case .tick: "RefreshDriverTick"
      case .vsync: "VsyncTimestamp"
      case .scene: "CONTENT_FULL_PAINT_TIME"
      case .composite: "CONTENT_FRAME_TIME"
      case .timing: "UserTiming"
      // Of a slice that only says that the thread had something to do.
      case .task: "Task"
      }
    }
  }

  /// The number of its name: among the strings of its thread, later among those of the profile; -1 without a name.
  var name: Int32 = -1
  private(set) var phase = Phase.instant
  var begin: Int64 = 0
  var end: Int64 = 0
  var cpu: Int64?
  /// The number of the name of an app's own measure; nil for other markers.
  private(set) var measure: Int32?

  var meaning: Meaning? { Meaning(rawValue: name) }

  /// Whether it lasts as long as the thread is busy with something.
  var isTask: Bool {
    switch meaning {
    case .awake, .runnable, .longTask, .tick: true
    default: false
    }
  }

  /// Sums of two such instants are valid, too.
  static let instants: ClosedRange<Int64> = -(1 << 60)...1 << 60

  private static let details = JSONKeys(["name", "entryType", "CPU Time"])

  mutating func read(
    _ field: Field, _ reader: inout JSONReader, _ names: inout InternedNames
  ) throws(InputError) {
    switch field {
    case .name:
      let number = try reader.fixedPoint(places: 0).value(in: 0...Int64(Int32.max))
      name = number.map { Int32($0) } ?? -1
    case .phase:
      phase = try reader.fixedPoint(places: 0).value.flatMap(Phase.init(rawValue:)) ?? .instant
    case .startTime: begin = try Self.instant(&reader)
    case .endTime: end = try Self.instant(&reader)
    case .data: try readDetails(&reader, &names)
    }
  }

  /// The time that a marker lacks is `null` in the processed format, and 0 in Gecko's own.
  private static func instant(_ reader: inout JSONReader) throws(InputError) -> Int64 {
    let time = try reader.fixedPoint(places: 6)
    guard let instant = time == .missing ? 0 : time.value(in: instants) else {
      throw reader.failure("the marker's time is out of range")
    }
    return instant
  }

  private mutating func readDetails(
    _ reader: inout JSONReader, _ names: inout InternedNames
  ) throws(InputError) {
    guard try reader.kind() == .object else { return try reader.skip() }
    var text: String?
    var isMeasure = false
    try reader.beginObject()
    while let key = try reader.nextMember(of: Self.details) {
      switch (key, try reader.kind()) {
      case (0, .string): text = try reader.string()
      case (1, .string): isMeasure = try reader.string() == "measure"
      case (2, .number): cpu = try reader.fixedPoint(places: 6).value(in: InputTime.spans)
      default: try reader.skip()
      }
    }
    if isMeasure, let text { measure = Int32(names.intern(text)) }
  }
}
