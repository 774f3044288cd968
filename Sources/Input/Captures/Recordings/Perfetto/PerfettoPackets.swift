internal import FrameBudgetParsing

/// Receives the events of a Perfetto trace.
protocol PerfettoSink: KernelSink {
  mutating func describe(process: Int, name: String)
  /// A point of a chain of posts on a thread.
  mutating func flow(_ chain: UInt64, isEnd: Bool, thread: Int, at instant: Int64)
  mutating func take(_ event: FrameTimelineEvent, at instant: Int64)
  /// An event of a browser or Flutter's engine with a meaning beyond a slice.
  mutating func take(_ event: ChromeEvent)
  /// A measure of a page, on a thread.
  mutating func measured(_ name: Int, from begin: Int64, to end: Int64, thread: Int)
}

/// Parses the packets of a Perfetto trace.
///
/// It reads a dozen of the hundreds of kinds of messages, by the field numbers in Perfetto's `protos/`.
struct PerfettoPackets<Sink: PerfettoSink> {
  private(set) var sink: Sink
  private var sequences: [UInt64: PerfettoSequence] = [:]
  private var clocks = PerfettoClocks()
  private var tracks: [UInt64: PerfettoTrack] = [:]
  private var ftrace = FtraceBundles()
  private var events = TrackEventReader()
  /// The number of packets with an unknown clock, and of packets that refer to lost ones.
  private(set) var unknownClocks = 0
  private(set) var lost = 0

  init(_ sink: Sink) { self.sink = sink }

  /// The number of known tracks, and of open events on them.
  var kept: Int { tracks.count + events.count }

  /// The relevant fields of a packet, in any order.
  private struct Packet {
    var timestamp: UInt64?
    var clock: UInt64?
    var sequence: UInt64 = 0
    var flags: UInt64 = 0
    var isCleared = false
    var followsLoss = false
    var parts: [(field: Int, bytes: Range<Int>)] = []
  }

  /// Reads a `TracePacket`.
  mutating func take(
    _ bytes: Span<UInt8>, isWithinOther: Bool = false
  ) throws(InputError) {
    var packet = Packet()
    try Wire.forEachField(of: bytes, in: 0..<bytes.count) { (field, value) throws(InputError) in
      switch field {
      case 8: packet.timestamp = value.number
      case 58: packet.clock = value.number
      case 10: packet.sequence = value.number
      case 13: packet.flags = value.number
      case 41: packet.isCleared = value.number != 0
      case 42: packet.followsLoss = value.number != 0
      case 1, 2, 6, 11, 12, 43, 50, 59, 60, 76:
        if let part = value.bytes { packet.parts.append((field, part)) }
      default: break
      }
    }
    if packet.isCleared || packet.flags & 1 != 0 {
      sequences[packet.sequence]?.clear()
    } else if packet.followsLoss {
      sequences[packet.sequence, default: PerfettoSequence()].notePacketLoss()
    }
    if packet.flags & 2 != 0, sequences[packet.sequence]?.hasPacketLoss == true {
      lost += 1
      return
    }
    try parseState(of: packet, bytes)
    let instant = instant(of: packet)
    for (field, part) in packet.parts {
      switch field {
      case 1:
        try ftrace.take(bytes, part, into: &sink)
      case 2: try parseProcessTree(bytes, part)
      case 11: try parseEvent(bytes, part, packet.sequence, at: instant)
      case 43: try parseProcess(bytes, part)
      case 50: try parsePacked(bytes, part, isWithinOther: isWithinOther)
      case 76:
        if let instant, let event = try FrameTimelineEvent(bytes, part) {
          sink.take(event, at: instant)
        }
      default: break
      }
    }
  }

  /// Reads the data to which later packets refer.
  private mutating func parseState(
    of packet: Packet, _ bytes: Span<UInt8>
  ) throws(InputError) {
    for (field, part) in packet.parts {
      switch field {
      case 6: try parseClocks(bytes, part, packet.sequence)
      case 12: try parseNames(bytes, part, packet.sequence)
      case 59: try parseDefaults(bytes, part, packet.sequence)
      case 60: try parseTrack(bytes, part)
      default: break
      }
    }
  }

  private mutating func instant(of packet: Packet) -> Int64? {
    guard let timestamp = packet.timestamp else { return nil }
    let clock = packet.clock ?? sequences[packet.sequence]?.clock ?? PerfettoClocks.boot
    let instant = clocks.instant(
      Int64(bitPattern: timestamp), of: clock, sequence: packet.sequence)
    if instant == nil { unknownClocks += 1 }
    return instant.flatMap { InputTime.instants.contains($0) ? $0 : nil }
  }

