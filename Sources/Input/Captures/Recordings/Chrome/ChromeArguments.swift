internal import FrameBudget
internal import FrameBudgetParsing

/// Reads the arguments of events.
enum ChromeArguments {
  private enum Key: Int, CaseIterable {
    case name, layerTreeId, frameSeqId, beginFrame, frameNumber, number, reporter, olderReporter,
      start, target
    case data, animationFrame

    var text: String {
      switch self {
      case .reporter: "frame_reporter"
      case .olderReporter: "chrome_frame_reporter"
      case .beginFrame: "begin_frame_id"
      case .frameNumber: "frame_number"
      case .start: "StartTime"
      case .target: "TargetTime"
      case .animationFrame: "animation_frame_timing_info"
      default: "\(self)"
      }
    }
  }

  private enum ReportKey: String, CaseIterable {
    case state
    case tree = "layer_tree_host_id"
    case frame = "frame_sequence"
    case source = "frame_source"
    case type = "frame_type"
  }

  private static let dataKeys = JSONKeys(EventData.Key.texts)
  private static let animationKeys = JSONKeys(["blocking_duration_ms"])
  private static let keys = JSONKeys(Key.allCases.map(\.text))
  private static let reportKeys = JSONKeys(ReportKey.allCases.map(\.rawValue))

  static func read(
    _ reader: inout JSONReader, into event: inout ChromeEvent
  ) throws(InputError) {
    try reader.beginObject()
    while let key = try reader.nextMember(of: keys) {
      switch (Key.allCases[key], try reader.kind()) {
      case (.name, .string): event.text = try reader.string()
      case (.layerTreeId, .number): event.stream.tree = try reader.integer()
      case (.frameSeqId, .number): event.frame = try reader.integer()
      case (.frameNumber, .string): event.frame = InputNumber.whole(try reader.string())
      case (.frameNumber, .number), (.beginFrame, .number): event.frame = try reader.integer()
      case (.number, .number): event.count = try reader.fixedPoint(places: 0).value.map { Int($0) }
      case (.start, .string): event.start = Self.instant(try reader.string())
      case (.target, .string): event.target = Self.instant(try reader.string())
      case (.reporter, .object), (.olderReporter, .object):
        try readReport(&reader, into: &event)
      case (.data, .object): try readData(&reader, into: &event)
      case (.animationFrame, .object):
        try readAnimationFrame(&reader, into: &event)
      default: try reader.skip()
      }
    }
  }

  private static func readAnimationFrame(
    _ reader: inout JSONReader, into event: inout ChromeEvent
  ) throws(InputError) {
    try reader.beginObject()
    while try reader.nextMember(of: animationKeys) != nil {
      if try reader.kind() == .number {
        event.blocking = try reader.fixedPoint(places: 6).value(in: InputTime.spans)
      } else {
        try reader.skip()
      }
    }
  }

  /// Nil unless the text is an instant.
  private static func instant(_ text: String) -> Int64? {
    Int64(text).flatMap { InputTime.instants.contains($0) ? $0 : nil }
  }

  private static func readData(
    _ reader: inout JSONReader, into event: inout ChromeEvent
  ) throws(InputError) {
    var data = EventData()
    try readData(&reader, into: &data)
    data.give(to: &event)
  }

  private static func readData(
    _ reader: inout JSONReader, into data: inout EventData
  ) throws(InputError) {
    try reader.beginObject()
    while let index = try reader.nextMember(of: dataKeys) {
      let key = EventData.Key.allCases[index]
      switch (key, try reader.kind()) {
      case (.frame, .string): data.document = try reader.fingerprint()
      case (.singleShot, .boolean): data.isOnce = try reader.boolean()
      case (.isOutermostMainFrame, .boolean): data.isPage = try reader.boolean()
      case (.processId, .number):
        data.process = try reader.fixedPoint(places: 0).value.map { Int($0) }
      case (.processPseudoId, .string): data.pseudoProcess = try reader.fingerprint()
      case (.functionName, .string): data.function = try reader.string()
      case (.type, .string): data.type = try reader.string()
      case (.url, .string): data.address = try reader.string()
      case (.frames, .array): try readFrames(&reader, into: &data)
      case (.cpuProfile, .object): try readProfile(&reader, into: &data)
      case (.timeDeltas, .array): data.steps = try numbers(&reader, places: 3)
      case (_, .number) where key.isNumber:
        data.numbers[key] = try reader.fixedPoint(places: key.places).value(in: InputTime.instants)
      default: try reader.skip()
      }
    }
  }

