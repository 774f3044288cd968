internal import CFrameBudgetLinux
public import FrameBudget

/// Runs scenarios on this machine's threads, locks and clock, with the frame loop on the calling thread.
///
/// ```swift
/// let log = try RealEngine().run(RunPlan(scenario, under: strategy), progress: RunProgress())
/// print(RunMetrics(log)["dropped_frames"] ?? 0)
/// ```
public struct RealEngine: Sendable {
  public struct Options: Sendable {
    /// Runs the frame loop at a real-time priority; otherwise it competes like an app's main thread.
    public var isRealtime = false
    /// Keeps the frame loop on one processor and all other threads on the others.
    public var pinsThreads = false
    /// Delays a run that uses Dispatch's pools until the threads that earlier work left there have ended, for up to
    /// ``ThreadSupply/poolIdle`` after that work. A new app does not have these threads.
    public var awaitsEmptyPools = false
    /// The records of each frame.
    public var detail = FrameLedger.Detail.frames

    public init() {}
  }

  private let options: Options
  private let carriers: CarrierFactory

  /// Creates an engine whose lanes use `carriers`.
  public init(_ options: Options = Options(), carriers: CarrierSupply = CarrierSupply()) {
    self.init(options) { lane throws(CarrierError) in try carriers.start(lane) }
  }

  init(_ options: Options = Options(), carriers: @escaping CarrierFactory) {
    self.options = options
    self.carriers = carriers
  }

  /// Runs `plan` in real time and returns the log. Must be called on the process's main thread.
  public func run(
    _ plan: RunPlan, progress: RunProgress = RunProgress(), watch: RunWatch? = nil
  ) throws(RealEngineError) -> RunLog {
    progress.restart()
    if options.awaitsEmptyPools && plan.arrangement.usesPools { ThreadSupply.awaitEmptyPools() }
    try requireThreads(for: plan)
    try requireCores(for: plan)
    let settings = try MainThreadSettings(options)
    defer { settings.restore() }
    let files = try work(of: plan)
    let app = LiveApp(plan, files: files, tracing: options.detail.traceRoom(for: plan))
    do {
      try app.lanes.start(carriers)
    } catch {
      throw .carrier(error)
    }
    let secondStage = try secondStage(of: app)
    try startSuspended(of: app, secondStage)
    settings.avoidLaneProcessors()
    watch?.began(app, contention: options.contention(of: plan))
    let log = record(app, secondStage, progress, watch)
    if let problem = files?.problem { throw .files(problem) }
    return log
  }

  /// Starts the second stage; nil if there is none. If it fails, stops the lanes.
  private func secondStage(of app: LiveApp) throws(RealEngineError) -> SecondStage? {
    let pipeline = app.plan.scenario.display.pipeline
    guard pipeline.hasSecondStage, let name = app.plan.threadNames.last else { return nil }
    let stage = SecondStage(
      usesGPU: pipeline.usesGPU, clock: app.clock, doorbell: app.doorbell,
      tracing: options.detail.traceRoom(for: app.plan))
    do {
      try stage.start(named: name)
    } catch {
      app.lanes.stop()
      throw .carrier(CarrierError("\(error)"))
    }
    return stage
  }

  /// Starts the thread for suspended items. If it fails, stops the others.
  private func startSuspended(
    of app: LiveApp, _ secondStage: SecondStage?
  ) throws(RealEngineError) {
    do {
      try app.suspended?.start { [app] item in
        var trace = ThreadTrace.off
        app.post(item, to: app.plan.workloads[item.workload].steps[item.step].lane, &trace)
      }
    } catch {
      app.lanes.stop()
      _ = secondStage?.stop()
      throw .carrier(CarrierError("\(error)"))
    }
  }

  private func requireThreads(for plan: RunPlan) throws(RealEngineError) {
    let behind = (plan.scenario.display.pipeline.hasSecondStage ? 1 : 0) + (plan.suspends ? 1 : 0)
    do {
      try ThreadSupply.require(
        plan.arrangement.maxThreads(cores: HostFacts.usableCores) + behind)
    } catch {
      throw .threads(error)
    }
  }

  /// Checked before the run, because the system silently ignores cores that do not exist.
  private func requireCores(for plan: RunPlan) throws(RealEngineError) {
    let usable = HostFacts.nameableCores
    for lane in plan.arrangement.lanes {
      guard let missing = lane.cores?.cores.first(where: { !usable.contains($0) }) else { continue }
      throw .carrier(
        CarrierError(
          "lane '\(lane.name)' is to run on core \(missing), which this process may not use; "
            + "it may use \(usable.map(String.init).joined(separator: ", "))"))
    }
  }

  private func work(of plan: RunPlan) throws(RealEngineError) -> FileWork? {
    do {
      return try FileWork(plan)
    } catch {
      throw .files(error)
    }
  }

