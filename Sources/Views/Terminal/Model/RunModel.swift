public import FrameBudget

/// A run as observed so far, with all that the view shows of it.
///
/// Frame numbers follow the glossary as if the run ended now; a frame under way counts the vsyncs it has missed.
public struct RunModel: Sendable {
  public let label: String
  public let refresh: RefreshRate
  /// The engine; nil for a recorded run.
  public let engine: EngineKind?
  /// The name of the main thread; nil for a recorded run.
  let mainThread: String?
  /// The platforms whose metrics are also shown.
  let metrics: [MetricSet]
  /// The name of the items or workload that the user waits for; empty if there are several.
  let awaited: String
  /// Nil for a recorded run.
  private(set) var arrangement: Arrangement?

  public private(set) var frames: [FrameRecord] = []
  private(set) var now: Instant?
  private(set) var openFrame: FrameRecord?
  private(set) var isOver = false
  /// The frames that have ended, except the newest, which may not be shown yet.
  private var timeline: ScreenTimeline<Tally>
  private var frameTimes = Tally()
  private var spans = FrameSpans<Tally>()
  /// When the newest of these frames was ready.
  private var ready: Instant?
  /// The number of vsyncs from a frame's own to the one that shows it.
  let deadline: Int
  /// The most frames in flight; nil if that is always the current frame, or unknown.
  let buffers: Int?
  /// The number of frames that have begun and are not ready.
  private var unready = 0
  /// Whether some vsyncs need no frame.
  let isOnDemand: Bool
  /// The vsync that showed the newest reported frame.
  private var shownVsync: Int
  private var answers: ResponseTally
  private var endedLockWait = TimeSpan.zero
  private var longestEndedLockWait = TimeSpan.zero
  private var endedHandOff = TimeSpan.zero
  /// The time spent copying state; nil for a recorded run, whose frames do not have it.
  private(set) var copying: TimeSpan?
  /// Deadlocks so far.
  private(set) var deadlocks: [Deadlock] = []
  private(set) var delivered = 0
  private(set) var done = 0
  private(set) var lanes: [LaneHistory]
  private(set) var waits: [WaitHistory]
  private(set) var recent = RecentUse()
  private var laneUses: PerLane<LaneUse> = []
  /// The figures on the screen, updated a few times a second so that they stay readable.
  var figures: Figures { cachedFigures ?? Figures(self, at: .zero) }
  private var cachedFigures: Figures?
  private static let refreshInterval = TimeSpan.milliseconds(200)

  public init(
    label: String, refresh: RefreshRate, deadline: Int = 1, buffers: Int? = nil,
    isOnDemand: Bool = false, engine: EngineKind? = nil,
    lanes: [String] = [], waits: [String] = [], mainThread: String? = nil,
    respondWithin: PerWorkload<TimeSpan?> = [],
    awaited: String = "", metrics: [MetricSet] = []
  ) {
    self.awaited = awaited
    self.metrics = metrics
    self.label = label
    self.mainThread = mainThread
    self.refresh = refresh
    self.deadline = deadline
    self.buffers = buffers
    self.isOnDemand = isOnDemand
    shownVsync = deadline - 1
    timeline = ScreenTimeline(refresh: refresh, deadline: deadline, isOnDemand: isOnDemand)
    answers = ResponseTally(within: respondWithin)
    self.engine = engine
    self.lanes = lanes.map { LaneHistory(name: $0, refresh: refresh) }
    self.waits = waits.map { WaitHistory(name: $0, refresh: refresh) }
  }

  /// Starts a run. `metrics` are the platforms whose metrics are shown; by default that of the scenario's screen.
  public init(_ plan: RunPlan, on engine: EngineKind, metrics: [MetricSet]? = nil) {
    self.init(
      label: plan.strategy.label, refresh: plan.scenario.display.refresh,
      deadline: plan.display.pipeline.deadline,
      buffers: plan.display.pipeline.isPlain ? nil : plan.display.pipeline.buffers,
      isOnDemand: plan.scenario.display.frames.isOnDemand, engine: engine,
      lanes: plan.arrangement.lanes.dropFirst().map(\.name), waits: plan.waits,
      mainThread: plan.arrangement.lanes[.main].name,
      respondWithin: plan.scenario.workloads.mapValues(\.respondWithin),
      awaited: Self.awaited(plan.scenario),
      metrics: metrics ?? [plan.scenario.display.platform?.metrics].compactMap(\.self))
    arrangement = plan.arrangement
  }

