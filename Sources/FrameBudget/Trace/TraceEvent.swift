/// An event of Chrome's trace format, which Perfetto opens.
///
/// See "Trace Event Format" of the Chromium project. Times there are microseconds; three decimals keep the run's nanoseconds.
package struct TraceEvent {
  package let name: String
  /// Nil for metadata of a track.
  package let category: Category?
  package let track: TraceTrack
  package let kind: Kind
  package var arguments: [(name: String, value: JSON)]

  package init(
    name: String, category: Category?, track: TraceTrack, kind: Kind,
    arguments: [(name: String, value: JSON)] = []
  ) {
    self.name = name
    self.category = category
    self.track = track
    self.kind = kind
    self.arguments = arguments
  }

  /// Creates metadata of a track.
  package init(
    _ about: About, _ track: TraceTrack, _ arguments: (name: String, value: JSON)...
  ) {
    self.init(
      name: about.rawValue, category: nil, track: track, kind: .metadata, arguments: arguments)
  }

  /// Names a track and its role.
  package static func name(_ name: String, of track: TraceTrack, _ role: TrackRole) -> Self {
    Self(.thread, track, ("name", .text(name)), ("role", .text(role.rawValue)))
  }

  /// The text before the first event of a file, between two, and after the last.
  package static let head =
    "{\"otherData\":{\"framebudget\":\(MetricCatalog.schema)},\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
  package static let separator = ",\n"
  package static let tail = "\n]}\n"

  /// The categories, by which viewers filter and `report` recognises its own traces.
  package enum Category: String {
    case screen, frame, dropped, wakeup, phase, step, post, flow, lock, preempted, trace
    case lockHold = "lock_hold"
  }

  /// The kinds of metadata of a track.
  package enum About: String {
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
    /// `M`: metadata of the track.
    case metadata
  }

  /// The event as one line of JSON.
  package var line: String {
    var line = "{\"name\":\(OutputContext.json.escaped(name))"
    if let category { line += ",\"cat\":\"\(category.rawValue)\"" }
    line += ",\(timing),\"pid\":\(track.process),\"tid\":\(track.thread)"
    if !arguments.isEmpty {
      let members = arguments.map { "\(OutputContext.json.escaped($0.name)):\($0.value.written())" }
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
