internal import FrameBudget

/// The properties of the work that no arrangement can change. They rule out some candidates before any simulation, because
/// these cannot meet the aims.
struct FeasibilityBounds: Sendable {
  private let scenario: Scenario
  private let costs: Costs
  private let aims: Aims
  private let speedup: Double
  /// The speed of the fastest core.
  private let speed: Double
  private let workloads: [WorkloadDemand]
  private let bursts: [Burst]
  /// The number of items that may be in flight at the end without being left undone: none of workloads that arrive at one
  /// instant, those of the last instant if there are two or three, otherwise any number.
  private let inFlight: Double
  let demand: Demand

  /// The work of all items of a workload, in seconds of a full core.
  private struct WorkloadDemand {
    /// The sum of all steps, by service.
    var work: [ServiceIndex: Double] = [:]
    /// The largest time of one item, by service.
    var most: [ServiceIndex: Double] = [:]
  }

  /// The instants at which the items of a workload arrive.
  private struct ArrivalWaves {
    private var newest: Instant?
    private var instants = 0
    private var (all, last) = (0, 0)

    mutating func add(_ instant: Instant) {
      if instant != newest { (newest, instants, last) = (instant, instants + 1, 0) }
      all += 1
      last += 1
    }

    var mostInFlight: Int { instants < 2 ? 0 : instants < Backlog.leastInstants ? last : all }
  }

  /// Arrivals at one instant: by workload, the number of items and the sum of their first steps.
  private struct Burst {
    var at: Instant
    var items: [WorkloadIndex: (count: Int, first: Double)] = [:]
    var count: Int { items.values.reduce(0) { $0 + $1.count } }
  }

  private static let maxBursts = 8

  init(_ space: SearchSpace, aims: Aims) {
    scenario = space.scenario
    costs = space.request.costs
    self.aims = aims
    speedup = space.today.speedup
    speed = scenario.machine.fastest
    let plan = RunPlan(scenario, under: space.request.today)
    var arriving = [WorkloadDemand](repeating: WorkloadDemand(), count: scenario.workloads.count)
    var bursts: [Burst] = []
    var load = MainLoad(plan)
    var serving = ServingLoad(scenario)
    var waves: [WorkloadIndex: ArrivalWaves] = [:]
    var schedule = ArrivalSchedule(plan)
    let last = Instant.zero + scenario.duration - .nanoseconds(1)
    while let item = schedule.next(atOrBefore: last) {
      // A newer item may replace it, under some arrangement.
      guard scenario.workloads[item.workload].admission == nil else { continue }
      let steps = plan.workloads[item.workload].steps
      load.add(item)
      serving.add(item, steps)
      waves[item.workload, default: ArrivalWaves()].add(item.instant)
      var each: [ServiceIndex: Double] = [:]
      for step in steps {
        each[step.service, default: 0] += step.totalCost(item: item.number).inSeconds
      }
      for (service, cost) in each {
        let workload = item.workload.position
        arriving[workload].work[service, default: 0] += cost
        arriving[workload].most[service] = max(arriving[workload].most[service] ?? 0, cost)
      }
      Self.add(item, steps.first.map { $0.cost(item: item.number).inSeconds } ?? 0, to: &bursts)
    }
    workloads = arriving
    self.bursts = bursts
    inFlight = waves.values.reduce(0) { $0 + Double($1.mostInFlight) }
    demand = Demand(
      scenario, work: arriving.flatMap(\.work.values).reduce(0, +), load, serving.bottleneck)
  }

  /// Keeps the largest bursts.
  private static func add(_ item: ArrivalSchedule.Item, _ cost: Double, to bursts: inout [Burst]) {
    if bursts.last?.at != item.instant {
      if bursts.count > maxBursts,
        let least = bursts.indices.min(by: { bursts[$0].count < bursts[$1].count })
      {
        bursts.remove(at: least)
      }
      bursts.append(Burst(at: item.instant))
    }
    let place = bursts.endIndex - 1
    let (count, first) = bursts[place].items[item.workload] ?? (0, 0)
    bursts[place].items[item.workload] = (count + 1, first + cost)
  }

