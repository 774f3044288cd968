/// An event of Chrome's trace format, which Perfetto opens.
///
/// See "Trace Event Format" of the Chromium project. Times there are microseconds; three decimals keep the run's nanoseconds.
package struct TraceEvent {
  package let name: String
  /// Nil for metadata of a track.
  package let category: Category?
  package let track: TraceTrack
  package let kind: Kind
  package var arguments: [Argument]

  package typealias Argument = (name: TraceArgument, value: JSON)

  package init(
    name: String, category: Category?, track: TraceTrack, kind: Kind, arguments: [Argument] = []
  ) {
    self.name = name
    self.category = category
    self.track = track
    self.kind = kind
    self.arguments = arguments
  }

  /// Creates metadata of a track.
  package init(_ about: About, _ track: TraceTrack, _ arguments: Argument...) {
    self.init(
      name: about.rawValue, category: nil, track: track, kind: .metadata, arguments: arguments)
  }

  /// Names a track and its role.
  package static func name(_ name: String, of track: TraceTrack, _ role: TrackRole) -> Self {
    Self(.thread, track, (.name, .text(name)), (.role, .text(role.rawValue)))
  }

  /// Every trace begins with this text, by which readers recognise it.
  package static let mark = "{\"otherData\":{\"framebudget\":"
  /// The text before the first event of a file, between two, and after the last.
  package static let head =
    "\(mark)\(MetricCatalog.schema)},\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
  package static let separator = ",\n"
  package static let tail = "\n]}\n"

  /// The name of a mark of the time up to which an app has recorded itself.
  package static let time = "RECORDED"

  /// The categories, by which viewers filter and readers distinguish spans.
  package enum Category: String, CaseIterable {
    case screen, frame, dropped, wakeup, phase, step, post, flow, lock, preempted, suspended, trace
    case lockHold = "lock_hold"
  }

  /// The kinds of metadata of a track.
  package enum About: String, CaseIterable {
    case process = "process_name"
    case processOrder = "process_sort_index"
    case thread = "thread_name"
    case threadOrder = "thread_sort_index"
    /// The name in Chrome.
    case cores = "num_cpus"
  }

  package enum Kind {
    /// `X`: from one instant to another.
    case span(Instant, Instant)
    /// `i`: a mark across its thread, or across all threads of its process.
    case mark(Instant, acrossProcess: Bool)
    /// `s` and `f`: an arrow with a number, each end bound to the span around it.
    case flowBegin(Instant, Int)
    case flowEnd(Instant, Int)
    /// `b` and `e`: a span with a number that belongs to no track, so that others may overlap it.
    case waitBegin(Instant, Int)
    case waitEnd(Instant, Int)
    /// `M`: metadata of the track.
    case metadata
  }

  /// The event as one line of JSON.
  package var line: String {
    var line = "{\"name\":\(OutputContext.json.escaped(name))"
    if let category { line += ",\"cat\":\"\(category.rawValue)\"" }
    line += ",\(timing),\"pid\":\(track.process),\"tid\":\(track.thread)"
    if !arguments.isEmpty {
      let members = arguments.map { "\"\($0.name.text)\":\($0.value.written())" }
      line += ",\"args\":{\(members.joined(separator: ","))}"
    }
    return line + "}"
  }

  private var timing: String {
    switch kind {
    case .span(let begin, let end):
      "\"ph\":\"X\",\"ts\":\(Self.text(begin)),\"dur\":\(Self.text(.zero + (end - begin)))"
    case .mark(let at, let acrossProcess):
      "\"ph\":\"i\",\"ts\":\(Self.text(at)),\"s\":\"\(acrossProcess ? "p" : "t")\""
    case .flowBegin(let at, let id): "\"ph\":\"s\",\"ts\":\(Self.text(at)),\"id\":\(id)"
    case .flowEnd(let at, let id): "\"ph\":\"f\",\"bp\":\"e\",\"ts\":\(Self.text(at)),\"id\":\(id)"
    case .waitBegin(let at, let id): "\"ph\":\"b\",\"ts\":\(Self.text(at)),\"id\":\(id)"
    case .waitEnd(let at, let id): "\"ph\":\"e\",\"ts\":\(Self.text(at)),\"id\":\(id)"
    case .metadata: "\"ph\":\"M\",\"ts\":0"
    }
  }

  private static func text(_ instant: Instant) -> String {
    Decimal.text(units: instant.nanoseconds, places: 3)
  }
}

/// A row of a trace: a thread of a process, by their numbers in the file.
package struct TraceTrack: Hashable {
  package let process: Int
  package let thread: Int

  package init(process: Int, thread: Int) {
    self.process = process
    self.thread = thread
  }
}

/// The role of a track.
package enum TrackRole: String { case screen, thread, lock }

/// The names of screen events in a trace, as in Chrome's compositor, which other readers know.
package enum ScreenEvent: String, CaseIterable, Sendable {
  /// The project's own events.
  case vsync
  case begin = "BeginFrame"
  case draw = "DrawFrame"
  case drop = "DroppedFrame"
}

/// An argument of events in a trace.
package enum TraceArgument: Int, CaseIterable, Sendable {
  /// Of metadata: the name of a process or track, its role, its place in a viewer, and the number of cores.
  case name, role, order, cores
  /// Of screen events: the frame, by Chrome's name, and the vsync.
  case screenFrame, vsync
  /// Of the steps of items, and of posts to them.
  case workload, item, step, service
  /// Of waits.
  case lock, resource
  /// The number of spans without room.
  case lost
  /// Of the frames of a run, as in its per-frame file.
  case frame, beginVsync, dueVsync, presentVsync, ready, lateVsyncs, dropped
  case cause, beginCause, isStuffed, isOnDemand, items, queueDepth, askedVsync, hangsBetween
  /// Of a run, as in its per-frame file.
  case scenario, strategy, options, changes, engine, processors, repetition, seed
  case refresh, duration, warmup

  /// The name in the file.
  package var text: String { Self.texts[rawValue] }

  private static let texts = allCases.map { argument in
    switch argument {
    case .order: "sort_index"
    case .cores: "number"
    case .screenFrame: "frameSeqId"
    default: argument.key?.name ?? argument.column?.name ?? "\(argument)"
    }
  }

  /// The arguments of a frame, with their columns.
  package static let ofFrames = allCases.compactMap { argument in
    argument.column.map { (argument: argument, column: $0) }
  }
  /// The arguments of a run, with their keys.
  package static let ofRuns = allCases.compactMap { argument in
    argument.key.map { (argument: argument, key: $0) }
  }

  /// The key of the run that it has the value of.
  package var key: RunKey? {
    switch self {
    case .scenario: .scenario
    case .strategy: .strategy
    case .options: .options
    case .changes: .changes
    case .engine: .engine
    case .processors: .cores
    case .repetition: .repetition
    case .seed: .seed
    case .refresh: .refresh
    case .duration: .duration
    case .warmup: .warmup
    default: nil
    }
  }

  /// The column of the per-frame file that it has the value of.
  package var column: FrameColumn? {
    switch self {
    case .frame: .number
    case .beginVsync: .beginVsync
    case .dueVsync: .dueVsync
    case .presentVsync: .presentVsync
    case .ready: .ready
    case .lateVsyncs: .lateVsyncs
    case .dropped: .dropped
    case .cause: .cause
    case .beginCause: .beginCause
    case .isStuffed: .isStuffed
    case .isOnDemand: .isOnDemand
    case .items: .items
    case .queueDepth: .queueDepth
    case .askedVsync: .askedVsync
    case .hangsBetween: .hangsBetween
    default: nil
    }
  }
}
