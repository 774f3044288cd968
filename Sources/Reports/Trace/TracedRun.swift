public import Parsing
internal import FrameBudget

/// A run that was read from a trace: the work of its threads, and its dropped frames.
public struct TracedRun: Sendable {
  public internal(set) var name = ""
  /// The name of the result that it belongs to, if there are several; otherwise empty.
  public var origin = ""
  var repetition = 1
  /// Main first.
  var threads: [Thread] = []
  /// Each span is a hold of the lock, named by its thread.
  var locks: [Thread] = []
  var frames: [Frame] = []
  /// By number, from 1.
  var vsyncs: [Int: Int64] = [:]
  var lastVsync: Int64 = 0

  struct Thread: Sendable {
    let name: String
    var spans: [Span] = []
  }

  /// From one instant to another, in nanoseconds.
  struct Span: Sendable {
    let begin: Int64
    let end: Int64
    let kind: Kind
    /// The name; for a lock wait, that of the lock.
    let name: String
  }

  /// In the order of a legend.
  enum Kind: Int, CaseIterable, Sendable {
    case wakeup, preempted, post, logic, drain, release, reads, render, lockWait, lockHold
  }

  struct Frame: Sendable {
    let span: Span
    let begin: Int
    let shown: Int
    let late: Int
    let cause: String
  }

  /// The frame with the longest gap on the screen before it, the first of equal ones; nil if none was late.
  var worst: Frame? {
    frames.reduce(nil) { worst, frame in
      frame.late > worst?.late ?? 0 ? frame : worst
    }
  }

  /// Gaps of more than a minute between the work of two frames.
  public var gaps: LongGaps {
    var gaps = LongGaps()
    var end: Int64 = 0
    for span in frames.map(\.span).sorted(by: { $0.begin < $1.begin }) {
      gaps.add(span.begin - end)
      end = max(end, span.end)
    }
    return gaps
  }

  /// The time of a vsync; a vsync after the run's last is a period later.
  func instant(ofVsync number: Int) -> Int64 {
    number <= 0 ? 0 : vsyncs[number] ?? lastVsync + period
  }

  var period: Int64 { vsyncs[1] ?? 16_666_667 }
}

extension TracedRun {
  /// The limit for bytes of a trace, above the output of `run --trace` for a run.
  static let largest = 256 << 20

  /// The first repetition of each run in a trace, in the order of the file.
  public static func read(_ source: consuming ByteSource) throws(InputError) -> [TracedRun] {
    let file = source.name
    do throws(InputError) {
      var reader = JSONReader(try source.readAll(limit: largest))
      var trace = TraceReader()
      if try reader.kind() == .array {
        try trace.take(eventsOf: &reader)
      } else {
        try reader.object { (reader, key) throws(InputError) in
          if key == "traceEvents" { try trace.take(eventsOf: &reader) } else { try reader.skip() }
        }
      }
      try reader.end()
      let runs = trace.runs.filter { $0.repetition == 1 }
      if runs.isEmpty {
        throw InputError(
          "is JSON, but not a trace of 'run --trace'; a run.json is read with its summary.csv")
      }
      return runs
    } catch {
      throw InputError(error.reason, file: error.file ?? file, line: error.line)
    }
  }
}

/// Assigns the events of a trace to their tracks.
struct TraceReader {
  private(set) var runs: [TracedRun] = []
  private var processes: [Int: Int] = [:]
  /// By the thread's number, which is unique in the file: its place in its run.
  private var places: [Int: (thread: Int, isLock: Bool)] = [:]

  /// The fields of an event.
  struct Event {
    var name = ""
    var phase = ""
    var category: TraceEvent.Category?
    var process = 0
    var thread = 0
    var begin: Int64 = 0
    var length: Int64 = 0
    var texts: [String: String] = [:]
    var numbers: [String: Int] = [:]
  }

  mutating func take(eventsOf reader: inout JSONReader) throws(InputError) {
    try reader.array { (reader) throws(InputError) in take(try Event(&reader)) }
  }

