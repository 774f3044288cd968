/// Everything that a run recorded, and the scenario, strategy and engine of the run.
public struct RunLog: Sendable {
  /// The scenario's name.
  public let scenario: String
  /// The recording that it was learned from; nil if it was written by hand.
  public let learned: Learned?
  /// The platform of the scenario's screen; nil if it names none.
  public let platform: ScreenPlatform?
  /// The strategy.
  public let strategy: Strategy
  /// The services with `keep: true` that it has elsewhere than the scenario's first strategy.
  package let movedKeptServices: [String]
  /// What its parts of drawing keep in memory, in words.
  package let partsInMemory: [String]
  /// The engine that ran it.
  public let engine: EngineKind
  /// The seed of all random numbers.
  public let seed: UInt64
  /// `D`: the scenario's duration, or when the run was interrupted.
  public let duration: TimeSpan
  /// The number of frames before time 0, which are in no other count.
  public let warmupFrames: Int
  /// The frames since time 0.
  public let frames: FrameLog
  /// The items of each workload, in the scenario's order.
  public let items: [ItemLog]
  /// The counts besides frames and items.
  public let totals: RunTotals
  /// The traces of the threads; nil unless a trace was requested.
  public internal(set) var trace: TraceLog?
  /// Whether the results are valid.
  public let status: Status
  /// The broken invariants, a sentence each; empty if none.
  public let violations: [String]

  /// How a run ended.
  public enum Status: String, Sendable {
    /// At the end of its duration.
    case complete
    /// Stopped by the user before its end.
    case interrupted
    /// With a broken invariant: its numbers are meaningless.
    case invalid
  }

