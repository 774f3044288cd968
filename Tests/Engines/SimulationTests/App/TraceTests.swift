import FrameBudget
import FrameBudgetSimulation
import Testing

/// Traces of virtual threads, compared with hand-made timelines.
struct TraceTests {
  private func spans(_ thread: ThreadTrace) -> [String] {
    thread.spans.map { span in
      let words =
        switch span.activity {
        case .phase(let phase): phase.name
        case .step(let place): "step \(place.workload).\(place.item).\(place.step)"
        case .post(let place): "post \(place.workload).\(place.item).\(place.step)"
        case .lockWait(let lock): "wait \(lock)"
        case .lockHold(let lock): "hold \(lock)"
        case .preempted: "preempted"
        case .suspended(let place): "suspended \(place.workload).\(place.item).\(place.step)"
        case .earlyPart(let part): "early part \(part)"
        case .partWait(let part): "wait for part \(part)"
        }
      return "\(words) \(span.begin.nanoseconds / 100_000)-\(span.end.nanoseconds / 100_000)"
    }
  }

  private func trace(_ scenario: Scenario, _ arrangement: Arrangement) throws -> TraceLog {
    try #require(scenario.run(arrangement, detail: .trace).trace)
  }

  /// In tenths of a millisecond: two files of 2.6 ms, then 4 ms of drawing; and drawing alone.
  @Test func `main runs its items one after the other, then draws`() throws {
    let scenario = Scenario.files(
      .once(2, start: .zero), render: .milliseconds(4), duration: .milliseconds(20))
    let trace = try trace(scenario, .onMain(scenario))
    #expect(
      spans(trace.threads[0]) == [
        "step 0.0.0 0-26", "logic 0-26", "step 0.1.0 26-52", "logic 26-52", "render 52-92",
      ])
  }

  /// Posts cost nothing here; the frame draws while the lane works.
  @Test func `a lane runs what main posts`() throws {
    let scenario = Scenario.files(
      .once(2, start: .zero), render: .milliseconds(4), duration: .milliseconds(20), cores: 2)
    let trace = try trace(scenario, scenario.inBackground())
    #expect(spans(trace.threads[0]) == ["post 0.0.0 0-0", "post 0.1.0 0-0", "render 0-40"])
    #expect(spans(trace.threads[1]) == ["step 0.0.0 0-26", "step 0.1.0 26-52"])
  }

  /// Each file is posted to the gallery, then to the catalogue, then to the uploads; frames that go to a second stage post none.
  @Test(arguments: ["actors", "schedulable", "operation-queue"], [false, true])
  func `every post is traced once, with the item that it is for`(
    name: String, hasSecondStage: Bool
  ) throws {
    var scenario = Scenario.files(.once(5, start: .zero), duration: .milliseconds(200), cores: 3)
    if hasSecondStage {
      scenario.display.pipeline.compositor = .constant(.milliseconds(2))
    }
    let strategy = try StrategyCatalog.strategy(name, for: scenario)
    let log = scenario.run(strategy.arrangement, detail: .trace)
    let posts = try #require(log.trace).threads.flatMap(\.spans).filter {
      if case .post = $0.activity { true } else { false }
    }
    #expect(posts.count == log.totals.hops && log.totals.hops >= 5)
  }

  /// The second thread comes a step later to the lock that both items need.
  @Test func `a thread that waits for a lock is traced waiting, then holding it`() throws {
    var scenario = Scenario.files(.once(1, start: .zero), duration: .milliseconds(20), cores: 3)
    scenario.workloads.append(scenario.workloads[0])
    var arrangement = Arrangement.onMain(scenario)
    arrangement.locks = [Lock(name: "lock", kind: .fair)]
    arrangement.placement = [.guarded(0)]
    arrangement.lanes += ["a", "b"].map { Lane(name: $0, carrier: .thread) }
    arrangement.entry = [1, 2]
    let trace = try trace(scenario, arrangement)
    #expect(spans(trace.threads[1]) == ["step 0.0.0 0-26", "hold 0 0-26"])
    #expect(spans(trace.threads[2]) == ["wait 0 0-26", "step 1.0.0 26-52", "hold 0 26-52"])
  }

  /// One core for drawing, which the machine gives to main first, and a step.
  @Test func `a thread without a core is traced as ready`() throws {
    let scenario = Scenario.files(
      .once(1, start: .zero), render: .milliseconds(4), duration: .milliseconds(20))
    let plan = RunPlan(
      scenario, under: Strategy(name: "test", arrangement: scenario.inBackground()))
    let engine = VirtualEngine(costs: .none, detail: .trace, scheduling: .mainFirst)
    let trace = try #require(engine.run(plan).trace)
    #expect(spans(trace.threads[1]) == ["preempted 0-40", "step 0.0.0 40-66"])
  }

  /// Beside a busy process, drawing is preempted a hundred times a frame.
  @Test func `a thread that is preempted often loses no spans`() throws {
    var scenario = Scenario.files(
      .once(1, start: .zero), render: .milliseconds(8), duration: .seconds(1))
    scenario.machine.busy = 1
    scenario.machine.slice = .microseconds(100)
    let trace = try trace(scenario, .onMain(scenario))
    #expect(trace.lost == 0)
    #expect(trace.threads[0].spans.count { $0.activity == .preempted } > 3000)
  }

  @Test func `spans cut off by the end reach up to it`() throws {
    let scenario = Scenario.files(.once(9, start: .zero), duration: .milliseconds(20))
    let trace = try trace(scenario, .onMain(scenario))
    #expect(spans(trace.threads[0]).suffix(2) == ["logic 182-200", "step 0.7.0 182-200"])
  }

  @Test(arguments: ["main-thread", "time-sliced", "threads-and-locks", "schedulable"])
  func `tracing changes nothing`(_ name: String) throws {
    let scenario = Scenario.cameraUpload(duration: .seconds(3))
    let plan = RunPlan(scenario, under: try StrategyCatalog.strategy(name, for: scenario))
    let plain = VirtualEngine(detail: .frames).run(plan)
    let traced = VirtualEngine(detail: .trace).run(plan)
    #expect(plain.frames.records == traced.frames.records)
    #expect(plain.totals.contextSwitches == traced.totals.contextSwitches)
    #expect(plain.items.map(\.completions) == traced.items.map(\.completions))
    #expect(plain.trace == nil && traced.trace?.lost == 0)
  }
}
