import FrameBudget
import FrameBudgetSimulation
import Testing

/// Results that follow from the machine alone, calculated by hand: 60 Hz, two cores, no costs except the work itself.
@Suite struct MachineAnswersTests {
  /// One queue for both cores and a thread for each place on a lane, as changed by `change`.
  private func machine(_ change: (inout Machine) -> Void = { _ in }) -> Machine {
    var machine = Machine(cores: 2)
    machine.scheduler = .global
    machine.hasPools = false
    change(&machine)
    return machine
  }

  /// 10 ms of drawing in each frame for a second, and workloads of one item, each with a service of its own.
  private func scenario(
    _ machine: Machine, render: TimeSpan = .milliseconds(10), duration: TimeSpan = .seconds(1),
    start: TimeSpan = .zero, steps: [Step]
  ) -> Scenario {
    Scenario(
      name: "machine", display: Display(refresh: RefreshRate(60), render: .constant(render)),
      duration: duration, machine: machine,
      services: steps.indices.map { Service(name: "service\($0)") },
      workloads: steps.enumerated().map { place, step in
        Workload(name: "work\(place)", arrival: .once(1, start: start), steps: [step])
      })
  }

  private func step(
    _ service: ServiceIndex, cpu: TimeSpan, wait: TimeSpan = .zero
  ) -> Step {
    Step(name: "step", service: service, load: .cpu(.constant(cpu)), wait: .constant(wait))
  }

