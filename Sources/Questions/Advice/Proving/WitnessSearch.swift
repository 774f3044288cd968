public import FrameBudget
internal import FrameBudgetSimulation

/// The result of a run with certain phases.
public struct PhaseRun: Hashable, Sendable {
  public let phases: Phases
  /// Vsyncs without a new frame.
  public let dropped: Int
  /// The longest time of a frame on the main thread, in nanoseconds.
  public let longestFrame: Int64
  /// The items that are left undone; nil unless the phases are those of the scenario.
  public let left: Int?

  /// Whether this run is worse than `other`.
  func isWorse(than other: PhaseRun) -> Bool {
    (dropped, longestFrame) > (other.dropped, other.longestFrame)
  }
}

/// Searches for phases under which too many frames are dropped: first the stated phases, then those at which all workloads
/// arrive together, then neighbours of the worst so far.
///
/// The phases and their order do not depend on the number of concurrent runs.
struct WitnessSearch {
  let plan: RunPlan
  let engine: VirtualEngine
  /// The number of frames that a run may drop.
  let limit: Int
  private(set) var worst: PhaseRun?
  /// The items that are left undone with the stated phases; nil if these were not run.
  private(set) var leftAsStated: Int?
  private(set) var runs = 0
  /// Whether it was interrupted.
  private(set) var isCut = false
  private let names: [String]

  /// The most phases whose neighbours are tried.
  private static let maxRounds = 12
  /// The distances of neighbours: a period, or the time between arrivals, divided by these.
  private static let fractions: [Int64] = [1, 2, 4, 16]
  private static let randomMoves = 4

  init(_ plan: RunPlan, on engine: VirtualEngine, limit: Int) {
    self.plan = plan
    self.engine = engine
    self.limit = limit
    names = plan.scenario.workloads.filter { $0.arrival.first != nil }
      .map(\.fileName).distinct()
  }

  /// Ends at the first run that drops too many frames; with `isBrief`, makes only the first runs.
  mutating func search(isBrief: Bool, _ maker: Prover.RunMaker) {
    make([.stated] + critical, maker)
    var stream = RandomStream(seed: 0, name: "witnesses")
    for _ in 0..<Self.maxRounds where !isBrief {
      guard let best = worst, best.dropped <= limit, !isCut, !names.isEmpty else { return }
      make(neighbours(of: best.phases, &stream), maker)
      if worst == best { return }
    }
  }

  private mutating func make(_ phases: [Phases], _ maker: Prover.RunMaker) {
    let all = phases.distinct()
    let made = maker(all.count) { [plan, engine, all] index in
      Self.run(plan, all[index], on: engine)
    }
    runs += made.count
    isCut = isCut || made.count < all.count
    leftAsStated = leftAsStated ?? made.lazy.compactMap(\.left).first
    for run in made where worst.map(run.isWorse) ?? true { worst = run }
  }

  static func run(_ plan: RunPlan, _ phases: Phases, on engine: VirtualEngine) -> PhaseRun {
    let scenario = phases.applied(to: plan.scenario)
    let log = engine.run(RunPlan(scenario, under: plan.strategy, seed: plan.seed))
    return PhaseRun(
      phases: phases, dropped: log.frames.dropped, longestFrame: log.frames.works.max() ?? 0,
      left: phases == .stated ? ItemMetrics(log).left : nil)
  }

  // MARK: Critical instants

  /// All workloads arrive at one vsync: for the first time, or after as many earlier arrivals as possible.
  private var critical: [Phases] {
    // In a loop of events, events that begin just before a vsync delay its frame.
    let isOfEvents = plan.scenario.display.mainLoop != .frame
    let instants = vsyncs.flatMap { vsync -> [Instant] in
      isOfEvents ? [vsync - .nanoseconds(1), vsync] : [vsync]
    }
    var phases = instants.flatMap { vsync -> [Phases] in
      [false, true].map { isFirst in
        var phases = Phases()
        for name in names { phases.starts[name] = start(of: name, at: vsync, isFirst: isFirst) }
        return phases
      }
    }
    phases.insert(.stated, at: 0)
    guard !CostSite.drawn(in: plan.scenario).isEmpty else { return phases }
    return phases.flatMap { phases in
      var largest = phases
      largest.hasLargestCosts = true
      return [phases, largest]
    }
  }

