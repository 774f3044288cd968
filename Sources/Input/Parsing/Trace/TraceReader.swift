package import FrameBudget

/// An event of one of the project's own traces, read back from the text of a `TraceEvent`.
package struct ReadTraceEvent {
  package enum Kind: UInt8 {
    case span = 0x58  // X
    case mark = 0x69  // i
    case flowBegin = 0x73  // s
    case flowEnd = 0x66  // f
    case waitBegin = 0x62  // b
    case waitEnd = 0x65  // e
    case metadata = 0x4D  // M
  }

  /// What its name says; nil for the names of spans.
  package enum Meaning: Sendable {
    case about(TraceEvent.About)
    case screen(ScreenEvent)
  }

  package fileprivate(set) var kind: Kind?
  package fileprivate(set) var category: TraceEvent.Category?
  package fileprivate(set) var meaning: Meaning?
  /// The number of its name among the names of its reader.
  package fileprivate(set) var name = 0
  package fileprivate(set) var process = 0
  package fileprivate(set) var thread = 0
  /// In nanoseconds.
  package fileprivate(set) var begin: Int64 = 0
  package fileprivate(set) var length: Int64 = 0
  /// The number of its flow or wait.
  package fileprivate(set) var flow = 0
  /// By argument: its number, or that of its text; `none` if the event does not have it.
  private var values = [Int](repeating: none, count: TraceArgument.allCases.count)

  private static let none = Int.min

  fileprivate init() {}

  package var end: Int64 { begin + length }

  /// The value of an argument that is a number. Times are nanoseconds.
  package subscript(argument: TraceArgument) -> Int? {
    let value = values[argument.rawValue]
    return value == Self.none ? nil : value
  }

  fileprivate mutating func set(_ argument: TraceArgument, to value: Int?) {
    values[argument.rawValue] = value ?? Self.none
  }

  /// Forgets everything but the memory, because files have millions of events.
  fileprivate mutating func clear() {
    (kind, category, meaning) = (nil, nil, nil)
    (name, process, thread, flow) = (0, 0, 0, 0)
    (begin, length) = (0, 0)
    for index in values.indices { values[index] = Self.none }
  }
}

