import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetAdvice

@Suite struct AdviserTests {
  /// A burst on main that takes 100 ms and cannot be let in bit by bit, in an app of one second.
  private func burst(_ changes: String...) throws -> AdviceRequest {
    let text = """
      scenario: burst
      display: {refresh: 60 Hz, render: 5 ms}
      duration: 1 s
      warmup: 0 s
      services: {files: {}, index: {state: 1000 records}, log: {}}
      workloads:
        - name: add
          arrival: {once: 40, start: 100 ms}
          priority: user
          steps:
            - {service: files, cpu: 2 ms}
            - {service: index, cpu: 0.4 ms}
        - name: note
          arrival: {every: 100 ms}
          steps: [{service: log, cpu: 0.1 ms}]
      ui: {reads: [{service: index, cpu: 20 us}]}
      strategies: [main-thread]
      """
    let scenario = try ScenarioFile.parse(
      Array(text.utf8), file: "burst.yaml",
      overrides: try changes.map { text throws(ScenarioError) in try Override(parsing: text) })
    return AdviceRequest(scenario, today: try #require(scenario.strategies.first))
  }

  @Test func `reports that nothing has to change if the aims are met`() throws {
    let advice = Adviser(try burst("workloads.add.arrival.once=2")).advice()
    #expect(advice.verdict == .nothingToChange)
    #expect(advice.proposals.isEmpty && advice.nearest == nil && advice.count.tried == 0)
  }

  @Test func `leaves dropped frames that are too few to count`() throws {
    var request = try burst()
    let dropped = Adviser(request).advice().today.outcome.dropped
    request.negligibleDrops = dropped - 1
    #expect(Adviser(request).advice().verdict == .change)
    request.negligibleDrops = dropped
    #expect(Adviser(request).advice().verdict == .nothingToChange)
  }

  @Test func `moves as few services as it can, and none that shares no items`() throws {
    let advice = Adviser(try burst()).advice()
    #expect(advice.verdict == .change)
    let first = try #require(advice.proposals.first)
    #expect(first.trial.outcome.dropped == 0)
    #expect(!first.trial.change.moved.contains("log"))
    #expect(advice.today.outcome.dropped > 0)
    // The price falls with each proposal, and the change grows.
    let prices = advice.proposals.map(\.trial.outcome.price.total)
    #expect(zip(prices, prices.dropFirst()).allSatisfy { $0 > $1 })
    let weights = advice.proposals.map(\.trial.weight)
    #expect(weights == weights.sorted())
  }

  @Test(arguments: [true, false])
  func `runs a service in parallel only if it has no state`(isExclusive: Bool) throws {
    let text = """
      scenario: decode
      display: {refresh: 60 Hz, render: 2 ms}
      duration: 1 s
      machine: {cores: 16}
      services: {decoder: {exclusive: \(isExclusive)}}
      workloads:
        - name: thumbnail
          arrival: {once: 64}
          steps: [{service: decoder, cpu: 6.4 ms}]
          result: {cpu: 20 us}
          respond_within: 150 ms
      strategies:
        - as: today
          lanes: {q: {carrier: dispatch}}
          services: {decoder: q}
      """
    let scenario = try ScenarioFile.parse(Array(text.utf8), file: "decode.yaml")
    let request = AdviceRequest(scenario, today: try #require(scenario.strategies.first))
    let advice = Adviser(request).advice()
    // One after another they take 410 ms.
    #expect((advice.today.outcome.late ?? 0) > 30)
    #expect(advice.verdict == .change || isExclusive)
    let meeting = advice.proposals.first { $0.trial.outcome.meets }
    #expect((meeting == nil) == isExclusive)
    #expect(meeting.map { $0.trial.arrangement.lanes.contains { $0.width == 16 } } ?? true)
    let words = "run services without state in parallel, on a pool of threads"
    #expect(meeting.map { $0.trial.words.contains(words) } ?? true)
  }

  @Test func `says what each move buys`() throws {
    let advice = Adviser(try burst()).advice()
    let proposal = try #require(
      advice.proposals.first { $0.effects.count > 1 } ?? advice.proposals.first)
    let space = SearchSpace(advice.request)
    let runner = ArrangementRunner(
      scenario: advice.request.scenario, costs: .standard, aims: advice.aims.list)
    let layout = try #require(proposal.trial.layout)
    for effect in proposal.effects {
      guard let unit = space.units.firstIndex(where: { $0.name == effect.words }) else { continue }
      var without = layout
      without.homes[unit] = .today
      #expect(effect.without == space.arrangement(without).map(runner.outcome))
    }
    #expect(proposal.effects.count == layout.homes.count { $0 != .today } + layout.policies.count)
  }

  @Test
  func
    `holds in 18 of 20 variants at its margin and not a step above, with all aims and with each`()
    throws
  {
    let advice = Adviser(try burst()).advice()
    var checked = 0
    for proposal in advice.proposals {
      for margin in proposal.margins {
        let unit = MovableUnit.all(in: advice.request.scenario).first { $0.name == margin.service }
        func met(_ percent: Int, _ isMet: ([Bool]) -> Bool) -> Int {
          (0..<20).count { number in
            let variant = Steadiness.variant(
              number, of: advice.request.scenario, seed: advice.request.seed)
            let raised = Margin.raised(variant, by: percent, in: unit?.services)
            return isMet(
              Adviser(advice.request).reached(
                by: proposal.trial.arrangement, in: raised, advice.aims))
          }
        }
        func check(_ percent: Int, _ isMet: ([Bool]) -> Bool) {
          #expect(met(percent, isMet) >= 18, "\(margin) at \(percent) %")
          guard let next = Margin.steps.first(where: { $0 > percent }) else { return }
          #expect(met(next, isMet) < 18, "\(margin) at \(next) %")
          checked += 1
        }
        check(margin.percent) { $0.allSatisfy(\.self) }
        for (place, end) in margin.ends.enumerated() { check(end.percent) { $0[place] } }
        #expect(margin.ends.allSatisfy { $0.percent >= margin.percent })
        #expect(margin.ends.map(\.aim) == advice.aims.list)
      }
    }
    #expect(checked > 2)
  }

  @Test func `moves no service that has to stay where it is`() throws {
    let free = try #require(Adviser(try burst()).advice().proposals.first)
    #expect(free.trial.change.moved.contains("files"))
    let kept = Adviser(try burst().with { $0.kept["files"] = .main }).advice()
    #expect(kept.proposals.allSatisfy { !$0.trial.change.moved.contains("files") })
    let inScenario = try burst().with { request in
      for service in request.scenario.services.indices
      where request.scenario.services[service].name == "files" {
        request.scenario.services[service].isKept = true
      }
    }
    let moved = Adviser(inScenario).advice().proposals.map(\.trial.change.moved)
    #expect(moved == kept.proposals.map(\.trial.change.moved))
    let unlessAsked = Adviser(inScenario.with { $0.kept["files"] = .anyLane }).advice()
    #expect(unlessAsked.proposals.contains { $0.trial.change.moved.contains("files") })
    let locked = Adviser(try burst().with { $0.kept["index"] = .lock }).advice()
    #expect(
      locked.proposals.allSatisfy { proposal in
        proposal.trial.arrangement.placement[1].lock != nil
      })
  }