  /// Creates the log of a run that has ended. `totals` is what the engine counted; `interrupted` is whether it stopped
  /// early.
  public init(
    _ plan: RunPlan, engine: EngineKind, duration: TimeSpan, warmupFrames: Int, frames: FrameLog,
    items: [ItemLog], totals: RunTotals, interrupted: Bool, trace: TraceLog? = nil
  ) {
    scenario = plan.scenario.name
    learned = plan.scenario.learned
    platform = plan.scenario.display.platform
    strategy = plan.strategy
    movedKeptServices = plan.movedKeptServices
    partsInMemory = plan.arrangement.partsInMemory(of: plan.scenario)
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

/// The counts of an engine besides frames and items.
public struct RunTotals: Sendable {
  /// The number of events posted to lanes for steps, without results.
  public var hops = 0
  /// The time spent copying state for snapshots, on all threads.
  public var publishing = TimeSpan.zero
  /// How late the work of spread parts of drawing was; nil if no part is spread.
  public var partLateness: PartLateness?
  /// The age of the state that the UI read.
  public var stateAges = StateAges()
  /// The number of times that two threads were inside one service at once.
  public var exclusionViolations = 0
  /// The measured costs of steps that did real work.
  public var stepMeasurements: [StepMeasurement] = []
  /// Threads that waited for one another's locks when the run ended. A result, not a fault of the run.
  public var deadlocks: [Deadlock] = []
  /// Events that lanes lost, a sentence each.
  public var losses: [String] = []
  /// Requests that the system refused during the run, a sentence each.
  public var refusals: [String] = []
  /// The other load on the machine; nil in virtual time, and if the system does not report it.
  public var hostLoad: HostLoad?
  /// Processor time of the main thread; nil if unknown.
  public var mainCPU: TimeSpan?
  /// Processor time of all other threads of the app under test; nil if unknown.
  public var backgroundCPU: TimeSpan?
  /// The context switches of the whole process, voluntary and forced; nil if unknown.
  public var contextSwitches: Int?
  /// The app's threads, main first; empty if unknown.
  public var threads: [ThreadLog] = []

  /// Creates totals of zero.
  public init() {}
}

/// The age of the state that the UI read, for each read; fresh reads are only counted.
public struct StateAges: Sendable {
  /// The number of reads that found the newest state.
  public private(set) var fresh = 0
  /// The age of the state at all other reads, in nanoseconds.
  public private(set) var stale = SpanList()

  /// No reads yet.
  public init() {}

  /// Counts a read of state of this age.
  public mutating func append(_ age: TimeSpan) {
    if age > .zero { stale.append(age.nanoseconds) } else { fresh += 1 }
  }

  /// Reserves memory for that many reads of old state.
  public mutating func reserve(_ reads: Int) { stale.reserveCapacity(reads) }

  /// Calls `body` with the age at each read in nanoseconds, fresh reads first.
  @Sendable func forEach(_ body: (Int64) -> Void) {
    for _ in 0..<fresh { body(0) }
    for age in stale { body(age) }
  }
}

/// A thread and its processor time.
public struct ThreadLog: Hashable, Sendable {
  /// The name in the system.
  public let name: String
  /// Unix niceness.
  public let nice: Int
  /// Processor time that it used.
  public let cpu: TimeSpan

  /// - Parameters:
  ///   - name: the name in the system.
  ///   - nice: Unix niceness.
  ///   - cpu: processor time that it used.
  public init(name: String, nice: Int, cpu: TimeSpan) {
    self.name = name
    self.nice = nice
    self.cpu = cpu
  }
}

/// The load on the machine that the app did not cause, during a run.
public struct HostLoad: Hashable, Sendable {
  /// The percentage of the processors' time that a hypervisor gave to other guests.
  public let stealPercent: Double
  /// The percentage of the processors' time that other processes used.
  public let othersPercent: Double

  /// - Parameters:
  ///   - stealPercent: the percentage of the processors' time that a hypervisor gave to other guests.
  ///   - othersPercent: the percentage of the processors' time that other processes used.
  public init(stealPercent: Double, othersPercent: Double) {
    self.stealPercent = stealPercent
    self.othersPercent = othersPercent
  }

  // Above these limits, figures of a quiet machine would differ.
  /// A run is disturbed above this percentage of steal time.
  public static let stealLimit = 1.0
  /// A run is disturbed above this percentage of use by other processes.
  public static let othersLimit = 5.0

  /// Whether figures of a quiet machine would differ.
  public var isDisturbing: Bool {
    stealPercent > Self.stealLimit || othersPercent > Self.othersLimit
  }

  static var limits: String {
    "other processes used more than \(Decimal.text(othersLimit, places: 0)) % of the processors or the hypervisor "
      + "stole more than \(Decimal.text(stealLimit, places: 0)) %"
  }
}

/// Processor times of the machine and of this process at one moment.
public struct HostSample: Hashable, Sendable {
  /// Ticks of all processors since boot.
  private let busy: Int64
  private let stolen: Int64
  private let total: Int64
  private let ownCPU: TimeSpan
  /// The mean number of runnable threads over the last minute.
  public let load: Double

  /// - Parameters:
  ///   - times: the text of `/proc/stat`; nil is returned if it has no processor times.
  ///   - load: the text of `/proc/loadavg`.
  ///   - ownCPU: the processor time of this process.
  public init?(times: String, load: String = "", ownCPU: TimeSpan) {
    // cpu user nice system idle iowait irq softirq steal guest guest_nice; guests are contained in user.
    guard let line = times.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int64($0) }
    guard ticks.count == 8 else { return nil }
    busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
    stolen = ticks[7]
    total = ticks.reduce(0, +)
    self.load = load.split(separator: " ").first.flatMap { Double($0) } ?? 0
    self.ownCPU = ownCPU
  }

  fileprivate func load(since before: HostSample, ticksPerSecond: Int) -> HostLoad {
    let ticks = Double(max(1, total - before.total))
    let own = (ownCPU - before.ownCPU).inSeconds * Double(ticksPerSecond)
    // The kernel's ticks are coarse: over a short time a process may seem to use more than the whole machine.
    return HostLoad(
      stealPercent: 100 * Double(max(0, stolen - before.stolen)) / ticks,
      othersPercent: 100 * max(0, Double(busy - before.busy) - own) / ticks)
  }
}

extension HostLoad {
  /// The load of other processes between two samples.
  public init(from before: HostSample, to after: HostSample, ticksPerSecond: Int) {
    self = after.load(since: before, ticksPerSecond: ticksPerSecond)
  }
}
