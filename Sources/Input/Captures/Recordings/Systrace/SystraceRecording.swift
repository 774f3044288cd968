internal import FrameBudget
internal import FrameBudgetParsing

/// Recordings in ftrace's text, also in HTML: those of systrace and atrace, and those with probes on clients of Wayland.
struct SystraceRecording: RecordingReader {
  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads {
    var indexer = KernelIndexer()
    try SystraceText.read(try input.open(), into: &indexer) { (indexer, line) throws(InputError) in
      if let excess = RecordingLimits.excess(threads: indexer.count) {
        throw InputError(excess, line: line)
      }
    }
    let hasThreads = indexer.count > 0
    let isOfWayland = indexer.isOfWayland
    if isOfWayland, !indexer.hasSwitches { throw Self.withoutSwitches }
    guard let found = indexer.found(isOfWayland ? .wayland : .systrace) else {
      if isOfWayland { throw Self.withoutSleep }
      throw hasThreads
        ? Self.withoutSlices : InputError("is a systrace, but holds no slices of any thread")
    }
    return found
  }

  /// The error on the text of ftrace that has no marks of an app.
  static let withoutSlices = InputError(
    "is an ftrace without slices of any thread: it says when threads ran, but not which frames they drew; "
      + "record the app's own marks with it, as atrace does with --app")

  /// The errors on a client of Wayland whose commits were recorded, but not when it worked.
  static let withoutSwitches = InputError(
    "is an ftrace of a client of Wayland without sched_switch: it says when frames were committed, but not when the client "
      + "worked; enable events/sched/sched_switch and events/sched/sched_waking, too")
  static let withoutSleep = InputError(
    "is an ftrace of a client of Wayland that never slept in it, so no task is whole; record for a longer time"
  )
  static let reasons = [withoutSlices, withoutSwitches, withoutSleep]

  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording {
    var gatherer = KernelGatherer(process: process.number, of: found)
    try SystraceText.read(try input.open(), into: &gatherer) {
      (gatherer, line) throws(InputError) in
      if let excess = RecordingLimits.excess(kept: gatherer.kept, names: gatherer.names.size) {
        throw InputError(excess, line: line)
      }
    }
    return gatherer.gathered(found.index.format, process: process, begin: found.begin)
  }

  /// Whether a file with these first bytes may be one.
  static func isSystrace(_ opening: [UInt8]) -> Bool {
    let text = String(decoding: opening, as: UTF8.self)
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(100).lowercased()
    if ["# tracer:", "trace:", "<!doctype html", "<html"].contains(where: start.hasPrefix) {
      return true
    }
    return text.split(separator: "\n").prefix(8).contains { line in
      line.hasPrefix("# tracer:") || SystraceLine(Array(line.utf8).span) != nil
    }
  }
}

/// Parses lines of ftrace's text.
enum SystraceText {
  static func read<Sink: KernelSink>(
    _ source: consuming ByteSource, into sink: inout Sink,
    check: (Sink, Int) throws(InputError) -> Void
  ) throws(InputError) {
    var lines = LineReader(passingWrongLines: source)
    var known = KnownTasks()
    var probes = UserProbes()
    try lines.forEach { (line, number) throws(InputError) in
      guard let event = SystraceLine(line) else { return }
      sink.reached(event.instant)
      known.describe(event, line, in: &sink)
      take(event, line, &probes, into: &sink)
      try check(sink, number)
    }
  }

  /// The known threads, so that they are not reported again for every line.
  private struct KnownTasks {
    private var names = InternedNames()
    private var tasks: [Int: (name: Int, process: Int?)] = [:]

    mutating func describe(
      _ event: SystraceLine, _ line: Span<UInt8>, in sink: inout some KernelSink
    ) {
      let name = names.intern(line.extracting(event.name))
      if let task = tasks[event.thread], task.name == name, task.process == event.process { return }
      tasks[event.thread] = (name, event.process)
      sink.describe(thread: event.thread, process: event.process, name: names[name])
    }
  }

  private static func take(
    _ event: SystraceLine, _ line: Span<UInt8>, _ probes: inout UserProbes,
    into sink: inout some KernelSink
  ) {
    let name = line.extracting(event.event)
    var end = event.details.upperBound
    // In very old HTML, the lines are those of a string in a script.
    let script = max(event.details.lowerBound, end - 3)
    if isText(line.extracting(script..<end), "\\n\\") { end = script }
    let details = line.extracting(event.details.lowerBound..<end)
    if isText(name, "tracing_mark_write") || isText(name, "0") {
      if let mark = AtraceMark(details, into: &sink) {
        sink.mark(mark, thread: event.thread, at: event.instant, cpu: nil)
      }
    } else if isText(name, "sched_switch") {
      takeSwitch(event, details, into: &sink)
    } else if isText(name, "sched_waking") || isText(name, "sched_wakeup") {
      if let thread = TextScan.value(of: " pid=", in: details) {
        sink.woken(thread: thread, by: event.isOfInterrupt ? nil : event.thread, at: event.instant)
      }
    } else if let begins = SystemWait.begins(name) {
      sink.awaits(begins, thread: event.thread, at: event.instant)
    } else {
      probes.take(event, name, details, into: &sink)
    }
  }

  private static func takeSwitch(
    _ event: SystraceLine, _ details: Span<UInt8>, into sink: inout some KernelSink
  ) {
    guard let found = ContextSwitch(details) else { return }
    sink.switched(
      core: event.core, from: found.from, wasPreempted: found.wasPreempted, to: found.to,
      at: event.instant)
    if found.isHalted { sink.halted(thread: found.from, at: event.instant) }
  }

  private static func isText(_ bytes: Span<UInt8>, _ text: StaticString) -> Bool {
    var at = 0
    return TextScan.takeText(text, bytes, &at) && at == bytes.count
  }
}

/// The system calls in which a thread waits for events, as a main loop does that has nothing to do: `sys_poll(ufds: 0x7f, …)` and
/// `sys_poll -> 0x1`.
package enum SystemWait {
  package static let calls: [StaticString] = [
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2",
  ]

  /// Whether such a call begins, by the name of an event; nil if it is another event.
  static func begins(_ name: Span<UInt8>) -> Bool? {
    var start = 0
    guard TextScan.takeText("sys_", name, &start) else { return nil }
    for call in calls {
      var at = start
      guard TextScan.takeText(call, name, &at) else { continue }
      if at == name.count { return false }
      if name[at] == UInt8(ascii: "(") { return true }
    }
    return nil
  }
}
