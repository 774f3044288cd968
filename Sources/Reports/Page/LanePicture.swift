internal import FrameBudget

/// A lane per thread around a run's worst hitch: what each thread did while no new frame was shown.
struct LanePicture {
  private let run: TracedRun
  private let worst: TracedRun.Frame
  private let x: Axis
  private let from: Int64
  private let to: Int64
  private let lanes: [Lane]

  private struct Lane {
    let name: String
    let marks: [LaneMark]
  }

  /// More threads than a picture on a phone holds; those that did nothing then go first.
  private static let mostLanes = 24
  private static let left = 16.0
  private static let pitch = 34.0
  private static let height = 14.0

  /// Nil if no frame was late, or a damaged trace says that it was shown before it began.
  init?(_ run: TracedRun) {
    guard let worst = run.worst else { return nil }
    self.run = run
    self.worst = worst
    let from = max(0, run.instant(ofVsync: worst.begin) - run.period)
    let to = run.instant(ofVsync: worst.shown) + run.period
    guard to > from else { return nil }
    (self.from, self.to) = (from, to)
    let x = Axis.span(
      "milliseconds since the run began", [from, to].map { Double($0) / 1e6 }, from: Self.left,
      to: Plot.right)
    self.x = x
    // A mark is at least three pixels wide before another begins.
    let shortest = (to - from) * 3 / Int64(Plot.right - Self.left)
    let waited = Set(
      run.threads.flatMap(\.spans).filter {
        $0.kind == .lockWait && $0.end > from && $0.begin < to
      }.map { "lock \($0.name)" })
    let shown = run.threads + run.locks.filter { waited.contains($0.name) }
    let all = shown.map {
      Lane(
        name: $0.name,
        marks: LaneMark.marks(of: $0.spans, from: from, to: to, shortest: shortest))
    }
    let busy = all.count > Self.mostLanes ? all.filter { !$0.marks.isEmpty } : all
    lanes = Array(busy.prefix(Self.mostLanes))
  }

  func plot() -> Plot {
    let bottom = Plot.top + Self.pitch * Double(lanes.count + 1) + 4
    var plot = Plot(
      title: "Threads around the worst hitch of \(run.name)", summary: summary, x: x,
      y: Axis.linear("", to: 1, from: bottom, to: Plot.top), table: table,
      names: lanes.map(\.name), bottom: bottom)
    plot.marks = ticks(bottom) + screen()
    for (row, lane) in lanes.enumerated() {
      plot.marks.append(name(lane.name, row: row + 1))
      plot.marks += lane.marks.map { bar($0, of: lane, row: row + 1) }
    }
    let kinds = Set(lanes.flatMap(\.marks).map(\.kind))
    plot.legend =
      [("no new frame", "var(--rule)")]
      + TracedRun.Kind.allCases.filter(kinds.contains).map { ($0.words, $0.color) }
    return plot
  }

  private var summary: String {
    let at = Decimal.text(Double(run.instant(ofVsync: worst.begin)) / 1e6, places: 3)
    let vsyncs = worst.late == 1 ? "one vsync" : "\(worst.late) vsyncs"
    let shares = lanes.map { lane in
      let busy = lane.marks.reduce(0) { $0 + $1.busy }
      return "\(lane.name) \(Decimal.text(100 * Double(busy) / Double(to - from), places: 0)) %"
    }
    return "The frame begun at \(at) ms kept \(vsyncs) without a new frame, because of"
      + " \(worst.cause). Busy or waiting in this picture: \(shares.joined(separator: ", "))"
  }

  private var table: (header: [String], rows: [[String]]) {
    let hitch = [
      "screen", Self.text(deadline), Self.text(run.instant(ofVsync: worst.shown)),
      "no new frame, because of \(worst.cause)", "\(worst.late)", "",
    ]
    let marks = lanes.flatMap { lane in
      lane.marks.map { mark in
        [
          lane.name, Self.text(mark.begin), Self.text(mark.end), mark.words,
          String(mark.count), Self.text(mark.busy),
        ]
      }
    }
    return (
      ["thread", "from, ms", "to, ms", "what", "spans or vsyncs", "of it, ms"], [hitch] + marks
    )
  }

  // MARK: Marks

  private var deadline: Int64 { run.instant(ofVsync: worst.begin + 1) }

  /// The time in which an old frame stayed on the screen, and the vsyncs where there is room for them.
  private func screen() -> [String] {
    let shown = run.instant(ofVsync: worst.shown)
    var marks = [name("screen", row: 0)]
    let vsyncs = run.vsyncs.values.filter { (from...to).contains($0) }.sorted()
    if vsyncs.count <= 40 {
      marks += vsyncs.map { vsync in
        Plot.bar(
          from: (place(vsync) - 0.5, top(0)), width: 1, height: Self.height, color: "var(--dim)",
          tip: "vsync at \(Self.text(vsync)) ms")
      }
    }
    let vsyncsLost = worst.late == 1 ? "1 vsync" : "\(worst.late) vsyncs"
    marks.append(
      Plot.bar(
        from: (place(deadline), top(0) + 3), width: place(shown) - place(deadline),
        height: Self.height - 6, color: "var(--rule)",
        tip: "no new frame at \(vsyncsLost) from \(Self.text(deadline)) ms on: \(worst.cause)"))
    return marks
  }

  private func bar(_ mark: LaneMark, of lane: Lane, row: Int) -> String {
    Plot.bar(
      from: (place(mark.begin), top(row)), width: place(mark.end) - place(mark.begin),
      height: Self.height, color: mark.kind.color,
      tip: "\(lane.name), \(Self.text(mark.begin)) to \(Self.text(mark.end)) ms: \(mark.words)")
  }

  private func name(_ name: String, row: Int) -> String {
    """
    <text class="label" x="\(Plot.text(Self.left))" y="\(Plot.text(top(row) - 4))">\
    \(HTML.escaped(name))</text>
    """
  }

  private func ticks(_ bottom: Double) -> [String] {
    x.ticks.map { tick in
      """
      <text class="label middle" x="\(Plot.text(x.place(tick)))" y="\(Plot.text(bottom + 16))">\
      \(Axis.label(tick))</text>
      """
    }
  }

  private func place(_ instant: Int64) -> Double { x.place(Double(instant) / 1e6) }

  private func top(_ row: Int) -> Double {
    Plot.top + Self.pitch * (Double(row) + 1) - Self.height - 4
  }

  private static func text(_ nanoseconds: Int64) -> String {
    Decimal.text(units: nanoseconds, places: 6)
  }
}

extension TracedRun.Kind {
  var color: String {
    switch self {
    case .wakeup: FramePictures.color(of: Cause.wakeup.name)
    case .preempted: FramePictures.color(of: Cause.preempted.name)
    case .post: FramePictures.color(of: Cause.post.name)
    case .logic: FramePictures.color(of: Cause.logic.name)
    case .drain, .release: FramePictures.color(of: Cause.drain.name)
    case .reads: FramePictures.color(of: Cause.reads.name)
    case .render: FramePictures.color(of: Cause.render.name)
    case .lockWait: FramePictures.color(of: Cause.lock.name)
    case .lockHold: "var(--calm)"
    }
  }

  var words: String {
    switch self {
    case .wakeup: "late wake-up"
    case .logic: "business logic"
    case .drain: "results"
    case .lockWait: "waiting for a lock"
    case .lockHold: "lock held"
    case .release: "releasing snapshots"
    case .preempted: "ready, but without a core"
    case .post, .reads, .render: "\(self)"
    }
  }
}