  private static func awaited(_ scenario: Scenario) -> String {
    let awaited = scenario.workloads.filter { $0.respondWithin != nil }
    let names = awaited.map { $0.item ?? $0.name }
    return names.count == 1 ? names[0] : ""
  }

  /// Adds the observations since the last call.
  mutating func take(_ observation: RunObservation) {
    let before = now ?? .zero
    now = observation.now
    for frame in observation.frames { take(frame) }
    answers.take(observation)
    openFrame = observation.openFrame
    unready = observation.framesUnready
    isOver = observation.isOver
    deadlocks = observation.deadlocks
    delivered = observation.itemsDelivered
    done = observation.itemsDone
    copying = knowsItems ? observation.publishing : nil
    guard let now else { return }
    takeLanes(observation.lanes, from: before, to: now)
    for (place, count) in zip(waits.indices, observation.suspended) {
      waits[place].add(count, from: before, to: now)
    }
    recent.append(observation, at: now)
    if isOver || figures.at == .zero || now - figures.at >= Self.refreshInterval {
      cachedFigures = Figures(self, at: now)
    }
  }

  private mutating func take(_ frame: FrameRecord) {
    if let newest = frames.last { count(newest) }
    frames.append(frame)
    endedLockWait += frame.spans[.lockWait]
    longestEndedLockWait = max(longestEndedLockWait, frame.spans[.lockWait])
    endedHandOff += frame.spans.handOff
    if frame.partsWaiting > .zero { incomplete += 1 }
  }

  private mutating func count(_ frame: FrameRecord) {
    // Unreported frames are not known to have dropped anything.
    let first = isOnDemand ? shownVsync + 1 : frame.droppedVsyncs.lowerBound
    for vsync in stride(from: shownVsync + 1, to: first, by: 1) {
      timeline.show(
        begin: vsync - deadline, DisplayGap(from: vsync, to: vsync, due: vsync))
    }
    shownVsync = frame.presentVsync
    let asked = refresh.vsync(frame.askedVsync)
    let work = frame.workEnd - asked
    frameTimes.add(work.nanoseconds)
    let stages = FrameInstants(
      frame, after: ready, lastVsync: expected, end: now ?? .zero, refresh: refresh)
    ready = frame.ready
    spans.add(stages)
    timeline.staged(stages)
    timeline.worked(work, sinceBegin: frame.workEnd - frame.begin)
    for hang in frame.hangsBetween { timeline.hung(hang) }
    timeline.count(
      missed: frame.cause == nil ? 0 : 1, stuffed: frame.isStuffed ? 1 : 0,
      lateBegins: refresh.isOverBudget(frame.begin - refresh.vsync(frame.beginVsync)) ? 1 : 0)
    timeline.show(begin: frame.beginVsync, frame.gap, frame.gapCauses)
  }

  private mutating func takeLanes(_ uses: PerLane<LaneUse>, from: Instant, to: Instant) {
    if laneUses.isEmpty { laneUses = uses.mapValues { _ in LaneUse() } }
    for (place, lane) in zip(lanes.indices, uses.indices.dropFirst()) {
      lanes[place].add(uses[lane] - laneUses[lane], from: from, to: to)
    }
    laneUses = uses
  }

  // MARK: By vsync

  /// The outcome of `vsync` so far, as a column of `run`.
  func column(at vsync: Int, run: Int) -> VsyncColumn {
    guard let frame = frame(at: vsync) else {
      return VsyncColumn(blankAt: vsync, run: run, refresh)
    }
    return VsyncColumn(
      of: frame, at: vsync, run: run, refresh,
      isUnderWay: frame.beginVsync == openFrame?.beginVsync)
  }

  /// The frame that `vsync` belongs to; nil in the future, or if none was reported.
  func frame(at vsync: Int) -> FrameRecord? {
    if missed > 0, let openFrame, openFrame.columns.lowerBound <= vsync {
      return openFrame.columns.contains(vsync) ? openFrame : nil
    }
    let next = frames.partitioningIndex { $0.columns.upperBound >= vsync }
    guard next < frames.endIndex, frames[next].columns.contains(vsync) else { return nil }
    return frames[next]
  }

  /// All responses that have ended or are overdue.
  var taps: [ObservedResponse] { now.map(answers.taps) ?? [] }