  @Test func `moves no more services than the limit allows`() throws {
    for most in 0...2 {
      let advice = Adviser(try burst().with { $0.maxMoved = most }).advice()
      #expect(advice.proposals.allSatisfy { $0.trial.change.moved.count <= most })
    }
  }

  @Test func `uses only the given carriers and strategies`() throws {
    let dispatch = Adviser(try burst().with { $0.carriers = [.dispatch] }).advice()
    #expect(!dispatch.proposals.isEmpty)
    for proposal in dispatch.proposals {
      #expect(proposal.trial.arrangement.lanes.dropFirst().allSatisfy { $0.carrier == .dispatch })
    }
    let request = try burst()
    let whole = try ["schedulable", "gcd-serial"].map {
      try StrategyCatalog.strategy($0, for: request.scenario)
    }
    let named = Adviser(
      request.with {
        $0.strategies = whole
        $0.placesServices = false
      }
    ).advice()
    #expect(
      named.proposals.first.map { whole.map(\.arrangement).contains($0.trial.arrangement) } == true)
    #expect(named.count.candidates == 2)
  }

  @Test func `weighs changes with the given weights`() throws {
    let request = try burst()
    let first = try #require(Adviser(request).advice().proposals.first?.trial)
    #expect(first.weight == first.change.weight(ChangeWeights()))
    let dear = request.with { $0.weights.lane = 1000 }
    let other = Adviser(dear).advice().proposals.first?.trial
    #expect(other.map { $0.change.lanes == 0 || $0.weight >= 1000 } ?? true)
  }

  @Test func `reports that nothing helps if the work needs more processor time than there is`()
    throws
  {
    let request = try burst(
      "workloads.add.arrival.once=3000", "machine.cores=1",
      "workloads.add.respond_within=100 ms")
    let advice = Adviser(request).advice()
    #expect(advice.verdict == .nothingHelps)
    #expect(advice.demand.perSecond > advice.demand.cores)
    // 3000 items of 2.4 ms and ten notes of 0.1 ms; 60 frames of 5.02 ms.
    #expect(abs(advice.demand.work - 7.201) < 1e-6)
    #expect(abs(advice.demand.drawing - 60 * 0.00502) < 1e-9)
    #expect(advice.demand.cores == 1)
  }

  @Test func `reports that drawing alone takes too long`() throws {
    let advice = Adviser(try burst("display.render=20 ms")).advice()
    #expect(advice.verdict == .nothingHelps && advice.demand.perSecond <= advice.demand.cores)
    // A frame of 20 ms is shown at every second vsync.
    let alone = try #require(advice.drawingAlone)
    #expect(alone.outcome.dropped == 30 && alone.outcome.frames == 60)
    #expect(alone.outcome.pending == 0 && alone.heaviest == nil)
    #expect(Adviser(try burst()).advice().drawingAlone == nil)
  }

  @Test func `uses the aims of the scenario instead of the default ones`() throws {
    var request = try burst()
    request.scenario.aims = [Aim("dropped_frames", maximum: 1000)]
    #expect(Adviser(request).advice().verdict == .nothingToChange)
    request.aims = [Aim("dropped_frames", maximum: 0)]
    #expect(Adviser(request).advice().verdict == .change)
  }

  @Test(arguments: [(0, 0), (7, 0), (100, 1)])
  func `stops computing a margin when it is cancelled, and keeps the finished ones`(
    _ questions: Int, _ leastKnown: Int
  ) throws {
    let runs = RunsUntilAsked(questions)
    let ended = Adviser(try burst(), maker: runs).advice()
    let whole = Adviser(try burst()).advice()
    #expect(ended.proposals.map(\.trial.arrangement) == whole.proposals.map(\.trial.arrangement))
    #expect(ended.count.isCut && !whole.count.isCut)
    let (first, known) = (try #require(ended.proposals.first), try #require(whole.proposals.first))
    #expect(first.effects.count == known.effects.count)
    #expect(first.steadiness == known.steadiness)
    // Results that were found are right, and others are left out.
    let found = first.margins.count
    #expect((leastKnown..<known.margins.count).contains(found))
    #expect(first.margins == Array(known.margins.prefix(found)))
    #expect(ended.proposals.dropFirst().allSatisfy { $0.effects.isEmpty && $0.margins.isEmpty })
    #expect(runs.questions.count == questions + 1, "nothing is run once the answer was yes")
  }

  @Test func `says the range of what it shows, as the engine has it for the same run`() throws {
    for changes in [["workloads.add.arrival.once=40"], ["workloads.add.arrival.once=2"]] {
      var request = try burst(changes[0])
      request.costs.contextSwitch = .microseconds(20)
      let advice = Adviser(request).advice()
      for trial in [advice.today] + advice.proposals.map(\.trial) {
        let plan = RunPlan(
          request.scenario, under: Strategy(name: "same", arrangement: trial.arrangement))
        let engine = VirtualEngine(costs: request.costs)
        let range = engine.range(around: RunMetrics(engine.run(plan)), of: plan)
        #expect(range != nil && trial.range == range)
      }
    }
    let none = Adviser(try burst("display.render=20 ms")).advice()
    #expect(none.nearest == nil || none.nearest?.range != nil)
    #expect(none.today.range?[.droppedPercent] != nil)
  }

  @Test func `leaves out ranges that are not known when it is cancelled, and says that it was`()
    throws
  {
    // Only ranges ask, of an arrangement that needs no change.
    let advice = Adviser(
      try burst("workloads.add.arrival.once=2"), maker: RunsUntilAsked(0)
    ).advice()
    #expect(advice.count.isCut && advice.today.range == nil)
    #expect(advice.verdict == .nothingToChange)
  }

  @Test func `gives the same advice for the same request`() throws {
    let (one, two) = (Adviser(try burst()).advice(), Adviser(try burst()).advice())
    #expect(one.proposals.map(\.trial.arrangement) == two.proposals.map(\.trial.arrangement))
    #expect(one.proposals.map(\.margins) == two.proposals.map(\.margins))
    #expect(one.proposals.map(\.steadiness) == two.proposals.map(\.steadiness))
    #expect(one.count == two.count)
  }

  @Test func `prefers yielding to another thread, in event loops only`() throws {
    let request = try Shipped.request("long-task", "duration=1 s")
    let trials = Adviser(request).advice().proposals.map(\.trial)
    let least = try #require(trials.min { $0.weight < $1.weight })
    #expect(least.arrangement.lanes.count == 1)
    #expect(least.arrangement.yielding != nil)
    let frames = Adviser(try burst()).advice()
    #expect(frames.proposals.allSatisfy { $0.trial.arrangement.yielding == nil })
  }
}

/// Makes one run after the other, and reports an interruption at the given query.
private struct RunsUntilAsked: RunMaker {
  let questions = Recorder<Bool>()
  private let most: Int

  init(_ most: Int) { self.most = most }

  private var isEnded: Bool { questions.count > most }

  var isInterrupted: Bool {
    questions.add(true)
    return isEnded
  }

  func outputs<Output: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Output
  ) -> [Output] {
    var outputs: [Output] = []
    while outputs.count < count, !isEnded { outputs.append(make(outputs.count)) }
    return outputs
  }
}
