/// Everything that was recorded of a run, and what it was a run of.
///
/// One thing although it holds more than ten: what a run hands over when it ends.
public struct RunLog: Sendable {
  /// The scenario's name.
  public let scenario: String
  /// The recording that it was learned from; nil if it was written by hand.
  public let learned: Learned?
  /// Whose screen it was run on, as the scenario says; nil where it says none.
  public let platform: ScreenPlatform?
  /// What ran where.
  public let strategy: Strategy
  /// Who ran it.
  public let engine: EngineKind
  /// Of all random numbers.
  public let seed: UInt64
  /// `D`: the scenario's duration, or when the run was interrupted.
  public let duration: TimeSpan
  /// Frames before time 0, which count nowhere.
  public let warmupFrames: Int
  /// The frames since time 0.
  public let frames: FrameLog
  /// The items of each workload, in the scenario's order.
  public let items: [ItemLog]
  /// What was counted beside them.
  public let totals: RunTotals
  /// What each thread did; nil unless it was asked for.
  public internal(set) var trace: TraceLog?
  /// Whether it can be believed.
  public let status: Status
  /// What is wrong with it, if an invariant broke.
  public let violations: [String]

  /// How a run ended.
  public enum Status: String, Sendable {
    /// At its time.
    case complete
    /// Stopped by the user before its end.
    case interrupted
    /// With an invariant broken: its numbers say nothing.
    case invalid
  }

  /// Ends a run: `totals` is what the engine counted, `interrupted` whether it stopped before its time.
  public init(
    _ plan: RunPlan, engine: EngineKind, duration: TimeSpan, warmupFrames: Int, frames: FrameLog,
    items: [ItemLog], totals: RunTotals, interrupted: Bool, trace: TraceLog? = nil
  ) {
    scenario = plan.scenario.name
    learned = plan.scenario.learned
    platform = plan.scenario.display.platform
    strategy = plan.strategy
    self.engine = engine
    seed = plan.seed
    self.duration = duration
    self.warmupFrames = warmupFrames
    self.frames = frames
    self.items = items
    self.totals = totals
    self.trace = trace
    violations = Invariants.broken(
      by: frames, items, totals, promisesOrder: plan.promisesOrder)
    status = violations.isEmpty ? (interrupted ? .interrupted : .complete) : .invalid
  }
}

/// What an engine counts beside frames and items.
///
/// One thing although it holds more than ten: counts that nothing but the end of a run brings together.
public struct RunTotals: Sendable {
  /// Events posted to a lane for a step; results are not counted.
  public var hops = 0
  /// Copying state for snapshots, on whichever thread.
  public var publishing = TimeSpan.zero
  /// How old the state was that the UI read.
  public var stateAges = StateAges()
  /// Two threads inside one service at once.
  public var exclusionViolations = 0
  /// Of the steps that did real work: what that cost.
  public var stepMeasurements: [StepMeasurement] = []
  /// Who waited for one another's locks when the run ended. A result, not a fault of the run.
  public var deadlocks: [Deadlock] = []
  /// What lanes lost of the events posted to them, each as a sentence.
  public var losses: [String] = []
  /// What the system refused while the run went on, each as a sentence.
  public var refusals: [String] = []
  /// What else went on on the machine; nil in virtual time, and where the system does not say.
  public var hostLoad: HostLoad?
  /// Processor time of the main thread; nil where it is not known.
  public var mainCPU: TimeSpan?
  /// Processor time of all other threads of the app under test; nil where it is not known.
  public var backgroundCPU: TimeSpan?
  /// Of the whole process, voluntary and forced; nil where they are not known.
  public var contextSwitches: Int?
  /// The app's threads, main first; empty where they are not known.
  public var threads: [ThreadLog] = []

  /// Nothing counted yet.
  public init() {}
}

/// How old the state was that the UI read, by read; fresh reads are only counted.
public struct StateAges: Sendable {
  /// Reads that found the newest state.
  public private(set) var fresh = 0
  /// How old the state was at all other reads, in nanoseconds.
  public private(set) var stale = SpanList()

  /// No reads yet.
  public init() {}

  /// Counts a read of state that was so old.
  public mutating func append(_ age: TimeSpan) {
    if age > .zero { stale.append(age.nanoseconds) } else { fresh += 1 }
  }

  /// Reserves memory for that many reads of old state.
  public mutating func reserve(_ reads: Int) { stale.reserveCapacity(reads) }

  /// Hands the age at each read to `body`, fresh ones first.
  @Sendable func forEach(_ body: (Int64) -> Void) {
    for _ in 0..<fresh { body(0) }
    for age in stale { body(age) }
  }
}

/// What a thread was and used.
public struct ThreadLog: Hashable, Sendable {
  /// As the system knows it.
  public let name: String
  /// Unix niceness.
  public let nice: Int
  /// Processor time that it used.
  public let cpu: TimeSpan

  /// - Parameters:
  ///   - name: as the system knows it.
  ///   - nice: Unix niceness.
  ///   - cpu: processor time that it used.
  public init(name: String, nice: Int, cpu: TimeSpan) {
    self.name = name
    self.nice = nice
    self.cpu = cpu
  }
}

/// What others did on the machine during a run.
public struct HostLoad: Hashable, Sendable {
  /// Share of the processors' time that a hypervisor gave to others.
  public let stealPercent: Double
  /// Share of the processors' time that other processes used.
  public let othersPercent: Double

  /// - Parameters:
  ///   - stealPercent: of the processors' time, what a hypervisor gave to others.
  ///   - othersPercent: of the processors' time, what other processes used.
  public init(stealPercent: Double, othersPercent: Double) {
    self.stealPercent = stealPercent
    self.othersPercent = othersPercent
  }

  // Above these a quiet machine would have given other figures.
  /// From more steal than this on, in percent, a run is disturbed.
  public static let stealLimit = 1.0
  /// From more use by other processes than this on, in percent, a run is disturbed.
  public static let othersLimit = 5.0

  /// Whether a quiet machine would have given other figures.
  public var isDisturbing: Bool {
    stealPercent > Self.stealLimit || othersPercent > Self.othersLimit
  }

  static var limits: String {
    "other processes used more than \(Decimal.text(othersLimit, places: 0)) % of the processors or the hypervisor "
      + "stole more than \(Decimal.text(stealLimit, places: 0)) %"
  }
}