  // MARK: Numbers as of now

  /// Vsyncs after time 0 that have passed.
  var expected: Int { now.map { max(0, refresh.vsyncs(through: $0)) } ?? 0 }

  /// Vsyncs that the current frame has missed.
  var missed: Int { openFrame?.dropped ?? 0 }

  /// The number of frames in flight; nil if not meaningful.
  var inFlight: Int? {
    guard let buffers, let now else { return nil }
    return unready + frames.suffix(buffers).count { refresh.vsync($0.presentVsync) > now }
  }

  /// The cause and the duration of a hang under way, or of one that lasts at the end.
  var hang: (cause: Cause?, span: TimeSpan)? {
    guard missed > 0, let now, let openFrame else { return nil }
    let span = now - openFrame.begin
    return span > FrameThresholds.hang ? (openFrame.cause, span) : nil
  }

  /// The metrics of the frames, as if the run ended now. The current frame counts by its main cause so far.
  var metricsSoFar: FrameMetrics {
    var run = self
    for frame in [frames.last, openFrame].compactMap(\.self) where frame.beginVsync < expected {
      run.count(frame)
    }
    run.timeline.end(at: expected)
    run.spans.animationErrors = run.timeline.animationErrors
    return FrameMetrics(
      run.timeline.statistics, over: (now ?? .zero).sinceZero,
      frameTimes: Percentiles(run.frameTimes), presentTimes: Percentiles(run.timeline.presentTimes),
      times: FrameTimes(run.spans))
  }

  /// Frames so far that left work of parts of drawing to later ones.
  private(set) var incomplete = 0

  /// How long the main thread has waited for locks so far.
  var lockWait: TimeSpan { endedLockWait + openLockWait }
  var longestLockWait: TimeSpan { max(longestEndedLockWait, openLockWait) }
  private var openLockWait: TimeSpan { openFrame?.spans[.lockWait] ?? .zero }

  /// How long the main thread has handed items over and received their results so far.
  var handOff: TimeSpan { endedHandOff + (openFrame?.spans.handOff ?? .zero) }

  /// Late responses, including those that are still open.
  var responsesLate: Int { answers.late }

  /// Responses that have ended, and those that are overdue.
  var responses: Waits { answers.waits }

  var pending: Int { max(0, delivered - done) }

  /// A recorded run has only frames.
  var knowsItems: Bool { engine != nil }

  var awaitsResponses: Bool { answers.areAwaited }
}

/// Counts of the last second, for rates.
struct RecentUse: Sendable {
  private struct Sample {
    let at: Instant
    let done: Int
    let main: TimeSpan?
    let background: TimeSpan?
  }

  private var samples: [Sample] = []

  mutating func append(_ observation: RunObservation, at now: Instant) {
    samples.append(
      Sample(
        at: now, done: observation.itemsDone, main: observation.mainCPU,
        background: observation.backgroundCPU))
    // Keeps the newest one that is at least a second old, as the start of the second.
    while samples.count > 2, now - samples[1].at >= .seconds(1) { samples.removeFirst() }
  }

  /// Items done per second.
  var donePerSecond: Double? {
    over { Double($1.done - $0.done) }
  }

  /// Processor time of the main thread, in percent of one processor.
  var mainPercent: Double? { over { percent($0.main, $1.main) } }

  /// The same of all other threads together; may exceed 100.
  var backgroundPercent: Double? { over { percent($0.background, $1.background) } }

  private func percent(_ from: TimeSpan?, _ to: TimeSpan?) -> Double? {
    guard let from, let to else { return nil }
    return 100 * (to - from).inSeconds
  }

  private func over(_ difference: (Sample, Sample) -> Double?) -> Double? {
    guard let first = samples.first, let last = samples.last, last.at > first.at else { return nil }
    return difference(first, last).map { $0 / (last.at - first.at).inSeconds }
  }
}

/// The responses of a run as observed so far.
struct ResponseTally: Sendable {
  /// The allowed time, by workload.
  private let allowed: PerWorkload<TimeSpan?>
  private var times = Tally()
  private var answeredLate = 0
  /// Answered ones, as far as the view can look back.
  private var answered: [ObservedResponse] = []
  private static let kept = 4096
  /// The waits of overdue responses.
  private var overdue: [TimeSpan] = []