  private static func readFrames(
    _ reader: inout JSONReader, into data: inout EventData
  ) throws(InputError) {
    try reader.beginArray()
    while try reader.nextElement() {
      guard try reader.kind() == .object else {
        try reader.skip()
        continue
      }
      var inner = EventData()
      try readData(&reader, into: &inner)
      if let own = inner.ownDocument, data.documents.count < EventData.maxDocuments {
        data.documents.append(own)
      }
    }
  }

  private static func readProfile(
    _ reader: inout JSONReader, into data: inout EventData
  ) throws(InputError) {
    try reader.object { (reader, key) throws(InputError) in
      switch (key, try reader.kind()) {
      case ("nodes", .array):
        try reader.array { reader throws(InputError) in
          guard try reader.kind() == .object, data.nodes.count < EventData.maxSamples else {
            return try reader.skip()
          }
          if let node = try readNode(&reader) { data.nodes.append(node) }
        }
      case ("samples", .array): data.samples = try numbers(&reader, places: 0)
      default: try reader.skip()
      }
    }
  }

  /// Nil without a number.
  private static func readNode(
    _ reader: inout JSONReader
  ) throws(InputError) -> ProfilePiece.Node? {
    var number: Int64?
    var caller: Int64?
    var call = EventData()
    try reader.object { (reader, key) throws(InputError) in
      switch (key, try reader.kind()) {
      case ("id", .number): number = try reader.fixedPoint(places: 0).value
      case ("parent", .number): caller = try reader.fixedPoint(places: 0).value
      case ("callFrame", .object): try readCall(&reader, into: &call)
      default: try reader.skip()
      }
    }
    return number.map {
      ProfilePiece.Node(number: $0, caller: caller, function: call.ownFunction)
    }
  }

  private static func readCall(
    _ reader: inout JSONReader, into call: inout EventData
  ) throws(InputError) {
    try reader.object { (reader, key) throws(InputError) in
      switch (key, try reader.kind()) {
      case ("functionName", .string): call.function = try reader.string()
      case ("url", .string): call.address = try reader.string()
      case ("lineNumber", .number):
        // V8 counts from 0, and the browser's events from 1.
        call.numbers[.lineNumber] = try reader.fixedPoint(places: 0).value.map { $0 &+ 1 }
      default: try reader.skip()
      }
    }
  }

  /// The first numbers of an array, in the unit of `fixedPoint`; 0 for what is none.
  private static func numbers(
    _ reader: inout JSONReader, places: Int
  ) throws(InputError) -> [Int64] {
    var numbers: [Int64] = []
    try reader.array { reader throws(InputError) in
      guard numbers.count < EventData.maxSamples else { return try reader.skip() }
      guard try reader.kind() == .number else {
        numbers.append(0)
        return try reader.skip()
      }
      numbers.append(try reader.fixedPoint(places: places).value ?? 0)
    }
    return numbers
  }

  private static func readReport(
    _ reader: inout JSONReader, into event: inout ChromeEvent
  ) throws(InputError) {
    try reader.beginObject()
    while let key = try reader.nextMember(of: reportKeys) {
      switch (ReportKey.allCases[key], try reader.kind()) {
      case (.state, .string): event.state = ChromeEvent.State(rawValue: try reader.string())
      case (.type, .string): event.isForked = try reader.string() == "FORKED"
      case (.tree, .number): event.stream.tree = try reader.integer()
      case (.frame, .number): event.frame = try reader.integer()
      case (.source, .number): event.source = try reader.integer()
      default: try reader.skip()
      }
    }
  }
}