/// Reads the project's own traces, those of `run --trace` and of the library FrameRecording, event by event. Memory grows only
/// with the number of different names.
package struct TraceReader: ~Copyable {
  package private(set) var names = InternedNames()
  private var categories = InternedNames()
  private var meanings: [ReadTraceEvent.Meaning?] = []

  private enum Key: Int, CaseIterable { case name, ph, cat, pid, tid, ts, dur, id, args }

  private static let keys = JSONKeys(Key.allCases.map { "\($0)" })
  private static let arguments = JSONKeys(TraceArgument.allCases.map(\.text))
  private static let categories = TraceEvent.Category.allCases
  private let keys = Self.keys
  private let arguments = Self.arguments

  /// The limit for bytes of names.
  private static let maxNames = 1 << 26

  package init() {
    _ = names.intern("")
    for category in Self.categories { _ = categories.intern(category.rawValue) }
  }

  /// Whether a file with these first bytes is such a trace, also if another program has saved it again: with spaces, or with its
  /// members in another order. Only these traces have tracks with roles.
  package static func recognises(_ opening: [UInt8]) -> Bool {
    let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    let text = opening.filter { !spaces.contains($0) }
    return text.starts(with: TraceEvent.mark.utf8)
      || [screenRole, trackName].allSatisfy { !text.ranges(of: Array($0.utf8)).isEmpty }
  }

  private static let screenRole = "\"\(TraceArgument.role.text)\":\"\(TrackRole.screen.rawValue)\""
  private static let trackName = "\"\(TraceEvent.About.thread.rawValue)\""

  /// Passes each event of a file to `body`, with the reader's names and the place in the file, for errors.
  package mutating func read(
    _ source: consuming ByteSource,
    _ body: (borrowing Self, borrowing ReadTraceEvent, borrowing JSONReader) throws(InputError)
      -> Void
  ) throws(InputError) {
    var reader = try JSONReader(source)
    if try reader.kind() == .array {
      try readEvents(&reader, body)
    } else {
      try reader.object { (reader, key) throws(InputError) in
        if key == "traceEvents" { try readEvents(&reader, body) } else { try reader.skip() }
      }
    }
    try reader.end()
  }

  /// The text of an argument; nil if the event does not have it.
  package func text(_ argument: TraceArgument, of event: borrowing ReadTraceEvent) -> String? {
    event[argument].map { names[$0] }
  }

  private mutating func readEvents(
    _ reader: inout JSONReader,
    _ body: (borrowing Self, borrowing ReadTraceEvent, borrowing JSONReader) throws(InputError)
      -> Void
  ) throws(InputError) {
    var event = ReadTraceEvent()
    try reader.beginArray()
    while try reader.nextElement() {
      event.clear()
      try reader.beginObject()
      while let key = try reader.nextMember(of: keys) {
        try read(Key.allCases[key], &reader, into: &event)
      }
      event.meaning = meaning(ofName: event.name)
      guard InputTime.instants.contains(event.begin), InputTime.spans.contains(event.length) else {
        throw reader.failure("the event's time is out of range")
      }
      if names.size + categories.size > Self.maxNames {
        throw reader.failure("more than \(Self.maxNames >> 20) MB of names")
      }
      try body(self, event, reader)
    }
  }

  private mutating func read(
    _ key: Key, _ reader: inout JSONReader, into event: inout ReadTraceEvent
  ) throws(InputError) {
    switch (key, try reader.kind()) {
    case (.name, .string): event.name = try reader.string(in: &names)
    case (.ph, .string):
      event.kind = try reader.letter().flatMap(ReadTraceEvent.Kind.init(rawValue:))
    case (.cat, .string):
      let number = try reader.string(in: &categories)
      event.category =
        Self.categories.indices.contains(number) ? Self.categories[number] : nil
    case (.pid, .number): event.process = try Self.whole(&reader)
    case (.tid, .number): event.thread = try Self.whole(&reader)
    case (.id, .number): event.flow = try Self.whole(&reader)
    case (.ts, .number): event.begin = try Self.time(&reader)
    case (.dur, .number): event.length = max(0, try Self.time(&reader))
    case (.args, .object):
      try reader.beginObject()
      while let argument = try reader.nextMember(of: arguments) {
        try read(TraceArgument.allCases[argument], &reader, into: &event)
      }
    default: try reader.skip()
    }
  }

  private mutating func read(
    _ argument: TraceArgument, _ reader: inout JSONReader, into event: inout ReadTraceEvent
  ) throws(InputError) {
    switch (argument.isText, try reader.kind()) {
    case (true, .string): event.set(argument, to: try reader.string(in: &names))
    case (true, .number): event.set(argument, to: names.intern(try reader.numberText()))
    case (false, .number):
      let places = argument == .duration ? 6 : 0
      event.set(
        argument, to: try reader.fixedPoint(places: places).value.flatMap(Self.exact))
    default: try reader.skip()
    }
  }

  private static func time(_ reader: inout JSONReader) throws(InputError) -> Int64 {
    guard let time = try reader.fixedPoint(places: 3).value else {
      throw reader.failure("the event's time is out of range")
    }
    return time
  }

  private static func whole(_ reader: inout JSONReader) throws(InputError) -> Int {
    try reader.fixedPoint(places: 0).value.flatMap(exact) ?? 0
  }

  /// Integers that JSON represents exactly; others count as missing.
  private static func exact(_ number: Int64) -> Int? {
    number.magnitude < 1 << 53 ? Int(number) : nil
  }

  private mutating func meaning(ofName number: Int) -> ReadTraceEvent.Meaning? {
    while meanings.count <= number {
      let name = names[meanings.count]
      meanings.append(
        TraceEvent.About(rawValue: name).map { .about($0) }
          ?? ScreenEvent(rawValue: name).map { .screen($0) })
    }
    return meanings[number]
  }
}

extension TraceArgument {
  /// Whether its value is a text, or a number that is kept as text because it may have many digits.
  fileprivate var isText: Bool { Self.areTexts[rawValue] }

  private static let areTexts = allCases.map { argument in
    switch argument {
    case .name, .role, .workload, .step, .service, .lock, .resource, .cause, .beginCause,
      .hangsBetween:
      true
    case .scenario, .strategy, .options, .changes, .engine, .seed, .refresh: true
    default: false
    }
  }
}
