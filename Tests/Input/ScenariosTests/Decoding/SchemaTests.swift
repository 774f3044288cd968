import FrameBudget
import FrameBudgetScenarios
import Testing

/// Every key of the schema, and its effect.
struct SchemaTests {
  @Test func `missing keys have the defaults of the contract`() throws {
    let scenario = try Minimal.scenario()
    #expect(scenario.about.isEmpty)
    #expect(scenario.display.render == .none)
    #expect(scenario.warmup == .milliseconds(300))
    #expect(scenario.seed == 1)
    #expect(scenario.machine == Machine(cores: 2))
    #expect(scenario.reads.isEmpty)
    #expect(scenario.expectations.isEmpty)
    #expect(scenario.workloads[0].priority == .background)
    #expect(scenario.workloads[0].respondWithin == nil)
    #expect(scenario.workloads[0].item == nil)
    #expect(scenario.workloads[0].result == .none)
    #expect(!scenario.workloads[0].isInput && !scenario.workloads[0].draws)
    #expect(!scenario.workloads[0].isTimer)
  }

  @Test func `items of a workload may be the user's input, or callbacks of timers`() throws {
    let scenario = try ScenarioFile.parse(
      Array(
        """
        scenario: inputs
        display: {refresh: 60 Hz}
        duration: 1 s
        services: {a: {}}
        workloads:
          - {name: tap, arrival: {every: 1 s}, input: on, timer: off, steps: [{service: a, cpu: 1 ms}]}
          - {name: scan, arrival: {once: 1}, input: false, timer: true, steps: [{service: a, cpu: 1 ms}]}
        """.utf8), file: "inputs.yaml")
    #expect(scenario.workloads.map(\.isInput) == [true, false])
    #expect(scenario.workloads.map(\.isTimer) == [false, true])
  }

  @Test func `without a list, the strategies that differ in kind are used`() throws {
    let usual = [
      "main-thread", "time-sliced", "threads-and-locks", "schedulable-priorities", "actors",
    ]
    #expect(try Minimal.scenario().strategies.map(\.label) == usual)
  }

  @Test func `the keys at the top are taken over`() throws {
    let scenario = try Minimal.scenario(
      """
      about: What it shows.
      warmup: 1 s
      seed: 18446744073709551615
      machine: {speeds: [1, 0.5, 0.125]}
      """)
    #expect(scenario.name == "minimal")
    #expect(scenario.about == "What it shows.")
    #expect(scenario.warmup == .seconds(1))
    #expect(scenario.seed == .max)
    #expect(scenario.machine == Machine(speeds: [1000, 500, 125]))
  }

  @Test func `a learned scenario names its recording and the file of its arrivals`() throws {
    let plain = try Minimal.scenario()
    #expect(plain.learned == nil && plain.phase == .recorded)
    let scenario = try Minimal.scenario(
      """
      phase: random
      learned: {source: trace.json, coverage: 0.93, replay: poor}
      """)
    #expect(scenario.phase == .random)
    #expect(scenario.learned == Learned(source: "trace.json", coverage: 0.93, replay: .poor))
  }

  @Test func `machine takes cores`() throws {
    #expect(try Minimal.scenario("machine: {cores: 8}").machine == Machine(cores: 8))
    let both = try Minimal.scenario("machine: {cores: 2, speeds: [1, 2]}").machine
    #expect(both == Machine(speeds: [1000, 2000]))
  }

  @Test func `machine sets how threads get cores, and which other processes use them`() throws {
    let plain = try Minimal.scenario("machine: {cores: 4}").machine
    let text = "machine: {cores: 4, scheduler: per-core, pools: on, slice: 3 ms, busy: 2}"
    var expected = Machine(cores: 4)
    expected.scheduler = .perCore
    expected.hasPools = true
    expected.slice = .milliseconds(3)
    expected.busy = 2
    #expect(try Minimal.scenario(text).machine == expected)
    #expect(plain.slice == nil && plain.busy == 0)
    // Without a number there are as many cores as without a machine.
    #expect(try Minimal.scenario("machine: {busy: 1}").machine.cores == 2)
    #expect(expected.having(cores: 1).busy == 2 && expected.having(cores: 1).speeds == [1000])
  }