  private func record(
    _ app: LiveApp, _ secondStage: SecondStage?, _ progress: RunProgress, _ watch: RunWatch?
  ) -> RunLog {
    let others = HostSample.now
    var loop = FrameLoop(
      app, secondStage: secondStage, progress: progress, watch: watch,
      contention: options.contention(of: app.plan), detail: options.detail)
    let warmupFrames = loop.warmUp(app.plan.scenario.warmup)
    let before = ProcessUsage.now
    let end = loop.run()
    let used = ProcessUsage.now - before
    let hostLoad = others.flatMap { HostLoad(since: $0) }
    app.stopSuspended()
    app.lanes.stop()
    let behind = secondStage?.stop()
    let (frames, items, ages, lateness, trace) = loop.finish(at: end)
    watch?.ended(at: end, itemsDone: items.reduce(0) { $0 + $1.doneCount + $1.replacedCount })
    var totals = app.totals
    totals.stateAges = ages
    totals.partLateness = lateness
    totals.hostLoad = hostLoad
    totals.mainCPU = used.mainCPU
    // The clocks are read one after the other and may disagree by some hundred nanoseconds.
    totals.backgroundCPU = max(.zero, used.processCPU - used.mainCPU)
    totals.contextSwitches = used.contextSwitches
    totals.threads.insert(.current("main", since: before.mainCPU), at: 0)
    totals.threads += [behind?.0].compactMap(\.self)
    let traces = [trace] + app.lanes.traces + [behind?.1].compactMap(\.self)
    return RunLog(
      app.plan, engine: .real, duration: end.sinceZero, warmupFrames: warmupFrames, frames: frames,
      items: items, totals: totals, interrupted: end < .zero + app.plan.scenario.duration,
      trace: options.detail == .trace
        ? TraceLog(app.plan, PerThread(traces), suspended: app.suspended?.trace ?? .off) : nil)
  }
}

extension RealEngine.Options {
  /// No thread competes with a main thread of real-time priority, or with its own processor.
  fileprivate func contention(of plan: RunPlan) -> ProcessorContention {
    let behind = plan.scenario.display.pipeline.hasStageThread ? 1 : 0
    return isRealtime || pinsThreads
      ? .none
      : ProcessorContention(
        threads: plan.arrangement.threads.count - 1 + behind, processors: HostFacts.usableCores)
  }
}

/// Resource use of the process; read on the main thread.
private struct ProcessUsage {
  var mainCPU: TimeSpan
  var processCPU: TimeSpan
  var contextSwitches: Int

  static var now: ProcessUsage {
    ProcessUsage(
      mainCPU: .usedByThisThread, processCPU: TimeSpan(nanoseconds: clinux_process_cpu()),
      contextSwitches: Int(clinux_context_switches()))
  }

  static func - (later: Self, earlier: Self) -> Self {
    ProcessUsage(
      mainCPU: later.mainCPU - earlier.mainCPU, processCPU: later.processCPU - earlier.processCPU,
      contextSwitches: later.contextSwitches - earlier.contextSwitches)
  }
}

/// Why the real engine could not run.
public enum RealEngineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The process lacks a privilege.
  case notPermitted(what: String, remedy: String)
  /// The files of steps cannot be read.
  case files(FileProblem)
  /// The lanes need more threads than the system allows.
  case threads(ThreadShortage)
  /// A lane could not be started.
  case carrier(CarrierError)

  public var description: String {
    switch self {
    case .notPermitted(let what, let remedy): "\(what) is not permitted; \(remedy)"
    case .files(let problem): "\(problem)"
    case .threads(let shortage): "\(shortage)"
    case .carrier(let error): "\(error)"
    }
  }
}

/// Why a carrier could not serve its lane.
public struct CarrierError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }

  /// Returns the result of `body`, and converts its error.
  static func wrapping<Value>(_ body: () throws -> Value) throws(CarrierError) -> Value {
    do {
      return try body()
    } catch {
      throw CarrierError("\(error)")
    }
  }
}

/// The main thread's scheduling during a run; restored afterwards.
struct MainThreadSettings {
  private let isRealtime: Bool
  private let slackBefore: Int64
  /// The processors that this process may use, if threads are pinned.
  private let processors: UInt64?

  /// Sets the affinity that new threads inherit, and the main thread's priority, which they do not.
  init(_ options: RealEngine.Options) throws(RealEngineError) {
    let all = clinux_get_affinity()
    if options.pinsThreads {
      guard all.nonzeroBitCount > 1, clinux_set_affinity(all & ~all.lowestBit) == 0 else {
        throw .notPermitted(
          what: "pinning threads", remedy: "it needs two processors that this process may use")
      }
    }
    if options.isRealtime, clinux_set_realtime(Self.realtimePriority) != 0 {
      if options.pinsThreads { _ = clinux_set_affinity(all) }
      throw .notPermitted(
        what: "a real-time priority",
        remedy: "run as root, grant CAP_SYS_NICE, raise the rtprio limit, or leave --realtime out")
    }
    isRealtime = options.isRealtime
    processors = options.pinsThreads ? all : nil
    // The kernel may delay a thread's timers by its slack, 50 us by default; a vsync has none.
    slackBefore = clinux_set_timer_slack(1)
  }

  /// Moves the main thread away from the processors of the lanes, which were started by now.
  func avoidLaneProcessors() {
    if let processors { _ = clinux_set_affinity(processors.lowestBit) }
  }

  func restore() {
    if isRealtime { _ = clinux_set_realtime(0) }
    if let processors { _ = clinux_set_affinity(processors) }
    _ = clinux_set_timer_slack(slackBefore)
  }

  /// As `cyclictest -p 80`: above ordinary real-time work, below the kernel's own.
  private static let realtimePriority: Int32 = 80
}

extension UInt64 {
  fileprivate var lowestBit: UInt64 { self & (~self &+ 1) }
}
