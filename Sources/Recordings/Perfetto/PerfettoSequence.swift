internal import Parsing

/// State of a sequence that packets define for later ones.
struct PerfettoSequence {
  /// A name of events: its number in the sink, and its meaning if it matters.
  struct Name {
    var number: Int
    var kind: ChromeEvent.Kind?
  }

  /// By their numbers within the sequence.
  var names: [UInt64: Name] = [:]
  /// The names of arguments.
  var annotations: [UInt64: PerfettoAnnotation.Key] = [:]
  /// Categories of a page's own measures.
  var userTimings: Set<UInt64> = []
  var clock: UInt64?
  var track: UInt64?
  /// The tracks of counters in events, and the last value of each incremental one.
  var counters: [UInt64] = []
  private var counts: [UInt64: Int64] = [:]
  /// Whether packets were lost to which later ones refer.
  private(set) var isBroken = false

  /// Forgets all state: later packets define it again.
  mutating func clear() { self = Self() }

  mutating func lose() { isBroken = true }

  /// The processor time of the thread at an event, in nanoseconds; nil if unknown.
  mutating func threadTime(
    _ shown: [Int64], of tracks: [UInt64: PerfettoTrack]
  ) -> Int64? {
    var time: Int64?
    for (number, count) in zip(counters, shown) {
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
  }

  var key: Key
  var number: Int?
  var text: String?

  /// Nil for arguments that do not matter.
  init?(
    _ bytes: Span<UInt8>, _ part: Range<Int>, names: [UInt64: Key]
  ) throws(InputError) {
    var key: Key?
    var number: Int?
    var text: Range<Int>?
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 1: key = names[value.number]
      case 10: key = value.bytes.flatMap { Key(rawValue: PerfettoText.text(bytes, $0)) }
      case 3: number = Int(exactly: value.number)
      case 4: number = Int(value.signed)
      case 6, 9: text = value.bytes
      default: break
      }
    }
    guard let key else { return nil }
    self.key = key
    self.number = number
    self.text = text.map { PerfettoText.text(bytes, $0) }
  }
}
