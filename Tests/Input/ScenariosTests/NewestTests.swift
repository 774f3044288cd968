import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import Testing

/// Search as the user types: what files say about items of which only the newest matters, and what follows.
@Suite struct NewestTests {
  /// A key each 100 ms from 1 s to 1.9 s, and a search of four steps of 60 ms on a lane.
  private static func typing(_ admission: String, strategy: String = "lane") throws -> RunMetrics {
    try run(
      """
      scenario: typing
      display: {refresh: 100 Hz, render: 2 ms}
      duration: 4 s
      services: {index: {}}
      workloads:
        - name: key
          arrival: {at: [1 s, 1.1 s, 1.2 s, 1.3 s, 1.4 s, 1.5 s, 1.6 s, 1.7 s, 1.8 s, 1.9 s]}
          steps: [{service: index, cpu: 60 ms, repeat: 4}]
          result: {cpu: 1 ms}
          priority: user
          input: true
          respond_within: 400 ms
          \(admission)
      strategies:
        - main-thread
        - as: lane
          lanes: {search: {}}
          services: {index: search}
      """, strategy)
  }

  /// A run of `scenario` under one of its strategies.
  private static func run(_ scenario: String, _ strategy: String) throws -> RunMetrics {
    let scenario = try ScenarioFile.parse(Array(scenario.utf8), file: "newest.yaml")
    let chosen = try #require(scenario.strategies.first { $0.name == strategy })
    let log = VirtualEngine(costs: .none).run(RunPlan(scenario, under: chosen))
    #expect(log.status == .complete, "\(log.violations)")
    return RunMetrics(log)
  }

  /// The end of the last item's steps, in milliseconds.
  private static func end(_ metrics: RunMetrics) -> Double {
    Double(metrics.log.items[0].completions[9]) / 1e6
  }

  @Test func `without a rule each search runs, and the last one waits for all others`() throws {
    let all = try Self.typing("")
    #expect(all.items.done == 10 && all.items.replaced == 0)
    #expect(Self.end(all) == 1000 + 10 * 240)
    #expect(try #require(all.items.responsesLate) > 5)
    #expect(try Self.typing("admission: all").items.done == 10)
  }

  /// At 1.1 s the first search is in its second run, which ends at 1.12; the next one ends at 1.24, and so on: each ends where
  /// a run ends after the next key. The last one begins at 1.92 s at the latest.
  @Test func `latest ends each search for the newer one, which answers for all`() throws {
    let latest = try Self.typing("admission: latest")
    #expect(latest.items.done == 1 && latest.items.replaced == 9 && latest.items.pending == 0)
    #expect((1900 + 240...1960 + 240).contains(Self.end(latest)))
    let log = latest.log.items[0]
    #expect(Set(log.responses).count == 1 && log.responses[0] > log.completions[9])
    #expect(latest.items.responses?.openCount == 0)
  }

  @Test func `debounce searches once, 300 ms behind the last key`() throws {
    let debounced = try Self.typing("admission: {debounce: 300 ms}")
    #expect(debounced.items.done == 1 && debounced.items.replaced == 9)
    #expect(Self.end(debounced) == 1900 + 300 + 240)
  }

  /// Searches start at 1, 1.25, 1.5, 1.75 and 2 s, with the newest key of each time.
  @Test func `throttle searches at most once in its time, at its start and at its end`() throws {
    let throttled = try Self.typing("admission: {throttle: 250 ms}")
    #expect(throttled.items.done == 5 && throttled.items.replaced == 5)
    #expect(Self.end(throttled) == 2000 + 240)
    let done = throttled.log.items[0].completions.indices.filter {
      throttled.log.items[0].completions[$0] >= 0
    }
    #expect(done == [0, 2, 5, 7, 9])
  }

  /// The first search blocks the main thread until 1.24 s, in a frame of 100 Hz that ends with 2 ms of drawing. Then 1.1 and 1.2
  /// have come, of which the second runs.
  @Test func `on the main thread a search runs to its end, and skips the keys that came meanwhile`()
    throws
  {
    let latest = try Self.typing("admission: latest", strategy: "main-thread")
    #expect(latest.items.replaced > 0 && latest.items.pending == 0)
    #expect(latest.items.done + latest.items.replaced == 10)
    #expect(latest.log.items[0].isReplaced(1) && !latest.log.items[0].isReplaced(2))
    #expect(latest.items.interactions?.count == 10)
  }

