internal import Parsing

/// Whom a Perfetto trace is read for.
protocol PerfettoSink: KernelSink {
  mutating func know(process: Int, name: String)
  /// Where a chain of posts passes through a thread.
  mutating func flow(_ chain: UInt64, isEnd: Bool, thread: Int, at instant: Int64)
  mutating func take(_ event: FrameTimelineEvent, at instant: Int64)
}

/// Takes the packets of a Perfetto trace apart.
///
/// Ten kinds of messages out of hundreds are read, by the numbers that their fields have in Perfetto's `protos/`.
struct PerfettoPackets<Sink: PerfettoSink> {
  private(set) var sink: Sink
  private var sequences: [UInt64: PerfettoSequence] = [:]
  private var clocks = PerfettoClocks()
  private var tracks: [UInt64: PerfettoTrack] = [:]
  private var ftrace = FtraceBundles()
  /// How many packets were counted by clocks that nothing is known of.
  private(set) var unknownClocks = 0

  init(_ sink: Sink) { self.sink = sink }

  /// What matters of a packet, wherever it stands in it.
  private struct Packet {
    var timestamp: UInt64?
    var clock: UInt64?
    var sequence: UInt64 = 0
    var flags: UInt64 = 0
    var isCleared = false
    var parts: [(field: Int, bytes: Range<Int>)] = []
  }