  @Test(arguments: [
    ("10 ms", DurationDistribution.constant(.milliseconds(10))),
    ("0", .constant(.zero)),
    ("{constant: 10 ms}", .constant(.milliseconds(10))),
    ("{uniform: {from: 8 ms, to: 12 ms}}", .uniform(from: .milliseconds(8), to: .milliseconds(12))),
    (
      "{normal: {mean: 10 ms, deviation: 1 ms}}",
      .normal(mean: .milliseconds(10), deviation: .milliseconds(1))
    ),
    ("{exponential: {mean: 3 ms}}", .exponential(mean: .milliseconds(3))),
  ])
  func `every time can be a duration or a distribution`(
    text: String, distribution: DurationDistribution
  ) throws {
    let scenario = try ScenarioFile.parse(
      Array(
        """
        scenario: times
        display: {refresh: 59.94 Hz, render: \(text)}
        duration: 1 s
        services: {a: {}}
        workloads:
          - name: w
            arrival: {once: 1}
            result: {cpu: \(text)}
            steps: [{service: a, cpu: \(text)}, {service: a, work: \(text), touches: 1 MB}]
        ui: {reads: [{service: a, cpu: \(text)}]}
        """.utf8), file: "times.yaml")
    #expect(scenario.display.refresh == RefreshRate(60_000, over: 1001))
    #expect(scenario.display.render == distribution)
    #expect(scenario.workloads[0].result == distribution)
    #expect(
      scenario.workloads[0].steps.map(\.load)
        == [.cpu(distribution), .work(distribution, touches: 1_000_000)])
    #expect(scenario.reads == [UIRead(service: 0, cpu: distribution)])
  }

  @Test(arguments: [
    ("{once: 5}", Arrival.once(5, start: .zero)),
    ("{once: 5, start: 1 s}", .once(5, start: .seconds(1))),
    ("{every: 2 s}", .batch(1, every: .seconds(2), start: .zero)),
    ("{batch: 3, every: 2 s, start: 1 s}", .batch(3, every: .seconds(2), start: .seconds(1))),
    ("{rate: 30/s, start: 1 s}", .rate(perSecond: 30, start: .seconds(1))),
    ("{at: [1 s, 1 s, 2 s]}", .at([.seconds(1), .seconds(1), .seconds(2)])),
    ("{at: []}", .at([])),
  ])
  func `items arrive as said`(text: String, arrival: Arrival) throws {
    let workload = "    arrival: \(text)\n    steps: [{service: b, cpu: 1 ms}]\n"
    let scenario = try ScenarioFile.parse(
      Array(
        ("scenario: arrivals\ndisplay: {refresh: 60 Hz}\nduration: 10 s\nservices: {b: }\n"
          + "workloads:\n  - name: w\n" + workload).utf8), file: "arrivals.yaml")
    #expect(scenario.workloads.map(\.arrival) == [arrival])
  }

  @Test func `a step takes its service's name unless it has its own, and may only wait`() throws {
    let scenario = try ScenarioFile.parse(
      Array(
        """
        workloads:
          - name: tap
            priority: user
            respond_within: 100 ms
            arrival: {once: 1}
            steps:
              - {service: b, wait: 4 ms}
              - {name: own, service: a, cpu: 1 ms, wait: 2 ms}
              - {service: b, work: 1 ms}
        services: {a: {}, b: {state: 12 records}}
        duration: 1 s
        display: {refresh: 60 Hz}
        scenario: steps
        """.utf8), file: "steps.yaml")
    #expect(
      scenario.workloads[0].steps == [
        Step(name: "b", service: 1, load: .cpu(.none), wait: .constant(.milliseconds(4))),
        Step(
          name: "own", service: 0, load: .cpu(.constant(.milliseconds(1))),
          wait: .constant(.milliseconds(2))),
        Step(name: "b", service: 1, load: .work(.constant(.milliseconds(1)), touches: 0)),
      ])
    #expect(scenario.workloads[0].priority == .user)
    #expect(scenario.workloads[0].respondWithin == .milliseconds(100))
    #expect(scenario.services == [Service(name: "a"), Service(name: "b", records: 12)])
  }

  @Test func `a step calls services in turn, at the cost of the hops only`() throws {
    let steps = [
      Step(name: "go", service: 0, load: .cpu(.constant(.milliseconds(1)))),
      Step(name: "catalogue", service: 1, load: .cpu(.none)),
      Step(name: "gallery", service: 0, load: .cpu(.none)),
    ]
    let text = Minimal.text.replacing(
      "{service: gallery, cpu: 1 ms}",
      with: "{name: go, service: gallery, cpu: 1 ms, calls: [catalogue, gallery]}")
    let scenario = try ScenarioFile.parse(Array(text.utf8), file: "calls.yaml")
    #expect(scenario.workloads[0].steps == steps)
    let misspelt = text.replacing("[catalogue,", with: "[catalog,")
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioFile.parse(Array(misspelt.utf8), file: "calls.yaml")
    }
    #expect(error.map { "\($0)" }?.contains("did you mean 'catalogue'?") == true)
  }

  @Test func `an expectation bounds a metric of a strategy on an engine`() throws {
    let scenario = try Minimal.scenario(
      """
      strategies: [main-thread, throttled: {batch: 5, interval: 1 s}]
      expect:
        virtual:
          main-thread: {dropped_frames: {min: 1, max: 2.5}}
          throttled: {items_pending: {max: 0}}
        real:
          "throttled:interval=1s:batch=5": {frame_ms_p50: {min: 0.000001}}
      """)
    #expect(
      scenario.expectations == [
        Expectation(
          engine: .virtual, strategy: "main-thread",
          Aim(
            "dropped_frames", minimum: 1,
            maximum: 2.5)),
        Expectation(
          engine: .virtual, strategy: "throttled", Aim("items_pending", maximum: 0)),
        Expectation(
          engine: .real, strategy: "throttled:batch=5:interval=1 s",
          Aim(
            "frame_ms_p50",
            minimum: 0.000001)),
      ])
  }
}