  /// The vsyncs after a half and a quarter of the run, and for each list of arrivals the one where they are densest.
  private var vsyncs: [Instant] {
    let refresh = plan.scenario.display.refresh
    let last = refresh.vsyncs(through: .zero + plan.scenario.duration)
    let listed = plan.scenario.workloads.compactMap { workload -> Int? in
      densest(workload.arrival).map { refresh.firstVsync(atOrAfter: .zero + $0) }
    }
    let vsyncs = ([last / 2, last / 4] + listed).filter { $0 > 0 && $0 < last }
    return vsyncs.distinct().map(refresh.vsync)
  }

  /// The last of the listed arrivals where they are densest; nil if they are not listed.
  private func densest(_ arrival: Arrival) -> TimeSpan? {
    switch arrival {
    case .at(let instants), .recorded(let instants):
      Self.densest(instants, within: plan.scenario.display.refresh.period)
    case .once, .batch, .rate: nil
    }
  }

  private static func densest(_ instants: [TimeSpan], within length: TimeSpan) -> TimeSpan? {
    let instants = instants.sorted()
    var (first, most, densest) = (0, 0, instants.first)
    for last in instants.indices {
      while instants[last] - instants[first] >= length { first += 1 }
      if last - first + 1 > most { (most, densest) = (last - first + 1, instants[last]) }
    }
    return densest
  }

  private func start(of name: String, at vsync: Instant, isFirst: Bool) -> TimeSpan {
    let at = vsync.sinceZero
    guard let every = every(of: name) else {
      // A list moves as a whole, so that it is densest there.
      return isFirst ? at : max(.zero, at - lead(of: name))
    }
    // The arrivals of a period all come up to the vsync.
    let period = plan.scenario.display.refresh.period
    let within = (period.nanoseconds - 1) / every.nanoseconds
    let all = at.nanoseconds / every.nanoseconds
    let before = isFirst ? min(within, all) : all
    return at - TimeSpan(nanoseconds: every.nanoseconds * before)
  }

  /// From the first of listed arrivals to where they are densest.
  private func lead(of name: String) -> TimeSpan {
    let leads = plan.scenario.workloads.filter { $0.fileName == name }.compactMap { workload in
      densest(workload.arrival).map { $0 - stated(name) }
    }
    return leads.max() ?? .zero
  }

  private func every(of name: String) -> TimeSpan? {
    for workload in plan.scenario.workloads where workload.fileName == name {
      if case .batch(_, let every, _) = workload.arrival { return every }
    }
    return nil
  }

  // MARK: Neighbours

  private func neighbours(of phases: Phases, _ stream: inout RandomStream) -> [Phases] {
    let duration = plan.scenario.duration
    let period = plan.scenario.display.refresh.period
    var neighbours: [Phases] = []
    for name in names {
      let start = phases.starts[name] ?? stated(name)
      let lengths = [period, every(of: name)].compactMap(\.self)
      var moved = lengths.flatMap { length in
        Self.fractions.flatMap { fraction in
          let step = TimeSpan(nanoseconds: length.nanoseconds / fraction)
          return [start + step, start - step]
        }
      }
      for _ in 0..<Self.randomMoves {
        moved.append(TimeSpan(nanoseconds: Int64(stream.unit() * Double(duration.nanoseconds))))
      }
      for start in moved where start >= .zero && start < duration {
        var neighbour = phases
        neighbour.starts[name] = start
        neighbours.append(neighbour)
      }
    }
    return neighbours
  }

  private func stated(_ name: String) -> TimeSpan { plan.scenario.first(of: name) ?? .zero }
}

extension Scenario {
  /// The first arrival of a workload by its name in the file; copies have parts of one list.
  fileprivate func first(of name: String) -> TimeSpan? {
    workloads.filter { $0.fileName == name }.compactMap(\.arrival.first).min()
  }
}

