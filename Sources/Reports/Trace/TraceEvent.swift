internal import FrameBudget

/// An event of Chrome's trace format, which Perfetto opens.
///
/// The format: "Trace Event Format" of the Chromium project. Times are microseconds there; three decimals keep
/// the run's nanoseconds.
struct TraceEvent {
  let name: String
  let category: String
  let track: TraceTrack
  let kind: Kind
  var arguments: [(name: String, value: JSON)] = []

  enum Kind {
    /// `X`: from one instant to another.
    case span(Instant, Instant)
    /// `i`: a mark across its thread, or across all threads of its process.
    case mark(Instant, acrossProcess: Bool)
    /// `s` and `f`: an arrow with a number, each end bound to the span around it.
    case flowBegin(Instant, Int)
    case flowEnd(Instant, Int)
    /// `M`: says something about the track.
    case metadata
  }

  /// The event as one line of JSON.
  var line: String {
    var line = "{\"name\":\(JSON.quoted(name))"
    if !category.isEmpty { line += ",\"cat\":\"\(category)\"" }
    line += ",\(timing),\"pid\":\(track.process),\"tid\":\(track.thread)"
    if !arguments.isEmpty {
      let members = arguments.map { "\(JSON.quoted($0.name)):\($0.value.written())" }
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
struct TraceTrack: Hashable {
  let process: Int
  let thread: Int
}