  init(within allowed: PerWorkload<TimeSpan?>) { self.allowed = allowed }

  /// Adds the observations since the last call.
  mutating func take(_ observation: RunObservation) {
    for response in observation.responses { take(response) }
    overdue = observation.responsesOverdue
  }

  private mutating func take(_ response: Response) {
    times.add(response.span.nanoseconds)
    guard let allowed = allowed[response.workload] else { return }
    let isLate = response.span > allowed
    if isLate { answeredLate += 1 }
    answered.append(
      ObservedResponse(
        at: response.arrival, answer: response.arrival + response.span, isLate: isLate))
    if answered.count > 2 * Self.kept { answered.removeFirst(Self.kept) }
  }

  /// All responses that have ended, or are overdue by `now`.
  func taps(at now: Instant) -> [ObservedResponse] {
    answered + overdue.map { ObservedResponse(at: now - $0, answer: nil, isLate: true) }
  }

  /// Whether the user waits for any.
  var areAwaited: Bool { allowed.contains { $0 != nil } }

  /// Late responses, including those that are still open.
  var late: Int { answeredLate + overdue.count }

  /// Responses that have ended, and those that are overdue.
  var waits: Waits { Waits(ended: times, open: overdue) }
}

/// A user who waits for the frame that shows a result.
struct ObservedResponse: Hashable, Sendable {
  let at: Instant
  /// Nil while the user waits.
  let answer: Instant?
  let isLate: Bool
}

/// The current state of a run, from which a verdict is made.
public struct RunStatus: Sendable {
  /// The engine; nil for a recorded run.
  public let engine: EngineKind?
  public let label: String
  /// Nil for a recorded run.
  public let arrangement: Arrangement?
  /// Vsyncs that have passed.
  public let expected: Int
  /// Vsyncs without a new frame, by cause.
  public let drops: [Int]
  /// The most vsyncs in a row without a new frame, and how long that is in milliseconds.
  public let longestGap: Int
  public let longestGapMilliseconds: Double
  /// Frames that kept the main thread for more than 250 ms, including the current one.
  public let hangs: Int
  /// The name of the items or workload that the user waits for; nil if there is none.
  public let awaited: String?
  /// Responses that have ended or are overdue, and the late ones among them.
  public let responses: Int
  public let responsesLate: Int
  /// The slowest response in milliseconds.
  public let slowest: Observation?
  /// Items that were delivered and are not done; nil for a recorded run.
  public let waiting: Int?
  /// How long the main thread was blocked on locks, and how long it handed items over and took their results.
  public let lockWait: TimeSpan
  public let handOff: TimeSpan
  /// Frames that left work of parts of drawing to later ones.
  public let incomplete: Int
  /// Copying state for snapshots, on any thread; nil for a recorded run, whose frames do not have it.
  public let copying: TimeSpan?
  /// The cause and the duration of a hang under way: the main thread has been busy for more than 250 ms.
  public let hang: (cause: Cause?, span: TimeSpan)?
  public let isOver: Bool

  init(_ run: RunModel, at now: Instant) {
    let shown = run.figures.frames
    (engine, label, expected, drops) = (run.engine, run.label, shown.expected, shown.drops)
    arrangement = run.arrangement
    (longestGap, hangs) = (shown.longestGap, shown.hangs)
    longestGapMilliseconds = run.refresh.milliseconds(ofPeriods: longestGap)
    hang = run.hang
    awaited = run.awaitsResponses ? run.awaited : nil
    let waits = run.responses
    responses = waits.endedCount + waits.openCount
    responsesLate = run.responsesLate
    slowest = waits.quantile(1).map { Observation($0.value / 1e6, isBound: $0.isBound) }
    // The number in the panel beside it.
    waiting = run.figures.pending
    (lockWait, handOff, copying) = (run.lockWait, run.handOff, run.copying)
    incomplete = run.incomplete
    isOver = run.isOver
  }
}

/// The current state of a run, in words.
public struct StatusWords: Hashable, Sendable {
  /// The most important first; the view shows as many as fit.
  public let pieces: [String]
  /// Whether the app dropped frames or answered late.
  public let isProblem: Bool
  /// What is shown in a row of its own.
  public let details: [String]

  public init(pieces: [String], isProblem: Bool, details: [String] = []) {
    self.pieces = pieces
    self.isProblem = isProblem
    self.details = details
  }
}
