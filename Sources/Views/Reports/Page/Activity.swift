internal import FrameBudget

/// The activities of a thread that the page distinguishes by a colour, a pattern and a word.
enum Activity: Int, CaseIterable, Sendable {
  case logic, drawing, reading, moving, waiting, holding

  /// Its class in the style sheet.
  var mark: String { "k-\(self)" }

  var words: String {
    switch self {
    case .logic: "business logic"
    case .drawing: "drawing"
    case .reading: "reading state"
    case .moving: "handing over work and results"
    case .waiting: "waiting"
    case .holding: "lock held"
    }
  }
}

extension TracedRun.Kind {
  var activity: Activity {
    switch self {
    case .logic: .logic
    case .render: .drawing
    case .reads: .reading
    case .post, .drain, .release: .moving
    case .wakeup, .preempted, .lockWait, .suspended, .partWait: .waiting
    case .lockHold: .holding
    }
  }

  var words: String {
    switch self {
    case .wakeup: "late wake-up"
    case .logic: "business logic"
    case .drain: "results"
    case .lockWait: "waiting for a lock"
    case .lockHold: "lock held"
    case .suspended: "suspended"
    case .partWait: "waiting for a part of drawing"
    case .release: "releasing snapshots"
    case .preempted: "ready, but without a core"
    case .post: "handing over"
    case .reads: "reading state"
    case .render: "drawing"
    }
  }
}

extension Phase {
  /// The activity for a phase; nil for phases before the frame or within other phases.
  var kind: TracedRun.Kind? {
    switch self {
    case .post: .post
    case .logic: .logic
    case .drain: .drain
    case .release: .release
    case .reads: .reads
    case .render, .compositor: .render
    case .lockWait: .lockWait
    default: nil
    }
  }
}

extension Cause {
  /// The activity of a main thread that is held for this cause; nil if the cause is no work of the app on it.
  var kind: TracedRun.Kind? {
    switch self {
    case .lock: .lockWait
    case .logic: .logic
    case .drain: .drain
    case .post: .post
    case .reads: .reads
    case .render: .render
    case .wakeup, .preempted, .machine, .compositor, .stuffed: nil
    }
  }
}

/// A bar in the picture of a lane: a span, or several that are too short to be distinguished.
struct LaneMark {
  let begin: Int64
  let end: Int64
  /// The activity with the largest share of the time.
  let kind: TracedRun.Kind
  let words: String
  let count: Int
  /// The time of each activity.
  private let times: [TracedRun.Kind: Int64]

  /// The time of all activities in the bar.
  var busy: Int64 { times.values.reduce(0, +) }

  /// The spans between two instants as bars; spans shorter than `shortest` are merged with their neighbours.
  ///
  /// A span with other spans inside, such as a phase with a lock wait, gets only the time outside of those.
  static func marks(
    of spans: [TracedRun.Span], from: Int64, to: Int64, shortest: Int64
  ) -> [LaneMark] {
    var marks: [LaneMark] = []
    var group: [TracedRun.Span] = []
    func close() {
      if let mark = LaneMark(group) { mark.add(to: &marks, near: shortest / 3) }
      group.removeAll(keepingCapacity: true)
    }
    for piece in pieces(of: spans, from: from, to: to) {
      let isLong = piece.end - piece.begin >= shortest
      if let first = group.first, let last = group.last,
        isLong || last.end - first.begin >= shortest || piece.begin - last.end >= shortest / 3
      {
        close()
      }
      group.append(piece)
      if isLong { close() }
    }
    close()
    return marks
  }

  /// The spans cut to the range between two instants and, if nested, to their own time.
  private static func pieces(
    of spans: [TracedRun.Span], from: Int64, to: Int64
  ) -> [TracedRun.Span] {
    var pieces: [TracedRun.Span] = []
    var around: [TracedRun.Span] = []
    var at = from
    func add(_ span: TracedRun.Span, until end: Int64) {
      let (begin, end) = (max(at, span.begin), min(end, to))
      if end > begin {
        pieces.append(
          TracedRun.Span(begin: begin, end: end, kind: span.kind, name: span.name))
      }
      at = max(at, end)
    }
    for span in spans where span.end > from && span.begin < to {
      while let outer = around.last, outer.end <= span.begin {
        add(outer, until: outer.end)
        around.removeLast()
      }
      if let outer = around.last { add(outer, until: span.begin) }
      at = max(at, span.begin)
      around.append(span)
    }
    while let outer = around.popLast() { add(outer, until: outer.end) }
    return pieces
  }

  private init?(_ pieces: [TracedRun.Span]) {
    guard let first = pieces.first, let last = pieces.last else { return nil }
    var times: [TracedRun.Kind: Int64] = [:]
    for piece in pieces { times[piece.kind, default: 0] += piece.end - piece.begin }
    self.init(
      begin: first.begin, end: last.end, times: times, count: pieces.count,
      single: pieces.count == 1 ? first.kind.words(about: first.name) : nil)
  }

  private init(
    begin: Int64, end: Int64, times: [TracedRun.Kind: Int64], count: Int, single: String?
  ) {
    let kinds = TracedRun.Kind.allCases.filter { times[$0] != nil }
    let busy = times.values.reduce(0, +)
    let shares = kinds.map { kind in
      let share = 100 * Double(times[kind] ?? 0) / Double(max(busy, 1))
      return kinds.count == 1 ? kind.words : "\(kind.words) \(Decimal.text(share, places: 1)) %"
    }
    self.begin = begin
    self.end = end
    self.times = times
    self.count = count
    kind = kinds.max { times[$0] ?? 0 < times[$1] ?? 0 } ?? .render
    words = single ?? "\(count) spans: \(shares.joined(separator: ", "))"
  }

  /// Appends a bar to `marks`; merges it with the last one if both gather similar spans.
  private func add(to marks: inout [LaneMark], near: Int64) {
    guard let last = marks.last, last.count > 1, count > 1, last.kind == kind,
      begin - last.end < near
    else { return marks.append(self) }
    marks[marks.count - 1] = LaneMark(
      begin: last.begin, end: end, times: last.times.merging(times, uniquingKeysWith: +),
      count: last.count + count, single: nil)
  }
}

extension TracedRun.Kind {
  /// The description of a single span of this kind.
  fileprivate func words(about name: String) -> String {
    switch self {
    case .lockWait: "waiting for the lock \(name)"
    case .partWait: "waiting for part \(name)"
    case .lockHold: "held by \(name)"
    case .wakeup, .preempted: words
    default: name == "\(self)" || name.isEmpty ? words : "\(words) (\(name))"
    }
  }
}
