import FrameBudget
import FrameBudgetParsing

/// One of the project's own runs, whose metrics follow exactly from its frames, whichever file they come from.
struct OwnRun {
  /// What per-frame files and traces say of a frame.
  struct Frame {
    var begin: Int
    /// Nil in files of earlier versions: then it was asked for at its own vsync.
    var asked: Int?
    var shown: Int
    /// In nanoseconds since time 0: when its work began and ended.
    var woke: Int64
    var end: Int64
    /// Names of causes; empty if there is none.
    var cause = ""
    /// Nil in files of earlier versions.
    var pipeline: Pipeline?
    /// The turns of the queue that hang between the previous frame and this one, as in `hangs_between_ms`.
    var hangs = ""

    var askedVsync: Int { asked ?? begin }

    /// The way of a frame from the main thread to the screen.
    struct Pipeline {
      var due: Int
      var ready: Int64
      var dropped: Int
      var beginCause = ""
      var isStuffed = false
      var isOnDemand = false
    }
  }

  /// The number of its vsyncs.
  let expected: Int
  private let refresh: RefreshRate
  private let duration: TimeSpan
  private let deadline: Int
  private let isOnDemand: Bool
  private let knowsPipeline: Bool
  private var timeline: ScreenTimeline<Distribution>
  private var tally: FrameTally
  /// The previous frame: its vsync, the one that showed it, and when it was ready.
  private var newest: (begin: Int, shown: Int)
  private var ready: Instant?
  /// Whether it has causes that this version does not know.
  private var hasOtherCauses = false

  /// `length` is in nanoseconds, `first` is the run's first frame, and `requested` the rate of `--hz`.
  init(
    refresh: RefreshRate, length: Int64, first: Frame, requested: RefreshRate?
  ) throws(InputError) {
    guard InputTime.spans.contains(length) else {
      throw InputError("duration_ms is longer than a day, or negative")
    }
    let (due, overflows) = (first.pipeline?.due ?? 1).subtractingReportingOverflow(
      first.pipeline == nil ? 0 : first.begin)
    guard !overflows, FrameBudget.Pipeline.deadlines.contains(due) else {
      throw InputError("due_vsync does not fit to begin_vsync")
    }
    self.refresh = refresh
    tally = FrameTally(refresh: requested, clock: .vsyncs)
    duration = .nanoseconds(length)
    deadline = due
    knowsPipeline = first.pipeline != nil
    isOnDemand = first.pipeline?.isOnDemand ?? false
    expected = refresh.vsyncs(through: Instant(nanoseconds: length))
    timeline = ScreenTimeline(refresh: refresh, deadline: deadline, isOnDemand: isOnDemand)
    // The last frame of the warm-up is shown before the first one can be, or after the end of a very short run.
    newest = (-1, min(deadline - 1, expected + 1))
    tally.use(refresh)
  }

  /// Adds the next frame.
  mutating func add(_ frame: Frame) throws(InputError) {
    guard (0...expected).contains(frame.begin), (0...expected + 1).contains(frame.shown),
      frame.shown > frame.begin, InputTime.runInstants.contains(frame.woke),
      InputTime.runInstants.contains(frame.end)
    else { throw InputError("a frame's begin, end and vsyncs do not fit together") }
    let gap = try gap(before: frame)
    let vsync = refresh.vsync(frame.begin).nanoseconds
    guard frame.end >= vsync, frame.woke <= frame.end else {
      throw InputError("a frame ends before it begins")
    }
    tally.issues.row()
    try addWork(frame)
    try addStages(frame)
    let causes = GapCauses(
      begin: cause(frame.pipeline?.beginCause ?? ""), own: cause(frame.cause))
    timeline.count(
      missed: causes.own == nil ? 0 : 1, stuffed: frame.pipeline?.isStuffed ?? false ? 1 : 0,
      lateBegins: refresh.isOverBudget(.nanoseconds(frame.woke - vsync)) ? 1 : 0)
    newest = (frame.begin, frame.shown)
    timeline.show(begin: frame.begin, gap, causes)
  }

  /// Counts the work of a frame since the vsync that it was asked for, and the turns that hang before it.
  private mutating func addWork(_ frame: Frame) throws(InputError) {
    guard (0...frame.begin).contains(frame.askedVsync) else {
      throw InputError("asked_vsync does not fit to begin_vsync")
    }
    guard let hangs = HangList.hangs(frame.hangs, in: InputTime.spans) else {
      throw InputError("hangs_between_ms is not a list of times")
    }
    let work = frame.end - refresh.vsync(frame.askedVsync).nanoseconds
    tally.timed(work)
    timeline.worked(.nanoseconds(work), sinceBegin: .nanoseconds(frame.end - frame.woke))
    for hang in hangs { timeline.hung(hang) }
  }

  /// Counts the times of a frame on the main thread and in the second stage, if the file has them.
  private mutating func addStages(_ frame: Frame) throws(InputError) {
    guard let pipeline = frame.pipeline else { return }
    guard InputTime.runInstants.contains(pipeline.ready), pipeline.ready >= frame.end else {
      throw InputError("a frame is ready before its work ends")
    }
    let instants = FrameInstants(
      vsync: frame.askedVsync, due: frame.askedVsync + deadline,
      begin: Instant(nanoseconds: frame.woke), end: Instant(nanoseconds: frame.end),
      ready: Instant(nanoseconds: pipeline.ready), before: ready,
      isShown: frame.shown <= expected, refresh: refresh)
    ready = Instant(nanoseconds: pipeline.ready)
    timeline.staged(instants)
    tally.spans.add(instants)
  }

  /// The missed vsyncs before a frame, which must follow the previous one: every vsync between two new images was dropped for
  /// the second.
  private func gap(before frame: Frame) throws(InputError) -> DisplayGap {
    let dropped = frame.pipeline?.dropped ?? frame.shown - frame.begin - 1
    guard (0...frame.shown).contains(dropped) else {
      throw InputError("dropped_vsyncs does not fit to present_vsync")
    }
    let gap = DisplayGap(
      from: frame.shown - dropped, to: frame.shown, due: frame.begin + deadline)
    let isCutOff = frame.shown > expected && frame.shown == newest.shown && dropped == 0
    let isNext = isOnDemand ? gap.first > newest.shown : gap.first == newest.shown + 1
    guard frame.begin > newest.begin, isCutOff || isNext else {
      throw InputError(
        "the frame begins at vsync \(frame.begin), the one before was shown at \(newest.shown); "
          + "are there lines missing?")
    }
    return gap
  }

  private mutating func cause(_ name: String) -> Cause? {
    if name.isEmpty { return nil }
    let cause = Cause.allCases.first { $0.name == name }
    if cause == nil { hasOtherCauses = true }
    return cause
  }

  consuming func imported(_ key: StreamKey) -> ImportedFrames {
    timeline.end(at: expected)
    tally.take(timeline)
    var unknown: FrameKnowledge = hasOtherCauses ? .causes : []
    if !knowsPipeline { unknown.insert(.pipeline) }
    return ImportedFrames(
      key, tally, showsDisplay: true, countsVsyncs: true, duration: duration,
      presentTimes: timeline.presentTimes, unknown: unknown)
  }
}