  /// Whether `arrangement` is certain to miss an aim.
  func excludes(_ arrangement: Arrangement) -> Bool {
    guard arrangement.speedup == speedup else { return false }
    return isOverloaded(arrangement) || dropsFrames(arrangement)
  }

  /// Whether a lane, or all cores together, must leave more items unfinished than allowed.
  private func isOverloaded(_ arrangement: Arrangement) -> Bool {
    guard let allowed = aims.maxPending ?? aims.maxBacklog.map({ $0 + inFlight }) else {
      return false
    }
    let capacity = demand.duration * demand.cores
    let all = workloads.reduce(0) { $0 + $1.work.values.reduce(0, +) }
    let most = workloads.map { $0.most.values.reduce(0, +) }.max() ?? 0
    if Self.left(all, of: capacity, most) > allowed { return true }
    return arrangement.lanes.indices.contains { lane in
      guard arrangement.lanes[lane].width == 1 else { return false }
      func isHere(_ service: ServiceIndex) -> Bool { arrangement.placement[service] == .home(lane) }
      let here = workloads.map { workload in
        (
          work: workload.work.reduce(0) { isHere($1.key) ? $0 + $1.value : $0 },
          most: workload.most.reduce(0) { isHere($1.key) ? $0 + $1.value : $0 }
        )
      }
      let work = here.reduce(0) { $0 + $1.work }
      return Self.left(work, of: demand.duration * speed, here.map(\.most).max() ?? 0) > allowed
    }
  }

  /// The least number of unfinished items if each takes at most `most`.
  private static func left(_ work: Double, of capacity: Double, _ most: Double) -> Double {
    // Rounding of costs to nanoseconds must not rule out a candidate.
    let excess = work - capacity * 1.000001
    return excess > 0 && most > 0 ? (excess / most).rounded(.down) : 0
  }

  /// Whether arrivals at one instant take longer on main than a frame may: their first steps, or handing them over.
  private func dropsFrames(_ arrangement: Arrangement) -> Bool {
    guard aims.forbidDrops, scenario.display.mainLoop == .frame, arrangement.admission == .all
    else { return false }
    let deadline = scenario.display.pipeline.deadline + arrangement.presentsLater
    let period = scenario.display.refresh.period
    let budget = period.inSeconds * Double(deadline)
    let end = Instant.zero + scenario.duration - period * (deadline + 3)
    let first = scenario.workloads.indices.map { workload -> LaneIndex? in
      arrangement.lanes(of: workload, in: scenario).first
    }
    return bursts.contains { burst in
      guard burst.at < end else { return false }
      let work = burst.items.reduce(0) { sum, items in
        guard let lane = first[items.key.position] else { return sum }
        let post = costs.handOff(to: arrangement.lanes[lane]).post.inSeconds
        return sum + (lane == .main ? items.value.first : Double(items.value.count) * post)
      }
      return work / speed > budget * 1.000001
    }
  }
}

/// The processor time that the app needs, and the time that is available.
public struct Demand: Hashable, Sendable {
  /// The work of all arriving items, in seconds of a full core.
  public let work: Double
  /// The time for drawing, reads and the second stage, in seconds of a full core. With frames on demand, of the frames that the
  /// scenario requests.
  public let drawing: Double
  /// What only the main thread can do, in seconds of the fastest core: results, reads and drawing, and the steps of services
  /// that must stay on it.
  public let main: Double
  /// The results alone.
  public let results: Double
  /// The duration of the run, in seconds.
  public let duration: Double
  /// The number of full cores.
  public let cores: Double
  /// What takes longest of all that serves a limited number of items at a time; nil without any work.
  public let bottleneck: Bottleneck?

  /// Seconds of a full core per second.
  public var perSecond: Double { (work + drawing) / duration }

  init(_ scenario: Scenario, work: Double, _ load: MainLoad, _ bottleneck: Bottleneck?) {
    self.bottleneck = bottleneck
    duration = scenario.duration.inSeconds
    cores = Double(scenario.machine.speeds.reduce(0, +)) / 1000
    self.work = work + load.results
    let fastest = scenario.machine.fastest
    (drawing, main, results) = (load.drawing, load.main / fastest, load.results / fastest)
  }
}

