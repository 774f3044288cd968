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
  let demand: Demand

  /// The work of all items of a workload, in seconds of a full core.
  private struct WorkloadDemand {
    /// The sum of all steps, by service.
    var work: [ServiceIndex: Double] = [:]
    /// The largest time of one item, by service.
    var most: [ServiceIndex: Double] = [:]
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
    speed = Double(scenario.machine.speeds.max() ?? 1000) / 1000
    let plan = RunPlan(scenario, under: space.request.today)
    var arriving = [WorkloadDemand](repeating: WorkloadDemand(), count: scenario.workloads.count)
    var bursts: [Burst] = []
    var schedule = ArrivalSchedule(plan)
    let last = Instant.zero + scenario.duration - .nanoseconds(1)
    while let item = schedule.next(atOrBefore: last) {
      let steps = plan.workloads[item.workload].steps
      var each: [ServiceIndex: Double] = [:]
      for step in steps { each[step.service, default: 0] += step.cost(item: item.number).inSeconds }
      for (service, cost) in each {
        let workload = item.workload.position
        arriving[workload].work[service, default: 0] += cost
        arriving[workload].most[service] = max(arriving[workload].most[service] ?? 0, cost)
      }
      Self.add(item, steps.first.map { $0.cost(item: item.number).inSeconds } ?? 0, to: &bursts)
    }
    workloads = arriving
    self.bursts = bursts
    demand = Demand(scenario, work: arriving.flatMap(\.work.values).reduce(0, +))
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
    guard let allowed = aims.maxPending else { return false }
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
    let deadline = scenario.display.pipeline.deadline
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
  /// The time for drawing, reads and the second stage, in seconds of a full core.
  public let drawing: Double
  /// The duration of the run, in seconds.
  public let duration: Double
  /// The number of full cores.
  public let cores: Double

  /// Seconds of a full core per second.
  public var perSecond: Double { (work + drawing) / duration }
  /// Whether the app needs more than the cores have.
  public var isTooMuch: Bool { perSecond > cores }

  init(_ scenario: Scenario, work: Double) {
    duration = scenario.duration.inSeconds
    cores = Double(scenario.machine.speeds.reduce(0, +)) / 1000
    self.work = work
    let frames = Double(scenario.display.refresh.vsyncs(through: .zero + scenario.duration))
    let each =
      scenario.reads.reduce(scenario.display.render.mean.inSeconds) { $0 + $1.cpu.mean.inSeconds }
      + scenario.display.pipeline.compositor.mean.inSeconds
    drawing = scenario.display.frames.isOnDemand ? 0 : frames * each
  }
}