  /// Two keys at 0.5 and 0.9 s; the run ends at 1 s.
  private static func cut(_ steps: String, strategy: String) throws -> ItemMetrics {
    try run(
      """
      scenario: cut
      display: {refresh: 100 Hz}
      duration: 1 s
      services: {index: {}, ui: {}}
      workloads:
        - name: key
          arrival: {at: [500 ms, 900 ms]}
          steps: [\(steps)]
          admission: latest
      strategies:
        - main-thread
        - threads-and-locks
        - as: lane
          lanes: {search: {}}
          services: {index: search}
      """, strategy
    ).items
  }

  /// No newer item can end it, so that it would be done: it is pending.
  @Test(
    arguments: ["main-thread", "threads-and-locks", "lane"],
    [
      "{service: index, suspend: 600 ms}", "{service: index, cpu: 600 ms}",
      "{service: index, wait: 600 ms}", "{service: index, suspend: 300 ms, repeat: 2}",
      "{service: index, cpu: 1 ms, await: false}, {service: index, suspend: 600 ms, join: true}",
      "{service: index, suspend: 600 ms, await: false}, {service: index, cpu: 1 ms}",
    ])
  func `an item that is in its last step when the run ends is pending`(
    strategy: String, steps: String
  ) throws {
    let items = try Self.cut(steps, strategy: strategy)
    #expect(items.pending == 2 && items.replaced == 0)
  }

  @Test(
    arguments: ["main-thread", "threads-and-locks", "lane"],
    [
      "{service: index, suspend: 600 ms}, {service: ui, cpu: 1 ms}",
      "{service: index, cpu: 600 ms}, {service: index, cpu: 1 ms}",
      "{service: index, suspend: 300 ms, repeat: 3}",
      "{service: index, suspend: 600 ms, await: false}, {service: ui, cpu: 1 ms, join: true}",
    ])
  func `an item before its last step when the run ends would be ended, so that it is replaced`(
    strategy: String, steps: String
  ) throws {
    let items = try Self.cut(steps, strategy: strategy)
    #expect(items.pending == 1 && items.replaced == 1)
  }

  /// The callback is due at 0.5 s, while the main thread is busy until 0.6 s; it is old enough at 0.8 s.
  @Test func `a debounced timer counts its age from when it was due`() throws {
    let scenario = try ScenarioFile.parse(
      Array(
        """
        scenario: timer
        display: {refresh: 100 Hz, main-loop: events}
        duration: 2 s
        services: {index: {}}
        workloads:
          - {name: block, arrival: {at: [400 ms]}, steps: [{service: index, cpu: 200 ms}]}
          - name: timer
            arrival: {at: [500 ms]}
            steps: [{service: index, cpu: 1 ms}]
            timer: true
            admission: {debounce: 300 ms}
        strategies: [main-thread]
        """.utf8), file: "timer.yaml")
    let log = VirtualEngine(costs: .none).run(RunPlan(scenario, under: scenario.strategies[0]))
    #expect(log.items[1].completions == [801_000_000])
  }

  @Test func `an arrangement may choose the rule, only where a workload allows it`() throws {
    func parse(_ admission: String) throws -> Scenario {
      try ScenarioFile.parse(
        Array(
          """
          scenario: rules
          display: {refresh: 60 Hz}
          duration: 1 s
          services: {a: {}}
          workloads:
            - {name: one, arrival: {once: 1}, steps: [{service: a, cpu: 1 ms}]\(admission)}
          strategies:
            - newest
            - newest: {throttle: 50 ms}
            - {as: mine, newest: {debounce: 1 s}}
          """.utf8), file: "rules.yaml")
    }
    let scenario = try parse(", admission: latest")
    #expect(
      scenario.strategies.map(\.arrangement.newest) == [
        .latest, .throttle(.milliseconds(50)), .debounce(.seconds(1)),
      ])
    #expect(throws: ScenarioError.self) { try parse("") }
  }
}
