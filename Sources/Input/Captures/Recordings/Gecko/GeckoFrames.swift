internal import FrameBudget
internal import FrameBudgetParsing

/// Frames of a page in Firefox: the ticks of its refresh driver, at the vsyncs of the compositor.
struct GeckoFrames {
  /// The ticks, and when their threads were busy.
  private var ticks: [Range<Int64>] = []
  private var busy: [Range<Int64>] = []
  /// The ticks of other processes.
  private var others: [Range<Int64>] = []
  private var vsyncs: [Int64] = []
  /// From when pages handed frames over until the compositor had built them, and until it had drawn them.
  private var scenes: [Range<Int64>] = []
  private var composites: [Range<Int64>] = []

  /// The number of kept values.
  var count: Int { ticks.count + others.count + vsyncs.count + scenes.count + composites.count }

  /// Keeps what the compositor reports on any thread.
  mutating func take(_ thread: GeckoThread) {
    vsyncs += thread.vsyncs
    scenes += Self.spans(.scene, of: thread)
    composites += Self.spans(.composite, of: thread)
  }

  /// Keeps the frames that the thread drew.
  mutating func takeTicks(_ thread: GeckoThread) {
    let drawn = Self.spans(.tick, of: thread)
    guard !drawn.isEmpty else { return }
    ticks += drawn
    busy += thread.busy
  }

  /// Keeps when a thread of another process drew.
  mutating func takeOthers(_ thread: GeckoThread) { others += Self.spans(.tick, of: thread) }

  private static func spans(
    _ meaning: GeckoMarker.Meaning, of thread: GeckoThread
  ) -> [Range<Int64>] {
    thread.intervals.filter { $0.meaning == meaning }.map { $0.begin..<$0.end }
  }

  /// The frames in order, the distance of vsyncs, and warnings about what the profile lacks.
  consuming func found() -> (frames: [RecordedFrame], period: TimeSpan?, doubts: [String]) {
    ticks.sort { $0.lowerBound < $1.lowerBound }
    busy = busy.joined
    vsyncs.sort()
    scenes.sort { $0.lowerBound < $1.lowerBound }
    composites.sort { $0.lowerBound < $1.lowerBound }
    let period = AndroidFrames.period(of: vsyncs.isEmpty ? ticks.map(\.lowerBound) : vsyncs)
    let step = (period ?? RefreshRate(60).period).nanoseconds
    var frames: [RecordedFrame] = []
    var previous = Int64.min
    for tick in ticks {
      if let frame = frame(tick, after: previous, period: step) { frames.append(frame) }
      previous = tick.lowerBound
    }
    return (frames, period, doubts)
  }

  /// The frame of `tick`; nil if that handed nothing over. `previous` is the begin of the tick before.
  ///
  /// A tick has the newest vsync, unless the thread was busy at an earlier one and had not drawn since: then the frame was
  /// wanted from that on.
  private func frame(
    _ tick: Range<Int64>, after previous: Int64, period: Int64
  ) -> RecordedFrame? {
    let begin = tick.lowerBound
    let task = busy.partitioningIndex { $0.lowerBound > begin } - 1
    let since = task >= 0 ? busy[task].lowerBound : begin
    let first = vsyncs.partitioningIndex { $0 > max(since, previous) }
    let next = vsyncs.partitioningIndex { $0 > begin }
    // Without a vsync shortly before it, nothing but the tick itself says when it was wanted.
    let newest = next > 0 && since - vsyncs[next - 1] <= period ? vsyncs[next - 1] : begin
    var frame = RecordedFrame(
      vsync: .nanoseconds(first < next ? vsyncs[first] : newest), work: tick)
    guard !composites.isEmpty else { return frame }
    let handed = composites.partitioningIndex { $0.lowerBound > tick.upperBound } - 1
    guard handed >= 0, composites[handed].lowerBound >= begin else { return nil }
    let shown = shown(composites[handed], after: newest, period: period)
    let ready = ready(tick, composites[handed], shown: shown, period: period)
    if tick.upperBound > shown {
      frame.work = tick.lowerBound..<max(tick.lowerBound + 1, Self.latest(for: shown, period))
    }
    (frame.presented, frame.ready) = (.nanoseconds(shown), .nanoseconds(ready))
    return frame
  }

  /// When a frame that was late for the picture in which it was shown would have been in time for it.
  ///
  /// What Firefox has built up to 4 ms behind a vsync it still draws for that, if it has drawn nothing else then and began before
  /// it (`gfx.webrender.late-scenebuild-threshold`, `WebRenderBridgeParent::NotifyDidSceneBuild`). No screen of a scenario does,
  /// so such a frame ends before the vsync: a tenth of a period, because those of the software timer are off by less.
  private static func latest(for shown: Int64, _ period: Int64) -> Int64 { shown - period / 10 }

  /// The last vsync before the compositor had drawn a frame, later than the one at which the frame was drawn.
  private func shown(_ composite: Range<Int64>, after vsync: Int64, period: Int64) -> Int64 {
    let drawn = composite.upperBound
    let next = vsyncs.partitioningIndex { $0 > drawn }
    if next > 0, vsyncs[next - 1] > vsync { return vsyncs[next - 1] }
    // Drawn before the next vsync, or behind the last one that was recorded.
    return vsync + max(1, (drawn - vsync) / period) * period
  }

  /// When the compositor could draw a frame: when it had built it, in time for its picture, or, if the picture came later than
  /// that explains, within the period before it, whose middle this returns.
  private func ready(
    _ tick: Range<Int64>, _ composite: Range<Int64>, shown: Int64, period: Int64
  ) -> Int64 {
    let scene = scenes.partitioningIndex { $0.lowerBound >= composite.lowerBound }
    var built = tick.upperBound
    if scene < scenes.count, scenes[scene].lowerBound == composite.lowerBound {
      built = max(built, scenes[scene].upperBound)
    }
    if built > shown { return Self.latest(for: shown, period) }
    return shown - built > period ? shown - period / 2 : built
  }

  /// The number of pictures that began while both this process and another one drew.
  private var shared: Int {
    let own: [Range<Int64>] = ticks.joined
    let others: [Range<Int64>] = others.joined
    func isInside(_ instant: Int64, _ spans: [Range<Int64>]) -> Bool {
      let next = spans.partitioningIndex { $0.lowerBound > instant }
      return next > 0 && instant <= spans[next - 1].upperBound
    }
    return composites.count {
      isInside($0.lowerBound, own) && isInside($0.lowerBound, others)
    }
  }

  private var doubts: [String] {
    guard !ticks.isEmpty else { return [] }
    let always: [String] = [
      vsyncs.isEmpty
        ? "no vsyncs were recorded: the period is the usual time between frames"
        : "the profile does not say when a frame was requested: behind a busy thread it counts as wanted from the first vsync "
          + "that the thread missed",
      composites.isEmpty
        ? "the compositor was not recorded: a frame counts as shown at the vsync after its end"
        : "the profile does not say when a frame was on the screen: it counts as shown at the last vsync before the "
          + "compositor had drawn it",
    ]
    let shared = shared
    guard shared > 0 else { return always }
    return always + [
      "\(shared) pictures began while another process drew, too: they may not be the page's"
    ]
  }
}
