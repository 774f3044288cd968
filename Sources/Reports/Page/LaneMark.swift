internal import FrameBudget

/// What a lane's picture draws as one bar: a span, or several that are too short to be told apart.
struct LaneMark {
  let begin: Int64
  let end: Int64
  /// What most of the time went on.
  let kind: TracedRun.Kind
  let words: String
  let count: Int
  /// The time within it that the thread did anything.
  let busy: Int64

  /// The spans between two instants as marks of at least `shortest`, unless nothing follows at once.
  ///
  /// Of spans within one another, as a lock wait within a phase, each gets the time that is its own.
  static func marks(
    of spans: [TracedRun.Span], from: Int64, to: Int64, shortest: Int64
  ) -> [LaneMark] {
    var marks: [LaneMark] = []
    var group = Group()
    for piece in pieces(of: spans, from: from, to: to) {
      let isFar = !group.pieces.isEmpty && piece.begin - group.end >= shortest / 3
      let isLong = piece.end - piece.begin >= shortest
      if isFar || isLong || group.length >= shortest { group.close(into: &marks) }
      group.append(piece)
      if isLong { group.close(into: &marks) }
    }
    group.close(into: &marks)
    return marks
  }

  /// The spans cut to what is between two instants, and where they lie within one another to what is their own.
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

  private struct Group {
    private(set) var pieces: [TracedRun.Span] = []

    var end: Int64 { pieces.last?.end ?? 0 }
    var length: Int64 { pieces.first.map { end - $0.begin } ?? 0 }

    mutating func append(_ piece: TracedRun.Span) { pieces.append(piece) }

    mutating func close(into marks: inout [LaneMark]) {
      guard let first = pieces.first else { return }
      var times: [TracedRun.Kind: Int64] = [:]
      for piece in pieces { times[piece.kind, default: 0] += piece.end - piece.begin }
      let kinds = TracedRun.Kind.allCases.filter { times[$0] != nil }.sorted {
        times[$0] ?? 0 > times[$1] ?? 0
      }
      let busy = times.values.reduce(0, +)
      marks.append(
        LaneMark(
          begin: first.begin, end: end, kind: kinds[0], words: words(kinds, times, busy),
          count: pieces.count, busy: busy))
      pieces.removeAll(keepingCapacity: true)
    }

    private func words(
      _ kinds: [TracedRun.Kind], _ times: [TracedRun.Kind: Int64], _ busy: Int64
    ) -> String {
      if pieces.count == 1 { return pieces[0].kind.words(about: pieces[0].name) }
      let shares = kinds.map { kind in
        let share = 100 * Double(times[kind] ?? 0) / Double(max(busy, 1))
        return kinds.count == 1
          ? kind.words : "\(kind.words) \(Decimal.text(share, places: 0)) %"
      }
      return "\(pieces.count) spans: \(shares.joined(separator: ", "))"
    }
  }
}

extension TracedRun.Kind {
  /// What a single span of this kind is.
  fileprivate func words(about name: String) -> String {
    switch self {
    case .lockWait: "waiting for the lock \(name)"
    case .lockHold: "held by \(name)"
    default: name == "\(self)" || name.isEmpty ? words : "\(words) (\(name))"
    }
  }
}
