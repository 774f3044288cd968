internal import Parsing

/// What packets of one sequence say once for those that follow.
struct PerfettoSequence {
  /// A name of events: its number among those of the sink, and what it means where that is something.
  struct Name {
    var number: Int
    var kind: ChromeEvent.Kind?
  }

  /// By their numbers within the sequence.
  var names: [UInt64: Name] = [:]
  /// Those of what events say of themselves.
  var annotations: [UInt64: PerfettoAnnotation.Key] = [:]
  /// Categories of a page's own measures.
  var userTimings: Set<UInt64> = []
  var clock: UInt64?
  var track: UInt64?
  /// The tracks of what counters showed at an event, and what each that counts on showed last.
  var counters: [UInt64] = []
  private var counts: [UInt64: Int64] = [:]
  /// Whether packets were lost that later ones refer to.
  private(set) var isBroken = false

  /// Forgets all: what follows says it anew.
  mutating func clear() { self = Self() }

  mutating func lose() { isBroken = true }

  /// How much of the processor the thread had used at an event, in nanoseconds; nil where nothing says so.
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
    return time.flatMap { OutsideTime.instants.contains($0) ? $0 : nil }
  }
}

/// A track of a trace: a thread, or something that belongs to one or to a process.
struct PerfettoTrack {
  /// What counts on it.
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

/// What an event says of itself, as far as it is read.
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

  /// Nil of what means nothing here.
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