  private mutating func parsePacked(
    _ bytes: Span<UInt8>, _ part: Range<Int>, isWithinOther: Bool
  ) throws(InputError) {
    guard !isWithinOther else {
      throw InputError("compressed packets may not contain compressed packets")
    }
    var source = ByteSource(part.map { bytes[$0] }, name: "")
    source.inflate()
    var records = WireRecords(source)
    try records.forEach(field: 1) { (packet, _) throws(InputError) in
      try take(packet, isWithinOther: true)
    }
  }

  // MARK: State

  private mutating func parseClocks(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ sequence: UInt64
  ) throws(InputError) {
    var snapshot: [PerfettoClocks.ClockValue] = []
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard field == 1, let part = value.bytes else { return }
      var clock = PerfettoClocks.ClockValue()
      try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
        switch field {
        case 1: clock.number = value.number
        case 2: clock.value = value.signed
        case 3: clock.isIncremental = value.number != 0
        case 4: clock.unit = max(1, value.signed)
        default: break
        }
      }
      snapshot.append(clock)
    }
    clocks.take(snapshot, sequence: sequence)
  }

  private mutating func parseNames(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ sequence: UInt64
  ) throws(InputError) {
    var state = sequences[sequence] ?? PerfettoSequence()
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard 1...3 ~= field, let part = value.bytes else { return }
      var number: UInt64 = 0
      var text: Range<Int>?
      try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
        if field == 1 { number = value.number }
        if field == 2 { text = value.bytes }
      }
      guard let text else { return }
      switch field {
      case 1:
        if ChromeCategory(PerfettoText.text(bytes, text)).contains(.userTiming) {
          state.userTimings.insert(number)
        }
      case 2: state.names[number] = name(bytes, text)
      default:
        state.annotations[number] = PerfettoAnnotation.Name(PerfettoText.text(bytes, text))
      }
    }
    sequences[sequence] = state
  }

  private mutating func name(_ bytes: Span<UInt8>, _ text: Range<Int>) -> PerfettoSequence.Name {
    PerfettoSequence.Name(
      number: sink.intern(bytes.extracting(text)),
      kind: ChromeEvents.kind(of: PerfettoText.text(bytes, text)))
  }

  private mutating func parseDefaults(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ sequence: UInt64
  ) throws(InputError) {
    var state = sequences[sequence] ?? PerfettoSequence()
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      if field == 58 { state.clock = value.number }
      guard field == 11, let part = value.bytes else { return }
      state.counters = []
      try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
        if field == 11 { state.track = value.number }
        if field == 31, value.bytes == nil { state.counters.append(value.number) }
      }
    }
    sequences[sequence] = state
  }

  // MARK: Processes and threads

  private mutating func parseTrack(
    _ bytes: Span<UInt8>, _ part: Range<Int>
  ) throws(InputError) {
    var number: UInt64 = 0
    var track = PerfettoTrack()
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch (field, value.bytes) {
      case (1, nil): number = value.number
      case (5, nil): track.parent = value.number
      case (3, let part?): track.process = try parseProcess(bytes, part)
      case (8, let part?): track.counter = try Self.counter(bytes, part)
      case (4, let part?): try parseThread(bytes, part, into: &track)
      default: break
      }
    }
    tracks[number] = track
  }

  private static func counter(
    _ bytes: Span<UInt8>, _ part: Range<Int>
  ) throws(InputError) -> PerfettoTrack.Counter {
    var counter = PerfettoTrack.Counter()
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 1: counter.isThreadTime = value.number == 1
      case 4: counter.unit = max(1, value.signed)
      case 5: counter.isIncremental = value.number != 0
      default: break
      }
    }
    return counter
  }

  @discardableResult
  private mutating func parseProcess(
    _ bytes: Span<UInt8>, _ part: Range<Int>
  ) throws(InputError) -> Int? {
    var (number, name) = (0, "")
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      if field == 1 { number = value.count }
      if field == 6 || field == 2 && name.isEmpty, let text = value.bytes {
        name = PerfettoText.text(bytes, text)
      }
    }
    guard number > 0 else { return nil }
    sink.describe(process: number, name: name)
    return number
  }

  private mutating func parseThread(
    _ bytes: Span<UInt8>, _ part: Range<Int>, into track: inout PerfettoTrack
  ) throws(InputError) {
    var name: String?
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 1: track.process = value.count
      case 2: track.thread = value.count
      case 5: name = value.bytes.map { PerfettoText.text(bytes, $0) }
      default: break
      }
    }
    if let thread = track.thread {
      sink.describe(thread: thread, process: track.process, name: name)
    }
  }

  private mutating func parseProcessTree(
    _ bytes: Span<UInt8>, _ part: Range<Int>
  ) throws(InputError) {
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard let part = value.bytes else { return }
      var numbers: (first: Int, third: Int) = (0, 0)
      var name: String?
      try Wire.forEachField(of: bytes, in: part) { (inner, value) throws(InputError) in
        switch (field, inner, value.bytes) {
        case (_, 1, nil): numbers.first = value.count
        case (2, 3, nil): numbers.third = value.count
        // The first word of a command.
        case (1, 3, let text?): name = name ?? PerfettoText.text(bytes, text)
        case (2, 2, let text?): name = PerfettoText.text(bytes, text)
        default: break
        }
      }
      switch field {
      case 1:
        sink.describe(process: numbers.first, name: name ?? "")
        sink.describe(thread: numbers.first, process: numbers.first, name: nil)
      case 2: sink.describe(thread: numbers.first, process: numbers.third, name: name)
      default: break
      }
    }
  }

  // MARK: Events of apps

  /// A `TrackEvent`.
  private mutating func parseEvent(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ sequence: UInt64, at instant: Int64?
  ) throws(InputError) {
    var event = PerfettoTrackEvent(track: sequences[sequence]?.track)
    try event.read(bytes, part)
    // Evaluated always, because incremental counters must advance.
    let cpu = sequences[sequence]?.threadTime(event.counts, of: tracks)
    let state = sequences[sequence]
    let writer = state?.track.flatMap { owner(ofTrack: $0) }
    guard let instant, let kind = event.kind, let track = event.track,
      let (process, thread) = owner(ofTrack: track) ?? ownTrack(track, of: writer?.process)
    else { return }
    let name =
      event.nameNumber.flatMap { state?.names[$0] } ?? event.name.map { self.name(bytes, $0) }
      ?? (kind == .begin ? self.name(bytes, 0..<0) : nil)
    let isMeasure =
      event.isUserTiming || event.categories.contains { state?.userTimings.contains($0) == true }
    events.take(
      TrackEventReader.Event(
        kind: kind, track: track, process: process, thread: thread, name: name, instant: instant,
        cpu: cpu, measuredBy: isMeasure ? writer?.thread : nil,
        arguments: try arguments(event, name?.kind, bytes, state?.annotations ?? [:])),
      into: &sink)
    guard let thread else { return }
    for flow in event.flows { sink.flow(flow, isEnd: false, thread: thread, at: instant) }
    for flow in event.terminatingFlows { sink.flow(flow, isEnd: true, thread: thread, at: instant) }
  }

  /// The arguments of an event, if they matter.
  private func arguments(
    _ event: PerfettoTrackEvent, _ kind: ChromeEvent.Kind?, _ bytes: Span<UInt8>,
    _ names: [UInt64: PerfettoAnnotation.Name]
  ) throws(InputError) -> ChromeEvent {
    var result = ChromeEvent()
    guard kind != nil, event.kind != .end else { return result }
    for part in event.annotations {
      if let annotation = try PerfettoAnnotation(bytes, part, names: names) {
        result.take(annotation)
      }
    }
    if let part = event.report { try result.read(report: bytes, part) }
    if let part = event.animationFrame { try result.read(animationFrame: bytes, part) }
    return result
  }

  /// The process of a track that belongs to none, such as that of an input: the one that wrote it.
  private func ownTrack(_ number: UInt64, of writer: Int?) -> (process: Int, thread: Int?)? {
    tracks[number] == nil ? nil : writer.map { ($0, nil) }
  }

  /// The largest nesting of tracks.
  private static var deepest: Int { 8 }

  /// The process of a track, and the thread if the track is that of a thread itself: tracks below a thread's own show work
  /// beside the thread, not of it.
  private func owner(ofTrack number: UInt64) -> (process: Int, thread: Int?)? {
    guard var track = tracks[number] else { return nil }
    if let thread = track.thread { return (track.process ?? 0, thread) }
    for _ in 0..<Self.deepest {
      if let process = track.process { return (process, nil) }
      guard let parent = track.parent.flatMap({ tracks[$0] }) else { return nil }
      track = parent
    }
    return nil
  }
}
