internal import FrameBudget
package import FrameBudgetParsing

/// Reads events of Chrome's trace format, one after the other.
package struct ChromeEvents: ~Copyable {
  package private(set) var names = InternedNames()
  /// The meanings of names and categories, by their numbers.
  private var kinds: [ChromeEvent.Kind?] = []
  private var categories = InternedNames()
  /// The bytes of names and categories.
  var namesSize: Int { names.size + categories.size }
  private var meanings: [ChromeCategory] = []
  /// Documents whose processes have not started, at most `EventData.maxDocuments`.
  private var waiting: [PageDocuments.Document] = []

  private let namesFunctions: Bool
  private let namesEvents: Bool

  package init(namesFunctions: Bool = false, namesEvents: Bool = false) {
    self.namesFunctions = namesFunctions
    self.namesEvents = namesEvents
    _ = kind(ofName: names.intern(""))
  }

  /// The members of an event; `JSONKeys` numbers them in this order.
  private enum Key: Int, CaseIterable {
    case name, ph, ts, dur, tdur, tts, pid, tid, cat, args, id, id2, bp
    case bindID, flowIn, flowOut

    var text: String {
      switch self {
      case .bindID: "bind_id"
      case .flowIn: "flow_in"
      case .flowOut: "flow_out"
      default: "\(self)"
      }
    }
  }

  private static let keys = JSONKeys(Key.allCases.map(\.text))
  private let keys = Self.keys

  /// Reads all events of a file; `member` reads or skips the other members.
  package mutating func read(
    _ reader: inout JSONReader,
    member: (inout JSONReader, String) throws(InputError) -> Void,
    event: (borrowing Self, ChromeEvent, borrowing JSONReader) throws(InputError) -> Void
  ) throws(InputError) {
    if try reader.kind() == .array {
      try readList(&reader, event)
    } else {
      try reader.object { (reader, key) throws(InputError) in
        if key == "traceEvents" {
          try readList(&reader, event)
        } else {
          try member(&reader, key)
        }
      }
    }
    try reader.end()
  }

  /// Reads an array of events.
  package mutating func readList(
    _ reader: inout JSONReader,
    _ event: (borrowing Self, ChromeEvent, borrowing JSONReader) throws(InputError) -> Void
  ) throws(InputError) {
    try reader.beginArray()
    while try reader.nextElement() {
      let next = try readEvent(&reader)
      try event(self, next, reader)
    }
  }

  private mutating func readEvent(_ reader: inout JSONReader) throws(InputError) -> ChromeEvent {
    var event = ChromeEvent()
    try reader.beginObject()
    while let key = try reader.nextMember(of: keys) {
      try read(Key.allCases[key], &reader, into: &event)
    }
    event.kind = kind(ofName: event.name)
    if let documents = event.documents { event.documents = settle(documents) }
    if namesFunctions, event.kind == .call, let function = event.function {
      event.name = names.intern(function.name)
    }
    if namesEvents, event.kind == .dispatch, let type = event.text {
      event.name = names.intern(AppCalls.dispatch(of: type))
    }
    return event
  }

  /// Keeps documents whose process has not started, and adds them to those of the event of its start.
  private mutating func settle(_ documents: PageDocuments) -> PageDocuments {
    var all = documents.all
    for document in documents.all where document.pseudoProcess != 0 {
      let pseudo = document.pseudoProcess
      if let process = document.process {
        for var other in waiting where other.pseudoProcess == pseudo {
          other.process = process
          all.append(other)
        }
        waiting.removeAll { $0.pseudoProcess == pseudo }
      } else if waiting.count < EventData.maxDocuments {
        waiting.append(document)
      }
    }
    return PageDocuments(all)
  }

  private mutating func read(
    _ key: Key, _ reader: inout JSONReader, into event: inout ChromeEvent
  ) throws(InputError) {
    let kind = try reader.kind()
    switch (key, kind) {
    case (.name, .string): event.name = try reader.string(in: &names)
    case (.ph, .string):
      event.phase = try reader.letter().flatMap(ChromeEvent.Phase.init(rawValue:))
    case (.ts, _):
      switch try reader.fixedPoint(places: 3) {
      case .value(let instant): event.instant = instant
      case .missing: break
      case .outOfRange, .malformed: throw reader.failure("'ts' is out of range")
      }
    case (.dur, .number):
      switch try reader.fixedPoint(places: 3) {
      case .value(let length): event.length = max(0, length)
      case .missing: break
      case .outOfRange, .malformed: throw reader.failure("'dur' is out of range")
      }
    case (.tdur, .number): event.cpuLength = try Self.time(&reader, in: InputTime.spans)
    case (.tts, .number): event.cpuInstant = try Self.time(&reader, in: InputTime.instants)
    case (.pid, .number): event.stream.process = try reader.integer()
    case (.tid, .number): event.thread = try reader.integer()
    case (.cat, .string): event.category = meaning(of: try reader.string(in: &categories))
    case (.args, .object): try ChromeArguments.read(&reader, into: &event)
    case (.id, .string), (.id, .number): event.identity = try reader.fingerprint()
    case (.id2, .object): try Self.readIdentity(&reader, into: &event)
    case (.bp, .string): event.bindsEnclosing = try reader.letter() == UInt8(ascii: "e")
    case (.bindID, .string), (.bindID, .number): event.bound = try reader.fingerprint()
    case (.flowIn, .boolean): event.flowsIn = try reader.boolean()
    case (.flowOut, .boolean): event.flowsOut = try reader.boolean()
    default: try reader.skip()
    }
  }

  /// Microseconds as nanoseconds; nil if they are invalid.
  private static func time(
    _ reader: inout JSONReader, in allowed: ClosedRange<Int64>
  ) throws(InputError) -> Int64? {
    try reader.fixedPoint(places: 3).value(in: allowed)
  }

  /// A number within the process, or within all of them.
  private static func readIdentity(
    _ reader: inout JSONReader, into event: inout ChromeEvent
  ) throws(InputError) {
    try reader.object { (reader, _) throws(InputError) in
      switch try reader.kind() {
      case .string, .number: event.identity = try reader.fingerprint()
      default: try reader.skip()
      }
    }
  }

  // MARK: Meanings

  private mutating func kind(ofName number: Int) -> ChromeEvent.Kind? {
    while kinds.count <= number { kinds.append(Self.kind(of: names[kinds.count])) }
    return kinds[number]
  }

  /// The meaning of an event with that name; nil for most.
  static func kind(of name: String) -> ChromeEvent.Kind? {
    switch name {
    case "BeginFrame": .begin
    case "DrawFrame": .draw
    case "DroppedFrame": .drop
    case "PipelineReporter": .report
    case "BeginMainThreadFrame": .mainBegin
    case "Commit": .commit
    case "ProxyMain::BeginMainFrame": .mainFrame
    case "process_name": .processName
    case "thread_name": .threadName
    case "num_cpus": .cores
    case "ThreadController active": .loop
    case "VsyncProcessCallback": .flutterVsync
    case "Animator::BeginFrame": .flutterBegin
    case "PipelineItem", "Animator::Render": .flutterProduced
    case "GPURasterizer::Draw", "Rasterizer::DoDraw": .flutterRaster
    case "RunTask": .task
    case "EventTiming": .eventTiming
    case "AnimationFrame": .animationFrame
    case "TimerInstall": .timerStart
    case "TimerFire": .timerFiring
    case "FunctionCall": .call
    case "EventDispatch": .dispatch
    case "Profile": .profile
    case "ProfileChunk": .profilePiece
    case "TracingStartedInBrowser", "FrameCommittedInBrowser", "ProcessReadyInBrowser": .documents
    case PageMark.name: .pageMark
    default: nil
    }
  }

  private mutating func meaning(of number: Int) -> ChromeCategory {
    while meanings.count <= number {
      meanings.append(ChromeCategory(categories[meanings.count]))
    }
    return meanings[number]
  }
}

extension JSONReader {
  /// An integer; throws an error with its place if there is none.
  mutating func integer() throws(InputError) -> Int {
    guard let number = try fixedPoint(places: 0).value else {
      throw failure("a whole number within range is expected here")
    }
    return Int(number)
  }
}
