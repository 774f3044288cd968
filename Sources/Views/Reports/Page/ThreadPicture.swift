internal import FrameBudget

/// The work of each thread in a short time, a row per thread, the waits of suspended items, and the state of the screen at each
/// vsync in it.
struct ThreadPicture {
  let lanes: [Lane]
  let vsyncs: [Vsync]

  struct Lane {
    let name: String
    let marks: [LaneMark]
  }

  struct Vsync {
    let instant: Int64
    let state: Screen
  }

  /// The screen at a vsync. One without a new frame is dropped only if a frame was due: on demand most are not.
  enum Screen: CaseIterable {
    case shown, dropped, notDue

    var word: String { self == .notDue ? "none due" : "\(self)" }

    /// Its class in the style sheet.
    fileprivate var mark: Markup {
      switch self {
      case .shown: "new"
      case .dropped: "none"
      case .notDue: "idle"
      }
    }

    /// `gaps` are the vsyncs without a new frame and the next that has one, of frames that were late.
    fileprivate init(at vsync: Int, shown: Set<Int>, _ gaps: [(from: Int, to: Int)]) {
      if shown.contains(vsync) {
        self = .shown
      } else {
        self = gaps.contains { $0.from <= vsync && vsync < $0.to } ? .dropped : .notDue
      }
    }
  }

  /// The limit for rows; threads that did nothing in this time are dropped first.
  private static let maxLanes = 24
  private static let maxVsyncs = 40
  /// The resolution: spans narrower than one of these columns are merged.
  private static let columns: Int64 = 240

  /// From a trace: every thread, the locks with waiters, and what suspended items waited for.
  init(_ run: TracedRun, _ window: Window) {
    let waited = Set(
      run.threads.flatMap(\.spans).filter {
        $0.kind == .lockWait && $0.end > window.from && $0.begin < window.to
      }.map { "lock \($0.name)" })
    let all = (run.threads + run.locks.filter { waited.contains($0.name) } + run.waits).map {
      Lane(name: $0.name, marks: Self.marks($0.spans, window))
    }
    let busy = all.count > Self.maxLanes ? all.filter { !$0.marks.isEmpty } : all
    lanes = Array(busy.prefix(Self.maxLanes))
    let newVsyncs = Set(run.frames.map(\.shown))
    let gaps = run.frames.filter { $0.late > 0 }.map { (from: $0.shown - $0.late, to: $0.shown) }
    let near = run.vsyncs.filter { window.contains($0.value) }.sorted { $0.key < $1.key }
    // A damaged trace may have any vsync numbers.
    vsyncs = near.prefix(Self.maxVsyncs).map {
      Vsync(instant: $0.value, state: Screen(at: $0.key, shown: newVsyncs, gaps))
    }
  }

  /// From the frames: only the main thread, with the phases of each frame in their order.
  init(_ run: RecordedRun, _ window: Window) {
    func wanted(_ frame: FrameRecord) -> Int64 {
      min(run.refresh.vsync(frame.askedVsync), frame.begin).nanoseconds
    }
    let near = run.frames.filter {
      $0.workEnd.nanoseconds > window.from && wanted($0) < window.to
    }
    lanes = [Lane(name: "main", marks: Self.marks(Self.spans(near, wanted), window))]
    let newVsyncs = Set(run.frames.map(\.presentVsync))
    let gaps = run.frames.filter { $0.dropped > 0 }.map(\.droppedVsyncs)
      .map { (from: $0.lowerBound, to: $0.upperBound) }
    let numbers = Self.vsyncs(of: run.refresh, in: window)
    // The window may be from a trace with other periods.
    vsyncs = numbers.prefix(Self.maxVsyncs).map {
      Vsync(
        instant: run.refresh.vsync($0).nanoseconds, state: Screen(at: $0, shown: newVsyncs, gaps))
    }
  }

  private static func vsyncs(of refresh: RefreshRate, in window: Window) -> Range<Int> {
    let first = max(1, refresh.firstVsync(atOrAfter: Instant(nanoseconds: window.from)))
    let end = refresh.vsyncs(through: Instant(nanoseconds: window.to)) + 1
    return first..<max(first, end)
  }

  private static func marks(_ spans: [TracedRun.Span], _ window: Window) -> [LaneMark] {
    LaneMark.marks(
      of: spans, from: window.from, to: window.to, shortest: (window.to - window.from) / columns)
  }

