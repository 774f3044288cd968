internal import FrameBudgetParsing

/// State of a sequence that packets define for later ones.
struct PerfettoSequence {
  /// A name of events: its number in the sink, and its meaning if it matters.
  struct Name {
    var number: Int
    var kind: ChromeEvent.Kind?
  }

  /// By their numbers within the sequence.
  var names: [UInt64: Name] = [:]
  /// The names of arguments, of those that are read.
  var annotations: [UInt64: PerfettoAnnotation.Name] = [:]
  /// Categories of a page's own measures.
  var userTimings: Set<UInt64> = []
  var clock: UInt64?
  var track: UInt64?
  /// The tracks of counters in events, and the last value of each incremental one.
  var counters: [UInt64] = []
  private var counts: [UInt64: Int64] = [:]
  /// Whether packets were lost to which later ones refer.
  private(set) var hasPacketLoss = false

  /// Forgets all state: later packets define it again.
  mutating func clear() { self = Self() }

  mutating func notePacketLoss() { hasPacketLoss = true }

  /// The processor time of the thread at an event, in nanoseconds; nil if unknown.
  mutating func threadTime(
    _ values: [Int64], of tracks: [UInt64: PerfettoTrack]
  ) -> Int64? {
    var time: Int64?
    for (number, count) in zip(counters, values) {
      guard let counter = tracks[number]?.counter else { continue }
      var value = count
      if counter.isIncremental {
        value &+= counts[number] ?? 0
        counts[number] = value
      }
      if counter.isThreadTime { time = value &* counter.unit }
    }
    return time.flatMap { InputTime.instants.contains($0) ? $0 : nil }
  }
}

/// A track of a trace: a thread, or a part of one or of a process.
struct PerfettoTrack {
  /// A counter on a track.
  struct Counter {
    var isThreadTime = false
    var isIncremental = false
    /// In nanoseconds.
    var unit: Int64 = 1
  }

  var process: Int?
  var thread: Int?
  var parent: UInt64?
  var counter: Counter?
}

/// An argument of an event, as far as it is read.
struct PerfettoAnnotation {
  enum Key: String {
    case frame = "frameSeqId"
    case tree = "layerTreeId"
    case start = "StartTime"
    case target = "TargetTime"
    case frameNumber = "frame_number"
    case beginFrame = "begin_frame_id"
    case data
  }

  /// The name of an argument, or of a member of `data`.
  struct Name {
    var key: Key?
    var member: EventData.Key?

    /// Nil for names that do not matter.
    init?(_ text: String) {
      (key, member) = (Key(rawValue: text), EventData.Key(text))
      guard key != nil || member != nil else { return nil }
    }
  }

  var key: Key
  var number: Int?
  var text: String?
  var data: EventData?

  /// Nil for arguments that do not matter.
  init?(
    _ bytes: Span<UInt8>, _ part: Range<Int>, names: [UInt64: Name]
  ) throws(InputError) {
    var key: Key?
    var number: Int?
    var text: Range<Int>?
    var nested: Range<Int>?
    var members: [Range<Int>] = []
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 1: key = names[value.number]?.key
      case 10: key = value.bytes.flatMap { Key(rawValue: PerfettoText.text(bytes, $0)) }
      case 3: number = Int(exactly: value.number)
      case 4: number = Int(value.signed)
      case 6, 9: text = value.bytes
      case 8: nested = value.bytes
      case 11: if let member = value.bytes { members.append(member) }
      default: break
      }
    }
    guard let key else { return nil }
    if key == .data {
      var data = EventData()
      if let nested { try data.read(nested: bytes, nested) }
      for member in members { try data.read(member: bytes, member, names: names) }
      self.data = data
    }
    self.key = key
    self.number = number
    self.text = text.map { PerfettoText.text(bytes, $0) }
  }
}

extension EventData {
  private enum Value {
    case whole(Int64)
    case fraction(Double)
    case truth(Bool)
    case text(UInt64)
  }

  /// Reads a member in a dictionary of `DebugAnnotation`s.
  fileprivate mutating func read(
    member bytes: Span<UInt8>, _ part: Range<Int>, names: [UInt64: PerfettoAnnotation.Name]
  ) throws(InputError) {
    var key: Key?
    var read: Value?
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 1: key = names[value.number]?.member
      case 10: key = value.bytes.flatMap { Key(PerfettoText.text(bytes, $0)) }
      case 2: read = .truth(value.number != 0)
      case 3, 4: read = .whole(value.signed)
      case 5: read = .fraction(Double(bitPattern: value.number))
      case 6: read = value.bytes.map { .text(JSONReader.fingerprint(bytes.extracting($0))) }
      default: break
      }
    }
    take(read, for: key)
  }

  /// Reads a dictionary in the older form, a `NestedValue`: the names of its members, and their values in the same order.
  fileprivate mutating func read(
    nested bytes: Span<UInt8>, _ part: Range<Int>
  ) throws(InputError) {
    var keys: [Key?] = []
    var values: [Value?] = []
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard let part = value.bytes else { return }
      switch field {
      case 2: keys.append(Key(PerfettoText.text(bytes, part)))
      case 3:
        var read: Value?
        try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
          switch field {
          case 5: read = .whole(value.signed)
          case 6: read = .fraction(Double(bitPattern: value.number))
          case 7: read = .truth(value.number != 0)
          case 8: read = value.bytes.map { .text(JSONReader.fingerprint(bytes.extracting($0))) }
          default: break
          }
        }
        values.append(read)
      default: break
      }
    }
    for (key, value) in zip(keys, values) { take(value, for: key) }
  }

  private mutating func take(_ value: Value?, for key: Key?) {
    switch (key, value) {
    case (.frame?, .text(let fingerprint)?): document = fingerprint
    case (.singleShot?, .truth(let truth)?): isOnce = truth
    case (let key?, .whole(let number)?) where key.isNumber:
      numbers[key] = Self.scaled(Double(number), key)
    case (let key?, .fraction(let number)?) where key.isNumber:
      numbers[key] = Self.scaled(number, key)
    default: break
    }
  }

  /// Nil for numbers that no instant has.
  private static func scaled(_ number: Double, _ key: Key) -> Int64? {
    let scaled = Int64(exactly: (number * (key.places == 0 ? 1 : 1e6)).rounded())
    return scaled.flatMap { InputTime.instants.contains($0) ? $0 : nil }
  }
}