  private mutating func take(_ event: Event) {
    if event.phase == "M", event.name == TraceEvent.About.process.rawValue,
      processes[event.process] == nil
    {
      processes[event.process] = runs.count
      var run = TracedRun()
      run.name = event.texts["name"] ?? ""
      run.repetition = event.numbers["repetition"] ?? 1
      runs.append(run)
    }
    guard let run = processes[event.process], InputTime.spans.contains(event.begin),
      InputTime.spans.contains(event.length)
    else { return }
    switch event.phase {
    case "M" where event.name == TraceEvent.About.thread.rawValue: addTrack(event, to: run)
    case "i" where event.name == ScreenEvent.vsync.rawValue:
      guard let number = event.numbers[ScreenEvent.Argument.vsync.rawValue] else { return }
      runs[run].vsyncs[number] = event.begin
      runs[run].lastVsync = max(runs[run].lastVsync, event.begin)
    case "X": addSpan(event, to: run)
    default: return
    }
  }

  private mutating func addTrack(_ event: Event, to run: Int) {
    let thread = TracedRun.Thread(name: event.texts["name"] ?? "")
    guard places[event.thread] == nil else { return }
    switch TrackRole(rawValue: event.texts["role"] ?? "") {
    case .lock:
      places[event.thread] = (runs[run].locks.count, true)
      runs[run].locks.append(thread)
    case .thread:
      places[event.thread] = (runs[run].threads.count, false)
      runs[run].threads.append(thread)
    case .screen, nil: return
    }
  }

  private mutating func addSpan(_ event: Event, to run: Int) {
    guard let place = places[event.thread] else { return }
    let kind = TracedRun.Kind(event)
    let span = TracedRun.Span(
      begin: event.begin, end: event.begin + event.length, kind: kind ?? .render,
      name: kind == .lockWait ? event.texts["lock"] ?? "" : event.name)
    if event.category == .frame {
      runs[run].frames.append(TracedRun.Frame(event, span))
    } else if place.isLock, runs[run].locks.indices.contains(place.thread) {
      runs[run].locks[place.thread].spans.append(span)
    } else if kind != nil, runs[run].threads.indices.contains(place.thread) {
      runs[run].threads[place.thread].spans.append(span)
    }
  }
}

extension TraceReader.Event {
  init(_ reader: inout JSONReader) throws(InputError) {
    var event = Self()
    try reader.object { (reader, key) throws(InputError) in
      switch (key, try reader.kind()) {
      case ("name", .string): event.name = try reader.string()
      case ("ph", .string): event.phase = try reader.string()
      case ("cat", .string): event.category = .init(rawValue: try reader.string())
      case ("pid", .number): event.process = try Self.integer(&reader)
      case ("tid", .number): event.thread = try Self.integer(&reader)
      case ("ts", .number): event.begin = try reader.fixedPoint(places: 3).value ?? 0
      case ("dur", .number): event.length = try reader.fixedPoint(places: 3).value ?? 0
      case ("args", .object): try Self.readArguments(&reader, into: &event)
      default: try reader.skip()
      }
    }
    self = event
  }

  private static func readArguments(
    _ reader: inout JSONReader, into event: inout Self
  ) throws(InputError) {
    var read = event
    try reader.object { (reader, key) throws(InputError) in
      switch try reader.kind() {
      case .string: read.texts[key] = try reader.string()
      case .number: read.numbers[key] = try integer(&reader)
      default: try reader.skip()
      }
    }
    event = read
  }

  private static func integer(_ reader: inout JSONReader) throws(InputError) -> Int {
    let number = try reader.fixedPoint(places: 0).value ?? 0
    // Integers that JSON represents exactly; others count as missing.
    return number.magnitude < 1 << 53 ? Int(number) : 0
  }
}

extension TracedRun.Kind {
  /// Nil for events within another one that shows the same.
  fileprivate init?(_ event: TraceReader.Event) {
    switch event.category {
    case .wakeup: self = .wakeup
    case .preempted: self = .preempted
    case .post: self = .post
    case .step: self = .logic
    case .lock: self = .lockWait
    case .lockHold: self = .lockHold
    case .phase:
      guard let kind = Phase.allCases.first(where: { $0.name == event.name })?.kind else {
        return nil
      }
      self = kind
    default: return nil
    }
  }
}

extension TracedRun.Frame {
  fileprivate init(_ event: TraceReader.Event, _ span: TracedRun.Span) {
    self.span = span
    begin = event.numbers[FrameColumn.beginVsync.name] ?? 0
    shown = event.numbers[FrameColumn.presentVsync.name] ?? 0
    late =
      event.numbers[FrameColumn.dropped.name] ?? event.numbers[FrameColumn.lateVsyncs.name] ?? 0
    cause = event.texts[FrameColumn.cause.name] ?? ""
  }
}
