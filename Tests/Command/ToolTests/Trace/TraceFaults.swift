/// The faults of a trace by the rules of its format; strict in cases in which viewers guess.
struct TraceFaults {
  private(set) var found: [String] = []
  private let document: TraceDocument

  init(_ document: TraceDocument) {
    self.document = document
    for event in document.traceEvents { check(event) }
    checkNames()
    checkNesting()
    checkFlows()
  }

  private mutating func check(_ event: TraceDocument.Event) {
    let isWhole =
      switch event.ph {
      case "X": event.dur.map { $0 >= 0 } ?? false
      case "i": ["t", "p", "g"].contains(event.s)
      case "s": event.id != nil
      case "f": event.id != nil && event.bp == "e"
      case "M": event.args != nil
      default: false
      }
    if !isWhole { found.append("\(event.ph) '\(event.name)' lacks a field, or is unknown") }
    if event.ts < 0 { found.append("'\(event.name)' is before time 0") }
    // A process's name makes no sense as a thread's number elsewhere.
    if event.name.isEmpty { found.append("an event without a name") }
  }

  private mutating func checkNames() {
    let threads = document.named("thread_name")
    let known = Set(threads.map(\.track))
    if known.count != threads.count { found.append("a thread is named twice") }
    if Set(threads.map(\.tid)).count != threads.count { found.append("two threads share a number") }
    let processes = document.processes.map(\.number)
    if Set(processes).count != processes.count { found.append("a process is named twice") }
    for event in document.traceEvents where !known.contains(event.track) {
      found.append("'\(event.name)' is on a track without a name")
    }
  }

  private var tracks: [TraceDocument.Track: [TraceDocument.Event]] {
    Dictionary(grouping: document.traceEvents.filter { $0.ph == "X" }, by: \.track)
  }

  /// Spans of a track are in order, and are nested or separate.
  private mutating func checkNesting() {
    for spans in tracks.values {
      var around: [TraceDocument.Event] = []
      for (index, span) in spans.enumerated() {
        if index > 0, spans[index - 1].begin > span.begin {
          found.append("'\(span.name)' is written after what begins later")
        }
        while let last = around.last, last.end <= span.begin, last.end < span.end || last.dur == 0 {
          around.removeLast()
        }
        if let outer = around.last, span.end > outer.end {
          found.append("'\(span.name)' at \(span.ts) overlaps '\(outer.name)' at \(outer.ts)")
        }
        around.append(span)
      }
    }
  }

  /// Each flow has one begin and one end, later, both on a span.
  private mutating func checkFlows() {
    let tracks = tracks
    let ends = document.traceEvents.filter { $0.ph == "s" || $0.ph == "f" }
    for (id, pair) in Dictionary(grouping: ends, by: { $0.id ?? -1 }) {
      guard pair.map(\.ph).sorted() == ["f", "s"] else {
        found.append("flow \(id) has \(pair.map(\.ph).sorted())")
        continue
      }
      let (from, to) = pair[0].ph == "s" ? (pair[0], pair[1]) : (pair[1], pair[0])
      if from.begin > to.begin { found.append("flow \(id) goes back in time") }
      if from.cat != to.cat || from.name != to.name { found.append("flow \(id) changes its name") }
      for (end, category) in [(from, "post"), (to, "step")] {
        let spans = tracks[end.track] ?? []
        if !Self.has(spans, category, beginningAt: end.begin) {
          found.append("flow \(id) has no \(category) at its '\(end.ph)'")
        }
      }
    }
  }

  private static func has(
    _ spans: [TraceDocument.Event], _ category: String, beginningAt instant: Int64
  ) -> Bool {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].begin < instant { low = middle + 1 } else { high = middle }
    }
    return spans[low...].prefix { $0.begin == instant }.contains { $0.cat == category }
  }
}
