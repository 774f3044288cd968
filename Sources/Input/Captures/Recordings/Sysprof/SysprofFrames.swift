internal import FrameBudget
internal import FrameBudgetParsing

/// Frames of a process with GTK: the cycles of its frame clock that drew something.
struct SysprofFrames {
  /// A call of the compositor for the next frame.
  private struct Event {
    /// When the main thread heard of it.
    let at: Int64
    /// What GTK makes of the compositor's own time of it, which may be another clock's; nil if unknown.
    var stated: Int64?
    /// When the main thread would have heard of it, had it been free.
    var wanted: Int64

    /// How much later the thread heard of it than the compositor says.
    var delay: Int64? { stated.map { at - $0 } }
  }

  private var cycles: [Range<Int64>] = []
  private var renders: [Int64] = []
  private var commits: [Int64] = []
  private var swaps: [Int64] = []
  private var events: [Event] = []

  var hasEvents: Bool { !events.isEmpty }

  mutating func take(_ span: Range<Int64>, isCycle: Bool) {
    if isCycle { cycles.append(span) } else { renders.append(span.lowerBound) }
  }

  mutating func commit(at instant: Int64) { commits.append(instant) }

  /// With GL a picture is handed over by the exchange of buffers, which may begin by drawing it.
  mutating func swap(at instant: Int64) { swaps.append(instant) }

  mutating func event(at instant: Int64) { events.append(Event(at: instant, wanted: instant)) }

  /// GTK computes this when it hears of a call, from the time in the call and the usual period.
  mutating func presented(at instant: Int64) {
    guard let last = events.last, last.stated == nil, InputTime.isWithinFrame(last.at - instant)
    else { return }
    events[events.count - 1].stated = instant
  }

  /// The frames in order, the times by which the thread heard late of a call, also in order, and the distance of calls.
  /// `running` is when the thread is known to have run, in order.
  consuming func found(
    running: [Range<Int64>]
  ) -> (frames: [RecordedFrame], late: [Range<Int64>], period: TimeSpan?) {
    cycles.sort { $0.lowerBound < $1.lowerBound }
    renders.sort()
    commits.sort()
    swaps.sort()
    events.sort { $0.at < $1.at }
    noteLate()
    let period = AndroidFrames.period(
      of: events.isEmpty ? cycles.map(\.lowerBound) : events.map(\.wanted))
    let step = (period ?? Self.usual).nanoseconds
    var frames: [RecordedFrame] = []
    for work in drawn {
      let before = frames.last
      var vsync = vsync(of: work, after: before?.work?.upperBound ?? .min, running, period: step)
      if let before { vsync = max(vsync, before.vsync.nanoseconds) }
      frames.append(RecordedFrame(vsync: .nanoseconds(vsync), work: work))
    }
    let late = events.filter { $0.wanted < $0.at }.map { $0.wanted..<$0.at }.joined
    return (frames, late, period)
  }

  /// The cycles that handed a picture over, up to their commits; the others found nothing to change. If hardly any cycle that
  /// rendered is said to have done so, those that rendered; if none did either, all.
  private var drawn: [Range<Int64>] {
    func last(_ instants: [Int64], in cycle: Range<Int64>) -> Int64? {
      let next = instants.partitioningIndex { $0 > cycle.upperBound }
      return next > 0 && instants[next - 1] >= cycle.lowerBound ? instants[next - 1] : nil
    }
    let handed: [Range<Int64>] = cycles.compactMap { cycle in
      if last(swaps, in: cycle) != nil { return cycle }
      return last(commits, in: cycle).map { cycle.lowerBound..<$0 }
    }
    let rendered = cycles.filter { last(renders, in: $0) != nil }
    if handed.isEmpty, rendered.isEmpty { return cycles }
    return handed.count * 10 >= rendered.count ? handed : rendered
  }

  /// The number of calls before and behind one that say how late the thread usually hears of them. It is small, because the
  /// compositor's clock may drift.
  private static let near = 16

  private static let usual = RefreshRate(60).period

  /// Finds the calls of which the thread heard later than usual by more than a quarter of a period.
  private mutating func noteLate() {
    let period = AndroidFrames.period(of: events.compactMap(\.stated)) ?? Self.usual
    let least = period.nanoseconds / 4
    let delays = events.map(\.delay)
    for index in events.indices {
      guard let delay = delays[index] else { continue }
      let near = max(0, index - Self.near)...min(events.count - 1, index + Self.near)
      let usual = delays[near].compactMap(\.self).min() ?? delay
      if delay - usual > least { events[index].wanted = events[index].at - (delay - usual) }
    }
  }

  /// When a frame was wanted: at the compositor's call after the frame before it, if it followed at once, or the thread ran
  /// meanwhile; else something else than the call has caused it.
  private func vsync(
    of work: Range<Int64>, after before: Int64, _ running: [Range<Int64>], period: Int64
  ) -> Int64 {
    let begin = work.lowerBound
    let next = events.partitioningIndex { $0.at > begin }
    guard next > 0, events[next - 1].at > before else { return begin }
    let event = events[next - 1]
    guard begin - event.at > period / 2 else { return max(event.wanted, before) }
    let rest = (event.at..<begin).without(running)
    // The thread runs a little before the first sample of a task.
    let isShort = rest.allSatisfy { $0.count < SysprofProcess.longestGap }
    return isShort ? max(event.wanted, before) : begin
  }
}