/// The first arrivals of workloads, and the costs, in one run.
public struct Phases: Hashable, Sendable {
  /// The first arrival by the workload's name in its file: a list of instants moves as a whole. Other workloads arrive as in the
  /// scenario.
  public var starts: [String: TimeSpan] = [:]
  /// Whether every random cost with a largest value has that value.
  public var hasLargestCosts = false

  /// The phases of the scenario.
  public static let stated = Phases()

  /// `scenario` with these phases.
  public func applied(to scenario: Scenario) -> Scenario {
    let stated = scenario
    var scenario = scenario
    for workload in scenario.workloads.indices {
      let name = scenario.workloads[workload].fileName
      guard let start = starts[name], let first = stated.first(of: name) else { continue }
      let arrival = scenario.workloads[workload].arrival
      scenario.workloads[workload].arrival = arrival.moved(by: start - first)
    }
    if hasLargestCosts { for site in CostSite.drawn(in: scenario) { site.set(in: &scenario) } }
    return scenario
  }

  /// The equivalent arguments of `--set`, in a fixed order.
  public func changes(of scenario: Scenario) -> [(path: String, value: String)] {
    let arrivals = starts.sorted { $0.key < $1.key }.map { name, start in
      (path: "workloads.\(name).arrival.start", value: "\(start)")
    }
    var costs: [(path: String, value: String)] = []
    guard hasLargestCosts else { return arrivals }
    for site in CostSite.drawn(in: scenario) where !costs.contains(where: { $0.path == site.path })
    {
      costs.append((site.path, "\(site.largest)"))
    }
    return arrivals + costs
  }
}

/// A random cost of a scenario that has a largest value.
struct CostSite {
  let path: String
  let largest: TimeSpan
  private let keyPath: WritableKeyPath<Scenario, DurationDistribution>

  func set(in scenario: inout Scenario) { scenario[keyPath: keyPath] = .constant(largest) }

  private init?(
    _ path: String, _ keyPath: WritableKeyPath<Scenario, DurationDistribution>,
    in scenario: Scenario
  ) {
    let distribution = scenario[keyPath: keyPath]
    guard distribution.fixed == nil, let largest = distribution.largest else { return nil }
    self.path = path
    self.largest = largest
    self.keyPath = keyPath
  }

  /// All such costs; copies of a workload share their paths.
  static func drawn(in scenario: Scenario) -> [CostSite] {
    let stage = scenario.display.pipeline.usesGPU ? "gpu" : "compositor"
    var sites = [
      CostSite("display.render", \.display.render, in: scenario),
      CostSite("display.\(stage)", \.display.pipeline.compositor, in: scenario),
    ]
    for read in scenario.reads.indices {
      sites.append(CostSite("ui.reads.\(read).cpu", \.reads[read].cpu, in: scenario))
    }
    for part in scenario.frameParts.indices {
      let path = "ui.frame.\(scenario.frameParts[part].name).cpu"
      sites.append(CostSite(path, \.frameParts[part].cpu, in: scenario))
    }
    for index in scenario.workloads.indices {
      let workload = scenario.workloads[index]
      let path = "workloads.\(workload.fileName)"
      sites.append(CostSite("\(path).result.cpu", \.workloads[index].result, in: scenario))
      for step in workload.steps.indices {
        let key = if case .work = workload.steps[step].load { "work" } else { "cpu" }
        sites += [
          CostSite(
            "\(path).steps.\(step).\(key)", \.workloads[index].steps[step].load.time, in: scenario),
          CostSite("\(path).steps.\(step).wait", \.workloads[index].steps[step].wait, in: scenario),
        ]
      }
    }
    return sites.compactMap(\.self)
  }
}

extension Step.Load {
  fileprivate var time: DurationDistribution {
    get { duration }
    set {
      switch self {
      case .cpu: self = .cpu(newValue)
      case .work(_, let bytes): self = .work(newValue, touches: bytes)
      }
    }
  }
}
