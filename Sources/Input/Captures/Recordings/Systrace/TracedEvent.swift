internal import FrameBudgetParsing

/// What a line of ftrace's text says of a client of Wayland, as it arrives: when its threads ran, and what probes have seen.
package struct TracedEvent: Equatable, Sendable {
  /// A thread, and its name.
  package struct Task: Equatable, Sendable {
    package let thread: Int
    package let name: String

    package init(thread: Int, name: String) { (self.thread, self.name) = (thread, name) }
  }

  package enum Kind: Equatable, Sendable {
    /// The core switches from one thread to the next.
    case switched(from: Task, wasPreempted: Bool, to: Task)
    /// The event's thread, or an interrupt during it, wakes a thread.
    case woken(thread: Int, byInterrupt: Bool)
    /// The event's thread makes a request on a surface.
    case requested(opcode: Int, surface: UInt32)
    /// It sets the function that a callback calls.
    case listened(callback: UInt32)
    /// It destroys a callback.
    case destroyed(callback: UInt32)
    /// It calls a function with probes, or that returns.
    case called(function: String, returns: Bool)
  }

  /// In nanoseconds.
  package let instant: Int64
  package let task: Task
  /// The thread's process; nil if the kernel does not say it.
  package let process: Int?
  package let kind: Kind

  package init(at instant: Int64, by task: Task, of process: Int?, _ kind: Kind) {
    (self.instant, self.task, self.process, self.kind) = (instant, task, process, kind)
  }

  /// The names of probes on the begin of functions that are no requests.
  package static let listens = ["listen", "dispatch"]
  package static let destroys = "destroy"

  /// Nil if the line is another event, or none.
  package init?(_ line: Span<UInt8>) {
    guard let event = SystraceLine(line), let kind = Self.kind(of: event, line) else { return nil }
    self.init(
      at: event.instant, by: Task(thread: event.thread, name: Self.text(line, event.name)),
      of: event.process, kind)
  }

  private static func kind(of event: SystraceLine, _ line: Span<UInt8>) -> Kind? {
    let details = line.extracting(event.details)
    switch text(line, event.event) {
    case "sched_switch":
      guard let found = ContextSwitch(details) else { return nil }
      return .switched(
        from: Task(thread: found.from, name: text(details, found.fromName)),
        wasPreempted: found.wasPreempted,
        to: Task(thread: found.to, name: text(details, found.toName)))
    case "sched_waking":
      guard let thread = TextScan.value(of: " pid=", in: details) else { return nil }
      return .woken(thread: thread, byInterrupt: event.isOfInterrupt || event.thread == 0)
    case let name: return probe(name, details)
    }
  }

  private static func probe(_ name: String, _ details: Span<UInt8>) -> Kind? {
    var at = 0
    guard TextScan.takeText("(0x", details, &at), TextScan.hexadecimal(details, &at) != nil else {
      return nil
    }
    let returns = TextScan.takeText(" <- 0x", details, &at)
    if returns || at + 1 == details.count && details[at] == UInt8(ascii: ")") {
      guard name.hasSuffix(returns ? "_e" : "_b") else { return nil }
      return .called(function: String(name.dropLast(2)), returns: returns)
    }
    guard let call = WaylandCall(details, at),
      let object = call.object.flatMap(UInt32.init(exactly:))
    else { return nil }
    if let opcode = call.opcode {
      return call.isOfSurface ? .requested(opcode: opcode, surface: object) : nil
    }
    guard call.isOfCallback else { return nil }
    return switch use(ofCallbackBy: name) {
    case .destroys: .destroyed(callback: object)
    case .listens: .listened(callback: object)
    case nil: nil
    }
  }

  /// What a probe of that name sees done with a callback.
  static func use(ofCallbackBy name: String) -> WaylandCallback? {
    if name == destroys { return .destroys }
    return listens.contains(name) ? .listens : nil
  }

  private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: range.map { bytes[$0] }, as: UTF8.self)
  }
}

/// Splits the text of a trace that is still written into its events.
package struct TracedText {
  /// Events that the kernel has dropped, because nobody has read them in time.
  package private(set) var lost = 0
  private var line: [UInt8] = []
  /// Whether the line is longer than any event, and is left out.
  private var isTooLong = false

  private static let longest = 4096

  package init() {}

  /// Adds a piece, which may end within a line, and reports the events that it completes.
  package mutating func add(_ piece: [UInt8], _ report: (TracedEvent) -> Void) {
    for byte in piece {
      if byte == UInt8(ascii: "\n") {
        if !isTooLong { take(report) }
        line.removeAll(keepingCapacity: true)
        isTooLong = false
      } else if line.count < Self.longest {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
  }

  private mutating func take(_ report: (TracedEvent) -> Void) {
    if let event = TracedEvent(line.span) {
      report(event)
    } else if let count = Self.lost(line.span) {
      lost = min(lost + count, 1 << 40)
    }
  }

  /// The number in `CPU:1 [LOST 123 EVENTS]`.
  private static func lost(_ line: Span<UInt8>) -> Int? {
    var at = 0
    guard TextScan.takeText("CPU:", line, &at), TextScan.number(line, &at) != nil,
      TextScan.takeText(" [LOST ", line, &at)
    else { return nil }
    // Without a number, the kernel does not know how many.
    let count = TextScan.number(line, &at) ?? 1
    return TextScan.first(of: "]", in: line, from: at) == nil ? nil : min(count, 1 << 40)
  }
}
