import FrameBudget
import Testing

@Suite struct RunPlanTests {
  private static let varying = DurationDistribution.normal(
    mean: .milliseconds(3), deviation: .milliseconds(1))

  private func scenario(_ names: [String] = ["file"]) -> Scenario {
    let steps = [0, 1].map { Step(name: "step", service: $0, load: .cpu(Self.varying)) }
    let workloads = names.map {
      Workload(
        name: $0, arrival: .rate(perSecond: 50, start: .zero), steps: steps, result: Self.varying)
    }
    return .with(
      workloads, reads: [UIRead(service: 0, cpu: Self.varying)], render: Self.varying)
  }

  /// Everything that is drawn for one workload and for the screen.
  private func draws(_ plan: RunPlan, workload name: String = "file") throws -> [TimeSpan] {
    let workload = try #require(plan.workloads.first { $0.workload.name == name })
    let costs = (0..<50).flatMap { item in
      workload.steps.map { $0.cost(item: item) } + [workload.resultCost(item: item)]
    }
    return costs + (0..<50).flatMap { [plan.renderCost(vsync: $0), plan.reads[0].cost(vsync: $0)] }
  }

  private func arrivals(_ plan: RunPlan, workload name: String = "file") -> [Instant] {
    var schedule = ArrivalSchedule(plan)
    var instants: [Instant] = []
    while let item = schedule.next(atOrBefore: .ms(5000)) {
      if plan.workloads[item.workload].workload.name == name { instants.append(item.instant) }
    }
    return instants
  }

  @Test(arguments: StrategyCatalog.all.map(\.name).filter { $0 != "optimised" })
  func `every strategy has the same costs`(name: String) throws {
    var scenario = scenario()
    scenario.display.mainLoop = .events(MainLoop.Events())
    scenario.workloads[0].admission = .all
    let strategy = try StrategyCatalog.strategy(name, for: scenario)
    #expect(try draws(RunPlan(scenario, under: strategy)) == draws(scenario.onMain()))
    #expect(arrivals(RunPlan(scenario, under: strategy)) == arrivals(scenario.onMain()))
  }

