/// Everything that was recorded of a run, and what it was a run of.
public struct RunLog: Sendable {
  public let scenario: String
  public let strategy: Strategy
  public let engine: EngineKind
  public let seed: UInt64
  /// `D`: the scenario's duration, or when the run was interrupted.
  public let duration: TimeSpan
  public let warmupFrames: Int
  public let frames: FrameLog
  public let items: [ItemLog]
  public let totals: RunTotals
  /// What each thread did; nil unless it was asked for.
  public internal(set) var trace: TraceLog?
  public let status: Status
  /// What is wrong with it, if an invariant broke.
  public let violations: [String]

  public enum Status: String, Sendable { case complete, interrupted, invalid }

  /// Ends a run: `totals` is what the engine counted, `interrupted` whether it stopped before its time.
  public init(
    _ plan: RunPlan, engine: EngineKind, duration: TimeSpan, warmupFrames: Int, frames: FrameLog,
    items: [ItemLog], totals: RunTotals, interrupted: Bool, trace: TraceLog? = nil
  ) {
    scenario = plan.scenario.name
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
      by: frames, items, totals, promisesOrder: plan.arrangement.promisesOrder)
    status = violations.isEmpty ? (interrupted ? .interrupted : .complete) : .invalid
  }
}

/// What an engine counts beside frames and items.
public struct RunTotals: Sendable {
  /// Events posted to a lane for a step; results are not counted.
  public var hops = 0
  /// Copying state for snapshots, on whichever thread.
  public var publishing = TimeSpan.zero
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
  public var mainCPU: TimeSpan?
  public var backgroundCPU: TimeSpan?
  public var contextSwitches: Int?
  public var threads: [ThreadLog] = []

  public init() {}
}

/// How old the state was that the UI read, by read; fresh reads are only counted.
public struct StateAges: Sendable {
  public private(set) var fresh = 0
  public private(set) var stale = SpanList()

  public init() {}

  public mutating func append(_ age: TimeSpan) {
    if age > .zero { stale.append(age.nanoseconds) } else { fresh += 1 }
  }

  public mutating func reserve(_ reads: Int) { stale.reserveCapacity(reads) }

  /// Hands the age at each read to `body`, fresh ones first.
  @Sendable func forEach(_ body: (Int64) -> Void) {
    for _ in 0..<fresh { body(0) }
    for age in stale { body(age) }
  }
}

/// What a thread was and used.
public struct ThreadLog: Hashable, Sendable {
  public let name: String
  public let nice: Int
  public let cpu: TimeSpan

  public init(name: String, nice: Int, cpu: TimeSpan) {
    self.name = name
    self.nice = nice
    self.cpu = cpu
  }
}
