import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import Testing

/// Steps that answer, repeat or are cut into slices, and results that are one update: what files say, and what follows.
@Suite struct StepWordTests {
  private static func parse(_ yaml: String) throws -> Scenario {
    try ScenarioFile.parse(Array(yaml.utf8), file: "words.yaml")
  }

  private static func run(_ scenario: Scenario, _ strategy: String) throws -> RunMetrics {
    let strategy = try #require(scenario.strategies.first { $0.name == strategy })
    let log = VirtualEngine().run(RunPlan(scenario, under: strategy))
    #expect(log.status == .complete, "\(log.violations)")
    return RunMetrics(log)
  }

  /// The sheet takes 20 ms, so the tap is answered within three vsyncs of 120 Hz after that.
  @Test func `a tap is answered when the sheet appears, and the rest loads behind it`() throws {
    func yaml(_ answers: String) -> String {
      """
      scenario: photo-sheet
      display: {refresh: 120 Hz, render: 3 ms, like: ios}
      duration: 10 s
      services: {photos: {}, sheet: {}}
      workloads:
        - name: open
          item: tap
          arrival: {at: [1 s, 6 s]}
          steps:
            - {name: present, service: sheet, cpu: 20 ms\(answers)}
            - {name: fetch, service: photos, cpu: 2 ms, wait: 3.6 s, await: false}
          priority: user
          input: true
          respond_within: 100 ms
      strategies:
        - as: loads-later
          lanes: {background: {carrier: dispatch}}
          services: {photos: background}
      """
    }
    let today = try Self.run(Self.parse(yaml("")), "loads-later")
    #expect(today.items.responsesLate == 2)
    let answered = try Self.run(Self.parse(yaml(", answers: true")), "loads-later")
    #expect(answered.items.responsesLate == 0)
    #expect(answered.items.done == 2)
    let longest = try #require(answered.items.responses?.quantile(1)?.value)
    #expect((20e6...45e6).contains(longest))
    #expect(try #require(answered.items.interactions?.inp?.duration) <= .milliseconds(48))
    // It counts as left until it ends.
    #expect(try #require(answered.items.latencies.quantile(1)?.value) > 3.6e9)
  }

  /// Each update takes 120 ms, and a message comes every 100 ms.
  @Test func `one update for all messages since the last one keeps up on the main thread`() throws {
    let scenario = try Self.parse(
      """
      scenario: socket-coalesce
      display: {refresh: 60 Hz, render: 2 ms, like: chrome}
      duration: 10 s
      services: {parser: {}, table: {}}
      workloads:
        - name: message
          arrival: {batch: 1, every: 100 ms}
          steps:
            - {name: parse, service: parser, cpu: 0.5 ms}
          result: {cpu: 120 ms}
        - name: click
          arrival: {batch: 1, every: 700 ms, start: 350 ms}
          steps: [{service: table, cpu: 1 ms}]
          priority: user
          input: true
          respond_within: 200 ms
      strategies:
        - as: each
          results: in-place
        - as: coalesced
          results: coalesced
      """)
    let (each, coalesced) = (
      try Self.run(scenario, "each"), try Self.run(scenario, "coalesced")
    )
    #expect(try #require(each.items.responses?.quantile(1)?.value) > 500e6)
    // Two updates with their drawing, 244 ms, until the next vsync but one at most.
    #expect(try #require(coalesced.items.responses?.quantile(1)?.value) <= 267e6)
    let messages = coalesced.log.items[0]
    // The last one comes 100 ms before the end, during an update.
    #expect(messages.doneCount >= 99 && coalesced.items.backlog == 0)
    for (item, arrival) in messages.arrivals.enumerated() {
      let waiting = messages.completions[...item].count { $0 < 0 || $0 > arrival }
      #expect(waiting <= 2, "message \(item)")
    }
  }

  @Test func `a step repeats with costs of its own, and a recorded cost is that of its item`()
    throws
  {
    let scenario = try Self.parse(
      """
      scenario: repeats
      display: {refresh: 60 Hz}
      duration: 3 s
      seed: 3
      services: {a: {}}
      workloads:
        - name: one
          arrival: {once: 2}
          steps: [{service: a, cpu: {uniform: {from: 1 ms, to: 2 ms}}, wait: 1 ms, repeat: 200}]
      strategies: [main-thread]
      """)
    let step = RunPlan(scenario, under: scenario.strategies[0]).workloads[0].steps[0]
    #expect(step.runs(item: 1) == 200)
    let costs = Set((0..<2).flatMap { item in (0..<200).map { step.cost(item: item, run: $0) } })
    #expect(costs.count > 390)
    #expect(step.time(of: 0..<200, item: 0).wait == .milliseconds(200))
    #expect(try Self.run(scenario, "main-thread").items.done == 2)
  }

  @Test func `slices are cut only where items take turns`() throws {
    let scenario = try Self.parse(
      """
      scenario: slices
      display: {refresh: 60 Hz, main-loop: {events: first, batch: one}}
      duration: 1 s
      services: {a: {}}
      workloads:
        - name: one
          arrival: {once: 1}
          steps: [{service: a, cpu: 62 ms, wait: 1 ms, slices: 4 ms}]
      strategies: [main-thread, yielding, schedulable]
      """)
    let runs = scenario.strategies.map {
      RunPlan(scenario, under: $0).workloads[0].steps[0].runs(item: 0)
    }
    #expect(runs == [1, 16, 1])
    let step = RunPlan(scenario, under: scenario.strategies[1]).workloads[0].steps[0]
    #expect(step.cost(item: 0, run: 15) == .milliseconds(2))
    #expect((0..<16).map { step.wait(item: 0, run: $0) }.reduce(.zero, +) == .milliseconds(1))
    #expect(try Self.run(scenario, "main-thread").frames.dropped > 0)
    #expect(try Self.run(scenario, "yielding").frames.dropped == 0)
  }

  @Test func `keys of steps that can have no effect are told`() throws {
    func notes(_ step: String, _ strategy: String) throws -> [String] {
      try Self.parse(
        """
        scenario: notes
        display: {refresh: 60 Hz, main-loop: {events: first, batch: one}}
        duration: 1 s
        services: {a: {}}
        workloads:
          - {name: one, arrival: {once: 1}, steps: [{service: a, cpu: 30 ms, \(step)}]}
        strategies: [\(strategy)]
        """
      ).stepKeysWithoutEffect
    }
    #expect(try notes("repeat: 2", "main-thread") == [])
    #expect(
      try notes("answers: true", "main-thread") == [
        "answers of step a of workload one has no effect: an item answers where it ends"
      ])
    #expect(try notes("slices: 4 ms", "yielding") == [])
    for strategy in ["main-thread", "schedulable"] {
      #expect(
        try notes("slices: 4 ms", strategy) == [
          "slices of step a of workload one has no effect: no strategy lets items on the main thread take turns in it"
        ])
    }
    #expect(try notes("slices: 40 ms", "yielding").count == 1)
  }
}