  @Test func `optimised steps are cheaper, drawing and results are not`() throws {
    let scenario = scenario()
    let strategy = try StrategyCatalog.strategy("optimised", for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    let main = scenario.onMain()
    for item in 0..<50 {
      let cost = main.workloads[0].steps[0].cost(item: item)
      #expect(plan.workloads[0].steps[0].cost(item: item) == cost.divided(by: 4))
      #expect(plan.workloads[0].resultCost(item: item) == main.workloads[0].resultCost(item: item))
      #expect(plan.renderCost(vsync: item) == main.renderCost(vsync: item))
    }
  }

  @Test func `another workload does not shift the others`() throws {
    let alone = scenario(["file"]).onMain()
    let crowd = scenario(["tap", "file", "scan"]).onMain()
    #expect(try draws(alone) == draws(crowd))
    #expect(arrivals(alone) == arrivals(crowd))
    #expect(try draws(crowd, workload: "tap") != draws(crowd, workload: "scan"))
    #expect(arrivals(crowd, workload: "tap") != arrivals(crowd, workload: "scan"))
  }

  @Test func `costs do not depend on the order of requests`() throws {
    let plan = scenario().onMain()
    let step = plan.workloads[0].steps[0]
    let forwards = (0..<20).map { step.cost(item: $0) }
    #expect((0..<20).reversed().map { step.cost(item: $0) } == forwards.reversed())
    #expect(Set(forwards).count == 20, "items differ")
    #expect(forwards != (0..<20).map { plan.workloads[0].steps[1].cost(item: $0) })
    #expect(forwards != (0..<20).map { plan.workloads[0].resultCost(item: $0) })
  }

  @Test func `another seed gives other costs`() throws {
    let scenario = scenario()
    let plan = scenario.onMain()
    #expect(plan.seed == scenario.seed)
    let other = RunPlan(scenario, under: plan.strategy, seed: 2)
    #expect(other.seed == 2)
    #expect(try draws(plan) != draws(other))
    #expect(arrivals(plan) != arrivals(other))
  }

  @Test func `a step has its lane, its lock and its wait`() throws {
    let scenario = Scenario.with([.files(steps: [.cpu(1, service: 1, wait: .ms(4))])])
    let home = try StrategyCatalog.strategy("schedulable", for: scenario)
    let homeStep = RunPlan(scenario, under: home).workloads[0].steps[0]
    #expect(homeStep.lane == 1 && homeStep.lock == nil && homeStep.wait(item: 0) == .ms(4))
    let locked = try StrategyCatalog.strategy("threads-and-locks", for: scenario)
    let lockedStep = RunPlan(scenario, under: locked).workloads[0].steps[0]
    #expect(lockedStep.lane == 1 && lockedStep.lock == 1 && lockedStep.service == 1)
  }

  @Test func `a lock is held as arranged, but per step if each step is its own event`() {
    let scenario = Scenario.with()
    for (unit, hold) in [(OperationUnit.item, Lock.Hold.nested), (.step, .step)] {
      var lane = Lane(name: "files", carrier: .operationQueue)
      lane.options[.operations] = .choice(unit.rawValue)
      var arrangement = Arrangement.onMain(scenario)
      arrangement.lanes.append(lane)
      arrangement.locks = [Lock(name: "all", kind: .fair, hold: .nested)]
      (arrangement.placement, arrangement.entry) = ([.guarded(0), .guarded(0)], [1])
      let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
      #expect(plan.workloads[0].steps[0].hold == hold)
    }
  }

  @Test func `the UI reads in place, under a lock, or from a published snapshot`() throws {
    let scenario = Scenario.with(
      reads: [UIRead(service: 1, cpu: .constant(.ms(2)))], render: .constant(.ms(3)))
    func plan(_ strategy: String) throws -> RunPlan {
      RunPlan(scenario, under: try StrategyCatalog.strategy(strategy, for: scenario))
    }
    let (direct, locked, snapshot) = try (
      scenario.onMain(), plan("threads-and-locks"), plan("schedulable")
    )
    #expect(direct.reads[0].lock == nil && !direct.reads[0].isSnapshot)
    #expect(locked.reads[0].lock == 1 && !locked.reads[0].isSnapshot)
    #expect(snapshot.reads[0].lock == nil && snapshot.reads[0].isSnapshot)
    #expect(direct.publishedServices == [] && locked.publishedServices == [])
    #expect(snapshot.publishedServices == [1])
    #expect(snapshot.publishedServices(on: 1) == [1])
    #expect(snapshot.publishedServices(on: .main) == [])
    #expect(direct.drawingCost(vsync: 7) == .ms(5))
  }

  @Test func `a workload with a time limit has a priority only if it says so`() {
    let plan = Scenario.with([.files(steps: [], respondWithin: .ms(1))]).onMain()
    #expect(plan.workloads[0].steps.isEmpty && !plan.workloads[0].hasForks)
    #expect(!plan.workloads[0].hasPriority)
  }

  // MARK: Forks

  /// Steps in services 0 and 1, by turns, of which the first is not awaited and the last joins.
  private func forking(_ placement: [Placement], _ lanes: [Lane]) -> WorkloadPlan {
    var scenario = Scenario.with([.files()])
    scenario.workloads[0].steps = (0..<4).map {
      Step(
        name: "step", service: ServiceIndex($0 % 2), load: .cpu(.none), isAwaited: $0 != 0,
        joins: $0 == 3)
    }
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += lanes
    arrangement.locks = [Lock(name: "lock", kind: .fair)]
    arrangement.placement = PerService(placement)
    return WorkloadPlan(0, in: scenario, under: arrangement)
  }

  private let lane = Lane(name: "lane", carrier: .scheduler)

  @Test func `a step that is not awaited does not move the item to another lane`() {
    let plan = forking([.home(1), .guarded(0)], [lane])
    // The calling thread takes the lock: main, until the item itself has gone to the lane.
    #expect(plan.steps.map(\.lane) == [1, .main, 1, 1])
    #expect(plan.hasForks && plan.steps.map(\.isFork) == [true, false, false, false])
    #expect(plan.steps.map(\.joins) == [false, false, false, true])
  }

  @Test func `steps do not fork on the main lane alone, or under locks`() {
    for placement in [[Placement.home(.main), .home(.main)], [.guarded(0), .guarded(0)]] {
      let plan = forking(placement, [lane])
      #expect(!plan.hasForks && !plan.steps.contains { $0.isSpecial })
    }
  }

  @Test func `an item ends on main only if all of its open forks do`() {
    func ends(_ steps: [(service: ServiceIndex, isAwaited: Bool, joins: Bool)]) -> Bool {
      var scenario = Scenario.with([.files()])
      scenario.workloads[0].steps = steps.map {
        Step(
          name: "step", service: $0.service, load: .cpu(.none), isAwaited: $0.isAwaited,
          joins: $0.joins)
      }
      var arrangement = Arrangement.onMain(scenario)
      arrangement.lanes.append(lane)
      arrangement.placement = [.home(.main), .home(1)]
      return arrangement.endsOnMain(scenario)
    }
    #expect(ends([]) && ends([(1, true, false), (0, true, false)]))
    #expect(!ends([(0, true, false), (1, true, false)]))
    #expect(!ends([(1, false, false), (0, true, false)]))
    #expect(ends([(1, false, false), (0, true, true)]))
    #expect(!ends([(1, false, false), (1, false, true), (0, true, false)]))
    #expect(ends([(1, false, false), (0, true, true), (0, false, false)]))
  }
}
