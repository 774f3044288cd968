internal import CLinux
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
    /// What is kept of each frame.
    public var detail = FrameLedger.Detail.frames

    public init() {}
  }

  private let options: Options
  private let carriers: CarrierFactory

  /// With lanes on what `carriers` has.
  public init(_ options: Options = Options(), carriers: CarrierSupply = CarrierSupply()) {
    self.init(options) { lane throws(CarrierError) in try carriers.start(lane) }
  }

  init(_ options: Options = Options(), carriers: @escaping CarrierFactory) {
    self.options = options
    self.carriers = carriers
  }

  /// Runs `plan` in real time and returns what was recorded; must be called on the process's main thread.
  public func run(
    _ plan: RunPlan, progress: RunProgress = RunProgress(), watch: RunWatch? = nil
  ) throws(RealEngineError) -> RunLog {
    progress.restart()
    try requireThreads(for: plan)
    try requireCores(for: plan)
    let settings = try MainThreadSettings(options)
    defer { settings.restore() }
    let files = try work(of: plan)
    let app = LiveApp(
      plan, files: files, tracing: options.detail == .trace ? TraceLog.room(for: plan) : 0)
    do {
      try app.lanes.start(carriers)
    } catch {
      throw .carrier(error)
    }
    let secondStage = try secondStage(of: app)
    settings.leaveLanesAlone()
    watch?.began(app, crowd: options.crowd(of: plan))
    let log = record(app, secondStage, progress, watch)
    if let problem = files?.problem { throw .files(problem) }
    return log
  }

  /// The thread of the second stage; nil where there is none. The lanes run by then, and end if it cannot.
  private func secondStage(of app: LiveApp) throws(RealEngineError) -> SecondStage? {
    guard app.plan.scenario.display.pipeline.hasSecondStage, let name = app.plan.threadNames.last
    else { return nil }
    let stage = SecondStage(
      clock: app.clock, doorbell: app.doorbell,
      tracing: options.detail == .trace ? TraceLog.room(for: app.plan) : 0)
    do {
      try stage.start(named: name)
    } catch {
      app.lanes.stop()
      throw .carrier(CarrierError("\(error)"))
    }
    return stage
  }

  private func requireThreads(for plan: RunPlan) throws(RealEngineError) {
    let behind = plan.scenario.display.pipeline.hasSecondStage ? 1 : 0
    do {
      try ThreadSupply.require(
        plan.arrangement.mostThreads(cores: HostFacts.usableCores) + behind)
    } catch {
      throw .threads(error)
    }
  }

  /// Asked for beforehand, because the system keeps to those of several cores that there are, and says nothing of the rest.
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
      crowd: options.crowd(of: app.plan), detail: options.detail)
    let warmupFrames = loop.warmUp(app.plan.scenario.warmup)
    let before = ProcessUsage.now
    let end = loop.run()
    watch?.ended(at: end)
    let used = ProcessUsage.now - before
    let hostLoad = others.flatMap { before in HostSample.now.map { HostLoad(from: before, to: $0) }
    }
    app.lanes.stop()
    let behind = secondStage?.stop()
    let (frames, items, ages, trace) = loop.finish(at: end)
    var totals = app.totals
    totals.stateAges = ages
    totals.hostLoad = hostLoad
    totals.mainCPU = used.mainCPU
    // Two clocks read one after the other may disagree by a few hundred nanoseconds.
    totals.backgroundCPU = max(.zero, used.processCPU - used.mainCPU)
    totals.contextSwitches = used.contextSwitches
    totals.threads.insert(.current("main", since: before.mainCPU), at: 0)
    totals.threads += [behind?.0].compactMap(\.self)
    let traces = [trace] + app.lanes.traces + [behind?.1].compactMap(\.self)
    return RunLog(
      app.plan, engine: .real, duration: end.sinceZero, warmupFrames: warmupFrames, frames: frames,
      items: items, totals: totals, interrupted: end < .zero + app.plan.scenario.duration,
      trace: options.detail == .trace ? TraceLog(app.plan, PerThread(traces)) : nil)
  }
}

extension RealEngine.Options {
  /// Nobody crowds out a main thread that goes before all others, or has a processor of its own.
  fileprivate func crowd(of plan: RunPlan) -> Crowd {
    isRealtime || pinsThreads
      ? .none
      : Crowd(threads: plan.threadNames.count - 1, processors: HostFacts.usableCores)
  }
}

/// What the process has used of the machine; read on the main thread.
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
