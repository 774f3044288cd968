internal import FrameBudget
internal import FrameBudgetParsing

/// Reads profiles thread by thread: in Gecko's own format, which Firefox writes when it ends, and in the processed one of
/// profiler.firefox.com and samply.
struct GeckoProfile {
  private(set) var names = InternedNames()
  /// The number of cores; nil if the profile does not have it.
  private(set) var cores: Int?
  private let input: RecordingInput
  /// When the first process began, in nanoseconds since 1970.
  private var origin: Int64?
  /// The strings of all threads without their own, once they are needed.
  private var shared: [Int32]?

  private static let keys = JSONKeys(["meta", "threads", "processes"])
  private static let openings = JSONKeys(["libs", "meta"])
  private static let processed = JSONKeys(["interval", "preprocessedProfileVersion"])
  private static let facts = JSONKeys(["startTime", "profilingEndTime", "logicalCPUs"])
  private static let shares = JSONKeys(["shared"])
  private static let tables = JSONKeys(["stringArray"])

  private init(_ input: RecordingInput) {
    self.input = input
    for meaning in GeckoMarker.Meaning.allCases { _ = names.intern(meaning.name) }
  }

  /// Whether a file with these first bytes is one.
  static func isProfile(_ opening: [UInt8]) -> Bool {
    guard JSONReader.isJSON(opening) else { return false }
    var reader = JSONReader(opening)
    guard (try? reader.beginObject()) != nil else { return false }
    while let key = try? reader.nextMember(of: openings) {
      if key == 0 { return true }
      guard (try? reader.beginObject()) != nil else { return false }
      if (try? reader.nextMember(of: processed)) != nil { return true }
    }
    return false
  }

  /// Calls `body` for each thread; returns what is known of the whole profile.
  static func read(
    _ input: RecordingInput, _ body: (GeckoThread, Self) throws(InputError) -> Void
  ) throws(InputError) -> Self {
    var reader = try JSONReader(try input.open())
    var profile = Self(input)
    try profile.readProcess(&reader, body)
    try reader.end()
    return profile
  }

  /// Reads a process with the processes that it started.
  private mutating func readProcess(
    _ reader: inout JSONReader, _ body: (GeckoThread, Self) throws(InputError) -> Void
  ) throws(InputError) {
    var times: (offset: Int64, end: Int64?) = (0, nil)
    try reader.beginObject()
    while let key = try reader.nextMember(of: Self.keys) {
      switch (key, try reader.kind()) {
      case (0, .object): times = try readMeta(&reader)
      case (1, .array):
        try reader.beginArray()
        while try reader.nextElement() { try readThread(&reader, times, body) }
      case (2, .array):
        try reader.beginArray()
        while try reader.nextElement() { try readProcess(&reader, body) }
      default: try reader.skip()
      }
    }
  }

  /// The time from the begin of the first process to that of this one, and to the end of its profile; nil if unknown.
  private mutating func readMeta(
    _ reader: inout JSONReader
  ) throws(InputError) -> (offset: Int64, end: Int64?) {
    var (start, end): (Int64?, Int64?)
    try reader.beginObject()
    while let key = try reader.nextMember(of: Self.facts) {
      guard try reader.kind() == .number else {
        try reader.skip()
        continue
      }
      switch key {
      case 0: start = try reader.fixedPoint(places: 6).value(in: InputTime.instants)
      case 1: end = try reader.fixedPoint(places: 6).value(in: GeckoMarker.instants)
      default:
        let count = try reader.fixedPoint(places: 0).value(in: 1...65_536)
        cores = cores ?? count.map { Int($0) }
      }
    }
    guard let start else { return (0, end) }
    let first = origin ?? start
    origin = first
    guard GeckoMarker.instants.contains(start - first) else {
      throw reader.failure("the process begins out of range")
    }
    return (start - first, end.map { $0 + (start - first) })
  }

  private mutating func readThread(
    _ reader: inout JSONReader, _ times: (offset: Int64, end: Int64?),
    _ body: (GeckoThread, Self) throws(InputError) -> Void
  ) throws(InputError) {
    var thread = try GeckoThread(&reader, &names)
    if thread.needsStrings, shared == nil { shared = try sharedStrings() }
    thread.join(by: times.offset, until: times.end, shared: shared ?? [])
    do throws(InputError) {
      try body(thread, self)
    } catch {
      throw reader.failure(error.reason)
    }
  }

  /// Some programs write them behind the threads, so they are read by themselves.
  private mutating func sharedStrings() throws(InputError) -> [Int32] {
    var reader = try JSONReader(try input.open())
    var strings: [Int32] = []
    try reader.beginObject()
    while try reader.nextMember(of: Self.shares) != nil {
      guard try reader.kind() == .object else {
        try reader.skip()
        continue
      }
      try reader.beginObject()
      while try reader.nextMember(of: Self.tables) != nil {
        strings = try GeckoThread.strings(&reader, &names)
      }
    }
    return strings
  }
}
