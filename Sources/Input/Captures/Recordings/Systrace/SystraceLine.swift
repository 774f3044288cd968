internal import FrameBudgetParsing

/// A line of ftrace's text: `name-123 ( 120) [001] ...1 683202.104223: tracing_mark_write: B|120|draw`.
struct SystraceLine {
  private(set) var name: Range<Int>
  private(set) var thread: Int
  /// Nil if the kernel no longer knew it, or did not write it.
  private(set) var process: Int?
  private(set) var core: Int
  /// Whether it happened in an interrupt, in the name of whatever thread ran.
  private(set) var isOfInterrupt = false
  /// In nanoseconds.
  private(set) var instant: Int64
  private(set) var event: Range<Int>
  private(set) var details: Range<Int>

  /// Nil unless the line is an event.
  init?(_ line: Span<UInt8>) {
    var from = 0
    // A thread may be called `[1]`, so the first brackets may not be those of the core.
    while let bracket = TextScan.first(of: "[", in: line, from: from) {
      from = bracket + 1
      guard let found = Self(line, bracket: bracket) else { continue }
      self = found
      return
    }
    return nil
  }

  private init?(_ line: Span<UInt8>, bracket: Int) {
    var at = bracket + 1
    guard let core = TextScan.number(line, &at), TextScan.take("]", line, &at),
      TextScan.takeSpaces(line, &at)
    else { return nil }
    var instant = TextScan.seconds(line, &at)
    if instant == nil {
      // Flags precede it, some of which are digits; the third says in which context it happened.
      let flags = at
      TextScan.takeWord(line, &at)
      isOfInterrupt = at - flags > 2 && Self.isInterrupt(line[flags + 2])
      guard TextScan.takeSpaces(line, &at) else { return nil }
      instant = TextScan.seconds(line, &at)
    }
    guard let instant, TextScan.take(":", line, &at), TextScan.takeSpaces(line, &at),
      let colon = TextScan.first(of: ":", in: line, from: at) ?? Self.endOfCall(line, at),
      // Otherwise all of this is within the name of a thread.
      TextScan.first(of: " ", in: line.extracting(at..<colon), from: 0) == nil,
      let task = Task(line, before: bracket)
    else { return nil }
    (name, thread, process) = (task.name, task.thread, task.process)
    self.core = core
    self.instant = instant
    event = at..<colon
    at = colon + 1
    _ = TextScan.take(" ", line, &at)
    details = at..<line.count
  }

  /// The end of the name in `sys_poll -> 0x1`, the end of a system call.
  private static func endOfCall(_ line: Span<UInt8>, _ start: Int) -> Int? {
    var at = start
    guard TextScan.takeText("sys_", line, &at) else { return nil }
    TextScan.takeWord(line, &at)
    let end = at
    return TextScan.takeText(" ->", line, &at) ? end : nil
  }

  private static func isInterrupt(_ flag: UInt8) -> Bool {
    [UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "s"), UInt8(ascii: "z")].contains(flag)
  }

  /// The text before the core: the thread's name and number, and its process if known.
  private struct Task {
    var name: Range<Int>
    var thread: Int
    var process: Int?

    init?(_ line: Span<UInt8>, before bracket: Int) {
      var end = TextScan.endOfText(line, before: bracket)
      if end > 0, line[end - 1] == UInt8(ascii: ")") {
        guard let open = TextScan.last(of: "(", in: line, before: end) else { return nil }
        var inside = open + 1
        _ = TextScan.takeSpaces(line, &inside)
        process = TextScan.number(line, &inside)
        end = TextScan.endOfText(line, before: open)
      }
      guard let dash = TextScan.last(of: "-", in: line, before: end) else { return nil }
      var at = dash + 1
      guard let thread = TextScan.number(line, &at), at == end else { return nil }
      self.thread = thread
      var start = 0
      _ = TextScan.takeSpaces(line, &start)
      name = min(start, dash)..<dash
    }
  }
}