  /// Takes in a `TracePacket`.
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
      case 1, 2, 6, 11, 12, 43, 44, 50, 59, 60, 76:
        if let part = value.bytes { packet.parts.append((field, part)) }
      default: break
      }
    }
    if packet.isCleared || packet.flags & 1 != 0 { sequences[packet.sequence]?.clear() }
    try takeState(of: packet, bytes)
    let instant = instant(of: packet)
    for (field, part) in packet.parts {
      switch field {
      case 1:
        try ftrace.take(bytes, part, into: &sink)
      case 2: try takeProcessTree(bytes, part)
      case 11: try takeEvent(bytes, part, packet.sequence, at: instant)
      case 43: try takeProcess(bytes, part)
      case 50: try takePacked(bytes, part, isWithinOther: isWithinOther)
      case 76:
        if let instant, let event = try FrameTimelineEvent(bytes, part) {
          sink.take(event, at: instant)
        }
      default: break
      }
    }
  }

  /// Takes in what later packets refer to.
  private mutating func takeState(
    of packet: Packet, _ bytes: Span<UInt8>
  ) throws(InputError) {
    for (field, part) in packet.parts {
      switch field {
      case 6: try takeClocks(bytes, part, packet.sequence)
      case 12: try takeNames(bytes, part, packet.sequence)
      case 59: try takeDefaults(bytes, part, packet.sequence)
      case 60: try takeTrack(bytes, part)
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
    return instant.flatMap { OutsideTime.instants.contains($0) ? $0 : nil }
  }

  private mutating func takePacked(
    _ bytes: Span<UInt8>, _ part: Range<Int>, isWithinOther: Bool
  ) throws(InputError) {
    guard !isWithinOther else { throw InputError("packets within packets of packets, at byte 0") }
    var source = ByteSource(part.map { bytes[$0] }, name: "")
    source.inflate()
    var records = WireRecords(source)
    try records.forEach(field: 1) { (packet, _) throws(InputError) in
      try take(packet, isWithinOther: true)
    }
  }

  // MARK: State

  private mutating func takeClocks(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ sequence: UInt64
  ) throws(InputError) {
    var shown: [PerfettoClocks.Shown] = []
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard field == 1, let part = value.bytes else { return }
      var clock = PerfettoClocks.Shown()
      try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
        switch field {
        case 1: clock.number = value.number
        case 2: clock.value = value.signed
        case 3: clock.isIncremental = value.number != 0
        case 4: clock.unit = max(1, value.signed)
        default: break
        }
      }
      shown.append(clock)
    }
    clocks.take(shown, sequence: sequence)
  }

  private mutating func takeNames(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ sequence: UInt64
  ) throws(InputError) {
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard field == 2, let part = value.bytes else { return }
      var number: UInt64 = 0
      var text: Range<Int>?
      try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
        if field == 1 { number = value.number }
        if field == 2 { text = value.bytes }
      }
      guard let text else { return }
      sequences[sequence, default: PerfettoSequence()].names[number] = sink.number(
        of: bytes.extracting(text))
    }
  }

  private mutating func takeDefaults(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ sequence: UInt64
  ) throws(InputError) {
    var state = sequences[sequence] ?? PerfettoSequence()
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      if field == 58 { state.clock = value.number }
      guard field == 11, let part = value.bytes else { return }
      try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
        if field == 11 { state.track = value.number }
      }
    }
    sequences[sequence] = state
  }

  // MARK: Who is who

  private mutating func takeTrack(
    _ bytes: Span<UInt8>, _ part: Range<Int>
  ) throws(InputError) {
    var number: UInt64 = 0
    var track = PerfettoTrack()
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch (field, value.bytes) {
      case (1, nil): number = value.number
      case (3, let part?): try takeProcess(bytes, part)
      case (4, let part?): try takeThread(bytes, part, into: &track)
      default: break
      }
    }
    tracks[number] = track
  }

  private mutating func takeProcess(
    _ bytes: Span<UInt8>, _ part: Range<Int>
  ) throws(InputError) {
    var (number, name) = (0, "")
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      if field == 1 { number = value.count }
      if field == 6 || field == 2 && name.isEmpty, let text = value.bytes {
        name = Self.text(bytes, text)
      }
    }
    if number > 0 { sink.know(process: number, name: name) }
  }

  private mutating func takeThread(
    _ bytes: Span<UInt8>, _ part: Range<Int>, into track: inout PerfettoTrack
  ) throws(InputError) {
    var name: String?
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 1: track.process = value.count
      case 2: track.thread = value.count
      case 5: name = value.bytes.map { Self.text(bytes, $0) }
      default: break
      }
    }
    if let thread = track.thread { sink.know(thread: thread, process: track.process, name: name) }
  }

  private mutating func takeProcessTree(
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
        // Of a command's words the first.
        case (1, 3, let text?): name = name ?? Self.text(bytes, text)
        case (2, 2, let text?): name = Self.text(bytes, text)
        default: break
        }
      }
      switch field {
      case 1:
        sink.know(process: numbers.first, name: name ?? "")
        sink.know(thread: numbers.first, process: numbers.first, name: nil)
      case 2: sink.know(thread: numbers.first, process: numbers.third, name: name)
      default: break
      }
    }
  }

  static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: range.map { bytes[$0] }, as: UTF8.self)
  }

  // MARK: Events of apps

  /// A `TrackEvent`.
  private mutating func takeEvent(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ sequence: UInt64, at instant: Int64?
  ) throws(InputError) {
    var event = PerfettoTrackEvent(track: sequences[sequence]?.track)
    try event.read(bytes, part)
    guard let instant, let (process, thread) = thread(ofTrack: event.track) else { return }
    let name =
      event.nameNumber.flatMap { sequences[sequence]?.names[$0] }
      ?? event.name.map { sink.number(of: bytes.extracting($0)) }
    switch event.kind {
    case .begin:
      sink.mark(
        .begin(process: process, name: name ?? sink.number(of: bytes.extracting(0..<0))),
        thread: thread, at: instant)
    case .end: sink.mark(.end(process: process), thread: thread, at: instant)
    case nil: break
    }
    for flow in event.flows { sink.flow(flow, isEnd: false, thread: thread, at: instant) }
    for flow in event.ends { sink.flow(flow, isEnd: true, thread: thread, at: instant) }
  }

  /// Tracks of threads themselves: what runs beside them, on tracks below theirs, is no work of theirs.
  private func thread(ofTrack number: UInt64?) -> (process: Int?, thread: Int)? {
    guard let track = number.flatMap({ tracks[$0] }), let thread = track.thread else { return nil }
    return (track.process, thread)
  }
}