  /// A lane for each service.
  private func lanes(
    _ scenario: Scenario, _ carrier: CarrierKind, on cores: [Int]? = nil
  ) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    for service in scenario.services.indices {
      var lane = Lane(name: "lane\(service)", carrier: carrier)
      lane.cores = cores.flatMap { CoreSet($0) }
      arrangement.lanes.append(lane)
      arrangement.placement[service] = .home(LaneIndex(service.position + 1))
    }
    return arrangement
  }

  private func completions(of log: RunLog) -> [Int64] {
    log.items.map { $0.completions[0] / 1_000_000 }
  }

  // MARK: A queue for each core

  /// For how long two threads share one of two cores, and a third has the other. A busy core searches at 60, 120, 180, 208 and
  /// 236 ms. At first the main thread sleeps; at 180 and 208 ms the load of whoever waits, or half of it, is too high to be pulled.
  private let sharing = TimeSpan.milliseconds(200)

  @Test func `beside two other processes 10 ms of drawing take 20 where each core has a queue`() {
    func metrics(_ duration: TimeSpan) -> RunMetrics {
      let app = scenario(
        machine {
          $0.scheduler = .perCore
          $0.busy = 2
          $0.slice = .microseconds(100)
        }, duration: duration, steps: [])
      return RunMetrics(app.run(.onMain(app)))
    }
    let first = metrics(sharing)
    // Each frame takes two periods. It begins with a slice of credit, and its last slice is not waited for.
    #expect(first.frames.presented == 6 && first.frames.dropped == 6)
    #expect(first.log.frames.works.allSatisfy { (19_600_000...20_000_000).contains($0) })
    #expect(first["drops_machine"] == 6 && first["drops_preempted"] == 0)
    #expect(first["background_cpu_ms"] == 0)
    // Then the cores take the third thread from one another.
    #expect((20...28).contains(metrics(.seconds(1)).frames.dropped))
  }

  @Test func `with one queue the same three threads have two thirds of a core each`() {
    let app = scenario(
      machine {
        $0.busy = 2
        $0.slice = .microseconds(100)
      }, steps: [])
    let metrics = RunMetrics(app.run(.onMain(app)))
    #expect(metrics.frames.dropped == 0)
    #expect(metrics.log.frames.works.allSatisfy { (14_500_000...15_100_000).contains($0) })
  }

  @Test func `beside two busy threads of its own the main thread is preempted`() {
    for (scheduler, dropped) in [(Machine.Scheduler.perCore, 6), (.global, 0)] {
      let app = scenario(
        machine {
          $0.scheduler = scheduler
          $0.slice = .microseconds(100)
        }, duration: sharing, steps: [step(0, cpu: .seconds(5)), step(1, cpu: .seconds(5))])
      let metrics = RunMetrics(app.run(lanes(app, .scheduler)))
      #expect(metrics.frames.dropped == dropped)
      #expect(metrics["drops_preempted"] == Double(dropped) && metrics["drops_machine"] == 0)
    }
  }

  @Test func `lanes that are kept on one core leave the other to the main thread`() {
    for cores in [[1], nil] {
      let app = scenario(
        machine {
          $0.scheduler = .perCore
          $0.slice = .microseconds(100)
        }, steps: [step(0, cpu: .milliseconds(300)), step(1, cpu: .milliseconds(300))])
      let log = app.run(lanes(app, .scheduler, on: cores))
      // Otherwise one of them shares core 0 with it for 300 ms, 18 vsyncs, until the other has ended on core 1.
      #expect(RunMetrics(log).frames.dropped == (cores == nil ? 9 : 0))
      // Half and half of one core: the first is through a slice before the second.
      if cores != nil { #expect(completions(of: log) == [599, 600]) }
    }
  }

  // MARK: Pools

  @Test(arguments: Machine.Scheduler.allCases)
  func `three actors share a pool as wide as the cores, and have a thread each without one`(
    scheduler: Machine.Scheduler
  ) {
    let work = (0..<3).map { step(ServiceIndex($0), cpu: .milliseconds(30)) }
    let pooled = scenario(
      machine {
        $0.scheduler = scheduler
        $0.hasPools = true
      }, render: .zero, start: .milliseconds(100), steps: work)
    #expect(completions(of: pooled.run(lanes(pooled, .actor))) == [130, 130, 160])
    let alone = scenario(machine(), render: .zero, start: .milliseconds(100), steps: work)
    let ends = completions(of: alone.run(lanes(alone, .actor)))
    #expect(ends.allSatisfy { (142...145).contains($0) })
    // Other carriers have a thread of their own, with or without pools.
    let threads = completions(of: pooled.run(lanes(pooled, .scheduler)))
    #expect(threads.allSatisfy { (127...160).contains($0) } && threads != [130, 130, 160])
  }

  @Test func `an actor runs one item at a time, and others have their turn in between`() {
    var app = scenario(
      machine { $0.hasPools = true }, render: .zero, start: .milliseconds(100),
      steps: (0..<3).map { step(ServiceIndex($0), cpu: .milliseconds(10)) })
    app.workloads[0].arrival = .once(3, start: .milliseconds(100))
    let log = app.run(lanes(app, .actor))
    // The first actor's second item goes to the end of the line when the first is through: behind the third actor's.
    #expect(log.items[0].completions.map { $0 / 1_000_000 } == [110, 120, 130])
    #expect(completions(of: log) == [110, 110, 120])
    #expect(log.totals.hops == 5)
  }

  @Test func `a pool whose workers block gets another each second, and no more than it needs`() {
    let waits = (0..<5).map { step(ServiceIndex($0), cpu: .zero, wait: .seconds(3)) }
    // Three from the start, on two cores, as the lane is wider than one.
    let pooled = [3100, 3100, 3100, 4000, 5000]
    for (hasPools, ends) in [(true, pooled), (false, Array(repeating: 3100, count: 5))] {
      let app = scenario(
        machine { $0.hasPools = hasPools }, render: .zero, duration: .seconds(6),
        start: .milliseconds(100), steps: waits)
      var arrangement = Arrangement.onMain(app)
      arrangement.lanes.append(Lane(name: "pool", carrier: .ordered, width: 5))
      arrangement.placement = app.services.mapValues { _ in .home(1) }
      #expect(completions(of: app.run(arrangement)) == ends.map(Int64.init))
    }
  }

  @Test func `the time of pool workers counts for the lanes that they run, in totals and traces`()
    throws
  {
    let app = scenario(
      machine { $0.hasPools = true }, render: .zero, start: .milliseconds(100),
      steps: (0..<3).map { step(ServiceIndex($0), cpu: .milliseconds(30)) })
    let log = app.run(lanes(app, .actor), detail: .trace)
    #expect(
      log.totals.threads.map(\.cpu) == [.zero] + Array(repeating: .milliseconds(30), count: 3))
    #expect(log.totals.backgroundCPU == .milliseconds(90))
    let trace = try #require(log.trace)
    let steps = trace.threads.map {
      $0.spans.count { if case .step = $0.activity { true } else { false } }
    }
    #expect(steps == [0, 1, 1, 1])
  }
}
