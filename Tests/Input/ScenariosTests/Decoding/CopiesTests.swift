import FrameBudget
import FrameBudgetScenarios
import Testing

@Suite struct `Copies of a workload` {
  private static let text = """
    scenario: copied
    display: {refresh: 60 Hz}
    duration: 10 s
    services: {clock: {}, worker: {state: 7 records}, catalogue: {}}
    workloads:
      - name: sync
        copies: 3
        own: [worker]
        arrival: ARRIVAL
        priority: user
        steps: [{service: worker, cpu: 1 ms, calls: [catalogue, worker]}]
      - name: tap
        arrival: {every: 1 s}
        steps: [{service: clock, cpu: 1 ms}]
    ui: {reads: [{service: catalogue, cpu: 20 us}]}
    strategies: [STRATEGY]

    """

  private func scenario(
    _ arrival: String = "{once: 8, start: 1 s}", strategy: String = "schedulable",
    _ overrides: String...
  ) throws -> Scenario {
    let text = Self.text.replacing("ARRIVAL", with: arrival)
      .replacing("STRATEGY", with: strategy)
    return try ScenarioFile.parse(
      Array(text.utf8), file: "copied.yaml",
      overrides: overrides.map { try Override(parsing: $0) })
  }

  @Test func `have numbers from 1 on, and so do their own services`() throws {
    let scenario = try scenario()
    #expect(scenario.workloads.map(\.name) == ["sync-1", "sync-2", "sync-3", "tap"])
    #expect(scenario.workloads.map(\.copyOf) == ["sync", "sync", "sync", nil])
    #expect(
      scenario.services.map(\.name) == ["clock", "worker-1", "worker-2", "worker-3", "catalogue"])
    #expect(scenario.services.map(\.records) == [0, 7, 7, 7, 0])
    #expect(scenario.workloads.map(\.priority) == [.user, .user, .user, .background])
  }

  @Test func `use their own services and the others' shared ones`() throws {
    let scenario = try scenario()
    #expect(
      scenario.workloads.map { $0.steps.map(\.service) } == [
        [1, 4, 1], [2, 4, 2], [3, 4, 3], [0],
      ])
    #expect(scenario.reads.map(\.service) == [4])
  }

  @Test func `share what arrives, as evenly as can be`() throws {
    let one = TimeSpan.seconds(1)
    #expect(
      try scenario().workloads.prefix(3).map(\.arrival) == [
        .once(3, start: one), .once(3, start: one), .once(2, start: one),
      ])
    #expect(
      try scenario("{batch: 4, every: 1 s}").workloads.prefix(3).map(\.arrival) == [
        .batch(2, every: one, start: .zero), .batch(1, every: one, start: .zero),
        .batch(1, every: one, start: .zero),
      ])
    #expect(
      try scenario("{rate: 30/s}").workloads.prefix(3).map(\.arrival)
        == Array(repeating: .rate(perSecond: 10, start: .zero), count: 3))
    #expect(
      try scenario("{at: [1 s, 2 s, 3 s, 4 s]}").workloads.prefix(3).map(\.arrival) == [
        .at([one, one * 4]), .at([one * 2]), .at([one * 3]),
      ])
  }

  @Test func `are as many as a flag says, under the name that the file has`() throws {
    let many = try scenario("{once: 1000}", "workloads.sync.copies=200")
    #expect(many.workloads.count == 201 && many.services.count == 202)
    let single = try scenario("{once: 1000}", "workloads.sync.copies=1")
    #expect(single.workloads.map(\.name) == ["sync-1", "tap"])
    #expect(single.workloads[0].arrival == .once(1000, start: .zero))
  }

  @Test func `are placed together, by the name that the file has`() throws {
    let mine = """
      {as: mine, lanes: {one: {}, two: {}}, locks: {all: {}}, reads: direct,
      services: {worker: {lock: all}, clock: two}, entry: {sync: one}}
      """
    let scenario = try scenario(strategy: mine)
    let arrangement = try #require(scenario.strategies.first?.arrangement)
    #expect(
      arrangement.placement == [
        .home(2), .guarded(0), .guarded(0), .guarded(0), .home(.main),
      ])
    #expect(arrangement.entry == [1, 1, 1, .main])
  }

  @Test func `have threads of their own where workloads have them`() throws {
    let scenario = try scenario(strategy: "threads-and-locks")
    #expect(
      scenario.strategies.first?.arrangement.lanes.map(\.name) == [
        "main", "sync-1", "sync-2", "sync-3", "tap",
      ])
  }
}
