internal import FrameBudgetParsing

/// Kernel events of one core, in `FtraceEventBundle`s.
struct FtraceBundles {
  /// The thread on each core, for switches that have only the next thread.
  private var running: [Int: Int] = [:]

  mutating func take(
    _ bytes: Span<UInt8>, _ part: Range<Int>, into sink: inout some KernelSink
  ) throws(InputError) {
    var core = 0
    var events: [Range<Int>] = []
    var compact: [Range<Int>] = []
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch (field, value.bytes) {
      case (1, nil): core = value.count
      case (2, let event?): events.append(event)
      case (4, let switches?): compact.append(switches)
      default: break
      }
    }
    for event in events { try parseEvent(bytes, event, core, into: &sink) }
    for switches in compact {
      try parseCompact(CompactSwitches(bytes, switches), core, into: &sink)
    }
  }

  /// An `FtraceEvent`.
  private func parseEvent(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ core: Int, into sink: inout some KernelSink
  ) throws(InputError) {
    var (time, thread, kind) = (Int64(0), 0, 0)
    var content = 0..<0
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch (field, value.bytes) {
      case (1, nil): time = value.signed
      case (2, nil): thread = value.count
      case (_, let part?): (kind, content) = (field, part)
      default: break
      }
    }
    guard InputTime.instants.contains(time) else { return }
    switch kind {
    case 3: try parsePrint(bytes, content, thread, at: time, into: &sink)
    case 4: try parseSwitch(bytes, content, core, at: time, into: &sink)
    // Both, because the second one occurs if the first was not recorded.
    case 17, 20: try parseWaking(bytes, content, at: time, into: &sink)
    case 236: try parseRename(bytes, content, into: &sink)
    default: break
    }
  }

  private func parsePrint(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ thread: Int, at instant: Int64,
    into sink: inout some KernelSink
  ) throws(InputError) {
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard field == 2, let text = value.bytes else { return }
      let isLine = !text.isEmpty && bytes[text.upperBound - 1] == UInt8(ascii: "\n")
      let line = text.lowerBound..<(text.upperBound - (isLine ? 1 : 0))
      if let mark = AtraceMark(bytes.extracting(line), into: &sink) {
        sink.mark(mark, thread: thread, at: instant, cpu: nil)
      }
    }
  }

  private func parseSwitch(
    _ bytes: Span<UInt8>, _ part: Range<Int>, _ core: Int, at instant: Int64,
    into sink: inout some KernelSink
  ) throws(InputError) {
    var (from, to, state) = (0, 0, UInt64(0))
    var name: Range<Int>?
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      switch field {
      case 2: from = value.count
      case 4: state = value.number
      case 5: name = value.bytes
      case 6: to = value.count
      default: break
      }
    }
    if let name { describe(to, PerfettoText.text(bytes, name), in: &sink) }
    sink.switched(
      core: core, from: from, wasPreempted: Self.isRunnable(state), to: to, at: instant)
  }

  private func parseWaking(
    _ bytes: Span<UInt8>, _ part: Range<Int>, at instant: Int64, into sink: inout some KernelSink
  ) throws(InputError) {
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      if field == 2 { sink.woken(thread: value.count, by: nil, at: instant) }
    }
  }

  private func parseRename(
    _ bytes: Span<UInt8>, _ part: Range<Int>, into sink: inout some KernelSink
  ) throws(InputError) {
    var thread = 0
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      if field == 1 { thread = value.count }
      if field == 3, let name = value.bytes {
        describe(thread, PerfettoText.text(bytes, name), in: &sink)
      }
    }
  }

  private mutating func parseCompact(
    _ compact: CompactSwitches, _ core: Int, into sink: inout some KernelSink
  ) throws(InputError) {
    for event in compact.switches {
      // The previous thread follows from the previous switch; the first switch of a core has only the next one.
      sink.switched(
        core: core, from: running[core] ?? -1, wasPreempted: Self.isRunnable(event.state),
        to: event.thread, at: event.instant)
      if let name = event.name { describe(event.thread, name, in: &sink) }
      running[core] = event.thread
    }
    for event in compact.wakings {
      sink.woken(thread: event.thread, by: nil, at: event.instant)
    }
  }

  /// The idle task of each core does not belong to a process.
  private func describe(_ thread: Int, _ name: String, in sink: inout some KernelSink) {
    if thread > 0 { sink.describe(thread: thread, process: nil, name: name) }
  }

  /// Whether it was still ready: the lower bits of a state are the reason why it was not.
  private static func isRunnable(_ state: UInt64) -> Bool { state & 0x7F == 0 }
}

/// Switches and wake-ups of one core in columns, with times relative to the previous event.
struct CompactSwitches {
  struct Event {
    var instant: Int64 = 0
    var thread = 0
    var state: UInt64 = 0
    var name: String?
  }

  private(set) var switches: [Event] = []
  private(set) var wakings: [Event] = []

  private enum Column: Int {
    case switchTime = 1
    case switchState, switchThread, switchPriority, names, switchName
    case wakingTime, wakingThread
  }

  init(_ bytes: Span<UInt8>, _ part: Range<Int>) throws(InputError) {
    var columns: [Column: [UInt64]] = [:]
    var names: [Range<Int>] = []
    try Wire.forEachField(of: bytes, in: part) { (field, value) throws(InputError) in
      guard let column = Column(rawValue: field) else { return }
      guard let part = value.bytes else {
        columns[column, default: []].append(value.number)
        return
      }
      if column == .names { return names.append(part) }
      var numbers = columns.removeValue(forKey: column) ?? []
      try Wire.forEachNumber(of: bytes, in: part) { (number) throws(InputError) in
        numbers.append(number)
      }
      columns[column] = numbers
    }
    let texts = names.map { range in
      String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    }
    switches = try Self.events(columns[.switchTime], columns[.switchThread])
    wakings = try Self.events(columns[.wakingTime], columns[.wakingThread])
    let (states, places) = (columns[.switchState] ?? [], columns[.switchName] ?? [])
    for index in switches.indices {
      if index < states.count { switches[index].state = states[index] }
      if index < places.count, places[index] < UInt64(texts.count) {
        switches[index].name = texts[Int(places[index])]
      }
    }
  }

  private static func events(
    _ times: [UInt64]?, _ threads: [UInt64]?
  ) throws(InputError) -> [Event] {
    guard times?.count == threads?.count else {
      throw InputError("columns of switches that differ in length, at byte 0")
    }
    var instant: Int64 = 0
    return zip(times ?? [], threads ?? []).compactMap { time, thread in
      instant = instant &+ Int64(bitPattern: time)
      guard InputTime.instants.contains(instant) else { return nil }
      return Event(instant: instant, thread: Int(Int32(truncatingIfNeeded: thread)))
    }
  }
}