  /// Spans of frames; in a loop of events they include the events before the start, but not those within the previous frame.
  /// What held a frame before that is drawn as the cause of its late start.
  private static func spans(
    _ frames: [FrameRecord], _ wanted: (FrameRecord) -> Int64
  ) -> [TracedRun.Span] {
    var free = Int64.min
    return frames.flatMap { frame in
      let begin = frame.begin.nanoseconds
      let sum = Phase.parts.reduce(0) { $0 + frame.spans[$1].nanoseconds }
      var at = min(begin, frame.workEnd.nanoseconds - sum)
      let held = TracedRun.Span(
        begin: max(free, wanted(frame)), end: at, kind: frame.beginCause?.kind ?? .logic, name: "")
      defer { free = frame.workEnd.nanoseconds }
      let isHeld = frame.beginCause?.kind != nil && held.end > held.begin
      return (isHeld ? [held] : [])
        + Phase.parts.compactMap { phase -> TracedRun.Span? in
          let from = max(at, free)
          at += frame.spans[phase].nanoseconds
          guard at > from, let kind = phase.kind else { return nil }
          return TracedRun.Span(begin: from, end: at, kind: kind, name: "")
        }
    }
  }

  /// From one instant to another, in nanoseconds.
  struct Window {
    let from: Int64
    let to: Int64

    func contains(_ instant: Int64) -> Bool { (from...to).contains(instant) }

    var axis: TimeAxis { TimeAxis(from: Double(from) / 1e9, to: Double(to) / 1e9) }
  }

  // MARK: Drawing

  var activities: Set<Activity> { Set(lanes.flatMap(\.marks).map(\.kind.activity)) }

  func markup(_ window: Window) -> Markup {
    let axis = window.axis
    func share(_ instant: Int64) -> Double { axis.share(Double(instant) / 1e9) }
    // With more vsyncs, and at the right edge, there is no room for names.
    let isRoomy = vsyncs.count <= 8
    let lines: [Markup] = vsyncs.map {
      "<i class=\"vsync\" style=\"left:\(share: share($0.instant))\"></i>"
    }
    let rows: [Markup] = lanes.map { lane in
      let marks: [Markup] = lane.marks.map { mark in
        """
        <i class="\(mark.kind.activity.mark)" style="left:\(share: share(mark.begin));\
        width:\(share: share(mark.end) - share(mark.begin))" title="\(Self.words(mark, of: lane))"></i>
        """
      }
      return """
        <div class="lane"><span class="who">\(lane.name)</span><div class="track" role="img" \
        aria-label="\(Self.summary(lane, window))">\(marks)\(lines)</div></div>

        """
    }
    let shown: [Markup] = vsyncs.map { vsync in
      let hasName = isRoomy && share(vsync.instant) < 0.89
      return """
        <span class="v \(vsync.state.mark)" style="left:\(share: share(vsync.instant))"><i></i>\
        \(hasName ? "<span>\(vsync.state.word)</span>" : "" as Markup)</span>
        """
    }
    return """
      \(rows)<div class="lane screen"><span class="who">screen</span><div class="track" role="img" \
      aria-label="\(screenSummary)"><div aria-hidden="true">\(shown)</div></div></div>

      """
  }

  private var screenSummary: String {
    func count(_ state: Screen) -> Int { vsyncs.count { $0.state == state } }
    return "a new frame at \(count(.shown)) of \(English.count(vsyncs.count, "vsync")), "
      + "\(count(.dropped)) dropped" + (count(.notDue) > 0 ? ", \(count(.notDue)) not due" : "")
  }

  private static func words(_ mark: LaneMark, of lane: Lane) -> String {
    "\(lane.name), \(text(mark.begin)) to \(text(mark.end)) ms: \(mark.words)"
  }

  private static func summary(_ lane: Lane, _ window: Window) -> String {
    let whole = Double(window.to - window.from)
    let parts = Activity.allCases.compactMap { activity -> String? in
      let busy = lane.marks.filter { $0.kind.activity == activity }.reduce(0) { $0 + $1.busy }
      let share = Decimal.text(100 * Double(busy) / whole, places: 0)
      return busy > 0 ? "\(activity.words) \(share) %" : nil
    }
    return "\(lane.name): \(parts.isEmpty ? "idle" : parts.joined(separator: ", "))"
  }

  private static func text(_ nanoseconds: Int64) -> String {
    Decimal.text(units: nanoseconds, places: 6)
  }
}
