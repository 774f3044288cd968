public import FrameBudget

/// A run as it is watched: takes in what can be seen of it and gives everything the view shows.
///
/// Frame numbers follow the glossary as if the run ended now; a frame under way counts the vsyncs it has missed.
public struct RunModel: Sendable {
  public let label: String
  public let refresh: RefreshRate
  /// Who runs it; nil for a recorded one.
  public let engine: EngineKind?
  /// What the main thread is called; nil in a recorded run.
  let mainThread: String?
  /// By workload: how long a response may take.
  private let respondWithin: [TimeSpan?]
  /// The workload that somebody waits for; empty where these are several.
  let awaited: String
  private(set) var longestGap = 0
  /// Frames that kept the main thread for more than 250 ms.
  private(set) var hangs = 0

  public private(set) var frames: [FrameRecord] = []
  private(set) var now: Instant?
  private(set) var openFrame: FrameRecord?
  private(set) var isOver = false
  private var frameTimes = SortedSample()
  private var responseTimes = SortedSample()
  private var answeredLate = 0
  /// How long those have been open that have been open for too long.
  private var overdue: [TimeSpan] = []
  private var endedDrops = Array(repeating: 0, count: Cause.allCases.count)
  private var endedLockWait = TimeSpan.zero
  private var longestEndedLockWait = TimeSpan.zero
  /// Who waits for one another's locks by now.
  private(set) var deadlocks: [Deadlock] = []
  private(set) var delivered = 0
  private(set) var done = 0
  private(set) var lanes: [LaneHistory]
  private(set) var recent = RecentUse()
  private var lateVsyncs = 0
  private var laneUses: [LaneUse] = []
  /// What is written in numbers; renewed a few times a second, so that they can be read.
  private(set) var figures = Figures()
  private static let readable = TimeSpan.milliseconds(200)

  public init(
    label: String, refresh: RefreshRate, engine: EngineKind? = nil, lanes: [String] = [],
    mainThread: String? = nil, respondWithin: [TimeSpan?] = [], awaited: String = ""
  ) {
    self.awaited = awaited
    self.label = label
    self.mainThread = mainThread
    self.refresh = refresh
    self.respondWithin = respondWithin
    self.engine = engine
    self.lanes = lanes.map { LaneHistory(name: $0, refresh: refresh) }
  }

  public init(_ plan: RunPlan, on engine: EngineKind) {
    self.init(
      label: plan.strategy.label, refresh: plan.scenario.display.refresh, engine: engine,
      lanes: plan.arrangement.lanes.dropFirst().map(\.name),
      mainThread: plan.arrangement.lanes[.main].name,
      respondWithin: plan.scenario.workloads.map(\.respondWithin),
      awaited: Self.awaited(plan.scenario))
  }

  private static func awaited(_ scenario: Scenario) -> String {
    let names = scenario.workloads.filter { $0.respondWithin != nil }.map(\.name)
    return names.count == 1 ? names[0] : ""
  }

  /// Takes in what was seen since the last time.
  mutating func take(_ glance: RunGlance) {
    let before = now ?? .zero
    for frame in glance.frames { take(frame) }
    for response in glance.responses { take(response) }
    now = glance.now
    openFrame = glance.openFrame
    isOver = glance.isOver
    overdue = glance.responsesOverdue
    deadlocks = glance.deadlocks
    delivered = glance.itemsDelivered
    done = glance.itemsDone
    guard let now else { return }
    takeLanes(glance.lanes, from: before, to: now)
    recent.append(glance, at: now)
    if isOver || now - figures.at >= Self.readable || figures.at == .zero {
      figures = Figures(self, at: now)
    }
  }

  private mutating func take(_ frame: FrameRecord) {
    frames.append(frame)
    frameTimes.insert((frame.workEnd - refresh.vsync(frame.beginVsync)).nanoseconds)
    lateVsyncs += frame.lateVsyncs
    longestGap = max(longestGap, frame.lateVsyncs)
    if frame.workEnd - frame.begin > FrameThresholds.hang { hangs += 1 }
    if let cause = frame.cause { endedDrops[Int(cause.rawValue)] += frame.lateVsyncs }
    endedLockWait += frame.spans[.lockWait]
    longestEndedLockWait = max(longestEndedLockWait, frame.spans[.lockWait])
  }

  private mutating func take(_ response: Response) {
    responseTimes.insert(response.span.nanoseconds)
    if let allowed = respondWithin[response.workload], response.span > allowed {
      answeredLate += 1
    }
  }

  private mutating func takeLanes(_ uses: [LaneUse], from: Instant, to: Instant) {
    if laneUses.isEmpty { laneUses = Array(repeating: LaneUse(), count: uses.count) }
    for (index, lane) in lanes.indices.enumerated() where index + 1 < uses.count {
      lanes[lane].add(uses[index + 1] - laneUses[index + 1], from: from, to: to)
    }
    laneUses = uses
  }

  // MARK: Numbers as of now

  /// Vsyncs after time 0 that have passed.
  var expected: Int { now.map { max(0, refresh.vsyncs(through: $0)) } ?? 0 }

  /// Vsyncs at which no new frame was shown, those that the frame under way has missed included.
  var dropped: Int { lateVsyncs + missed }

  /// Vsyncs that the frame under way has missed.
  var missed: Int { openFrame?.lateVsyncs ?? 0 }

  /// Dropped vsyncs by cause; of a frame under way, by what has kept it most so far.
  var dropsByCause: [Int] {
    var drops = endedDrops
    if let cause = openFrame?.cause { drops[Int(cause.rawValue)] += missed }
    return drops
  }

  /// How long the main thread has waited for locks, by now.
  var lockWait: TimeSpan { endedLockWait + openLockWait }
  var longestLockWait: TimeSpan { max(longestEndedLockWait, openLockWait) }
  private var openLockWait: TimeSpan { openFrame?.spans[.lockWait] ?? .zero }

  /// Responses that took too long, and those that have been open for too long.
  var responsesLate: Int { answeredLate + overdue.count }

  /// `E - V(b)` of each frame; one that has missed a vsync counts as if it ended now.
  func frameTimes(at now: Instant) -> Percentiles {
    guard let openFrame, missed > 0 else { return frameTimes.percentiles }
    var sample = frameTimes
    sample.insert((now - refresh.vsync(openFrame.beginVsync)).nanoseconds)
    return sample.percentiles
  }

  /// Those that came, and those that have been open for too long.
  var responses: Waits { responseTimes.waits(open: overdue) }

  var pending: Int { max(0, delivered - done) }

  /// A recorded run tells of frames only.
  var knowsItems: Bool { engine != nil }

  var awaitsResponses: Bool { respondWithin.contains { $0 != nil } }

  /// Vsyncs of the last second, and those of them at which no new frame was shown.
  var lastSecond: (expected: Int, dropped: Int) {
    let window = min(expected, refresh.vsyncs(through: .zero + .seconds(1)))
    let first = expected - window + 1
    var dropped = min(missed, window)
    for frame in frames.reversed() {
      if frame.presentVsync <= first { break }
      let lost = max(first, frame.beginVsync + 1)..<frame.presentVsync
      dropped += lost.clamped(to: first..<(expected + 1)).count
    }
    return (window, dropped)
  }
}