/// The members of the argument `data` that are read, of an input, a timer, documents, or a profile.
struct EventData {
  enum Key: Int, CaseIterable {
    // First those that `Numbers` has.
    case interactionId, duration, timeStamp, processingStart, processingEnd
    case timerId, timeout, lineNumber
    case processId, processPseudoId, singleShot, frame, isOutermostMainFrame, url, frames
    case functionName, type, cpuProfile, timeDeltas

    /// Nil for other members.
    init?(_ text: String) {
      guard let key = Self.byText[text] else { return nil }
      self = key
    }

    private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
    static let texts = allCases.map { "\($0)" }

    var isNumber: Bool { rawValue <= Self.lineNumber.rawValue }

    /// The decimal places of a number, which then counts nanoseconds if the member is a time in milliseconds.
    var places: Int {
      switch self {
      case .interactionId, .timerId, .lineNumber: 0
      default: 6
      }
    }
  }

  /// The members that are numbers; without memory of its own, because most events have some.
  struct Numbers {
    private var values = SIMD16<Int64>.zero
    private var known: UInt16 = 0

    subscript(key: Key) -> Int64? {
      get { known >> key.rawValue & 1 == 1 ? values[key.rawValue] : nil }
      set {
        known = known & ~(1 << key.rawValue) | (newValue == nil ? 0 : 1 << key.rawValue)
        values[key.rawValue] = newValue ?? 0
      }
    }
  }

  /// The limit for the documents of an event.
  static let maxDocuments = 1000
  /// The limit for the samples of an event, and for its nodes; V8 writes a hundred.
  static let maxSamples = 1 << 16

  var numbers = Numbers()
  /// A fingerprint of the name in `frame`.
  var document: UInt64 = 0
  var isOnce = false
  var process: Int?
  /// A fingerprint of the name in `processPseudoId`.
  var pseudoProcess: UInt64 = 0
  var isPage = false
  var address = ""
  var function: String?
  var type: String?
  var documents: [PageDocuments.Document] = []
  var nodes: [ProfilePiece.Node] = []
  var samples: [Int64] = []
  var steps: [Int64] = []

  var ownDocument: PageDocuments.Document? {
    guard process != nil || pseudoProcess != 0 else { return nil }
    return PageDocuments.Document(
      process: process, pseudoProcess: pseudoProcess, isPage: isPage, address: address)
  }

  /// Nil for a function of the browser.
  var ownFunction: PageFunction? {
    guard !address.isEmpty, !Self.browsers.contains(where: address.hasPrefix), let function else {
      return nil
    }
    return PageFunction(function, address: address, line: numbers[.lineNumber])
  }

  /// With which addresses of the browser's functions begin, if they have some.
  private static let browsers = ["native ", "extensions::"]

  func give(to event: inout ChromeEvent) {
    if let function, !function.isEmpty || !address.isEmpty {
      event.function = PageFunction(function, address: address, line: numbers[.lineNumber])
    }
    if !nodes.isEmpty || !samples.isEmpty {
      event.profile = ProfilePiece(nodes: nodes, samples: samples, steps: steps)
    }
    if let type { event.text = type }
    if let ownDocument {
      event.documents = PageDocuments(documents + [ownDocument])
    } else if !documents.isEmpty {
      event.documents = PageDocuments(documents)
    }
    event.input = input
    event.timer = numbers[.timerId].map { number in
      TimerEvent(
        number: number, document: document,
        delay: numbers[.timeout].flatMap { InputTime.spans.contains($0) ? $0 : nil },
        isOnce: isOnce)
    }
  }

  /// Nil if it is no entry of Event Timing, or has no times that an input can have.
  private var input: InputTiming? {
    guard let interaction = numbers[.interactionId], let duration = numbers[.duration],
      let input = numbers[.timeStamp], let begin = numbers[.processingStart],
      let end = numbers[.processingEnd], begin <= end,
      InputTime.spans.contains(duration), InputTime.spans.contains(begin - input),
      InputTime.spans.contains(end - input)
    else { return nil }
    return InputTiming(
      interaction: interaction, duration: duration, handlers: begin - input...end - input)
  }
}