/// A service with state, or a resource: under every arrangement, it serves a limited number of items at a time.
public struct Bottleneck: Hashable, Sendable {
  /// Its kind and its name: `service index`, `resource network`.
  public let name: String
  /// How many items it serves at a time.
  public let parallel: Int
  /// The least time in which it serves all arriving items, in seconds.
  public let time: Double

  package init(name: String, parallel: Int, time: Double) {
    (self.name, self.parallel, self.time) = (name, parallel, time)
  }
}

/// How long services and resources are occupied, in seconds.
private struct ServingLoad {
  private let scenario: Scenario
  private let speed: Double
  private var services: PerService<Double>
  private var resources: PerResource<Double>

  init(_ scenario: Scenario) {
    self.scenario = scenario
    speed = scenario.machine.fastest
    services = PerService(scenario.services.map { _ in 0 })
    resources = PerResource(scenario.resources.map { _ in 0 })
  }

  /// Counts an item that arrives.
  mutating func add(_ item: ArrivalSchedule.Item, _ steps: [StepPlan]) {
    for step in steps {
      services[step.service] +=
        step.totalCost(item: item.number).inSeconds / speed
        + step.totalWait(item: item.number).inSeconds
      guard let resource = step.suspension?.resource else { continue }
      resources[resource] += step.totalSuspension(item: item.number).inSeconds
    }
  }

  var bottleneck: Bottleneck? {
    let services = scenario.services.indices.compactMap { service -> Bottleneck? in
      guard scenario.services[service].isExclusive else { return nil }
      let name = "service \(scenario.services[service].name)"
      return Bottleneck(name: name, parallel: 1, time: self.services[service])
    }
    let resources = scenario.resources.indices.map { place in
      let resource = scenario.resources[place]
      return Bottleneck(
        name: "resource \(resource.name)", parallel: resource.parallel,
        time: self.resources[place] / Double(resource.parallel))
    }
    return (services + resources).filter { $0.time > 0 }.max { $0.time < $1.time }
  }
}

/// The work that no arrangement takes from the main thread, in seconds of a full core.
struct MainLoad {
  private let plan: RunPlan
  /// The vsyncs for which frames are requested, with frames on demand.
  private var requested: Set<Int> = []
  private(set) var results = 0.0
  private var kept = 0.0

  init(_ plan: RunPlan) {
    self.plan = plan
    if case .onDemand(let instants) = plan.scenario.display.frames {
      for instant in instants { request(at: .zero + instant) }
    }
  }

  /// Counts an item that arrives.
  mutating func add(_ item: ArrivalSchedule.Item) {
    let workload = plan.workloads[item.workload]
    results += workload.resultCost(item: item.number).inSeconds
    for step in workload.steps where isKeptOnMain(step.service) {
      kept += step.cost(item: item.number).inSeconds
    }
    if workload.workload.draws { request(at: item.instant) }
  }

  private func isKeptOnMain(_ service: ServiceIndex) -> Bool {
    plan.scenario.services[service].isKept && plan.arrangement.placement[service] == .home(.main)
  }

  private mutating func request(at instant: Instant) {
    let refresh = plan.scenario.display.refresh
    guard plan.scenario.display.frames.isOnDemand else { return }
    let vsync = refresh.firstVsync(atOrAfter: instant)
    if vsync < refresh.vsyncs(through: .zero + plan.scenario.duration) { requested.insert(vsync) }
  }

  private var vsyncs: [Int] {
    let last = plan.scenario.display.refresh.vsyncs(through: .zero + plan.scenario.duration)
    return plan.scenario.display.frames.isOnDemand ? requested.sorted() : Array(0..<last)
  }

  /// Reads and drawing of the frames, on the main thread.
  private var frames: Double {
    vsyncs.reduce(0) { $0 + plan.drawingCost(vsync: $1).inSeconds }
  }

  /// The same with the second stage, which has a thread of its own.
  var drawing: Double {
    frames + vsyncs.reduce(0) { $0 + plan.compositorCost(vsync: $1).inSeconds }
  }

  var main: Double { results + kept + frames }
}
