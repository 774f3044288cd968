import FrameBudget
import Testing

/// Items with forks: when a join continues, when the item is done, and which thread accounts for it at the end.
@Suite struct ItemPartsTests {
  /// For one item whose two steps can be left to another lane.
  private static func parts() throws -> ItemParts {
    var scenario = Scenario.with([.files()])
    for step in scenario.workloads[0].steps.indices {
      scenario.workloads[0].steps[step].isAwaited = false
    }
    return ItemParts(
      RunPlan(scenario, under: try StrategyCatalog.strategy("actors", for: scenario)))
  }

  @Test func `a chain waits for its open forks, and resumes when the last one ends`() throws {
    var parts = try Self.parts()
    #expect(parts.covers(0) && !parts.hasOpen(0, 0))
    parts.forks(0, 0)
    parts.forks(0, 0)
    let waits = parts.waits(0, 0, at: 2)
    let ends = [parts.forkEnds(0, 0), parts.forkEnds(0, 0), parts.chainEnds(0, 0)]
    #expect(waits && ends == [.nothing, .resumes(step: 2), .isDone])
  }

  @Test func `a join after finished forks does not wait`() throws {
    var parts = try Self.parts()
    parts.forks(0, 7)
    let end = parts.forkEnds(0, 7)
    let waits = parts.waits(0, 7, at: 1)
    #expect(end == .nothing && !waits)
  }

  @Test func `an item is done when its last part is done, whichever that is`() throws {
    var parts = try Self.parts()
    parts.forks(0, 0)
    let chainFirst = [parts.chainEnds(0, 0), parts.forkEnds(0, 0)]
    #expect(chainFirst == [.nothing, .isDone])
    parts.forks(0, 1)
    let forkFirst = [parts.forkEnds(0, 1), parts.chainEnds(0, 1)]
    #expect(forkFirst == [.nothing, .isDone])
  }

  @Test func `several threads that run one item count as one`() throws {
    var parts = try Self.parts()
    let begins = [parts.begins(0, 0), parts.begins(0, 0)]
    let releases = [parts.releases(0, 0), parts.releases(0, 0)]
    #expect(begins == [true, false] && releases == [false, true])
  }

  @Test func `items cut off by a stopped run are counted when their last part ends`() throws {
    var parts = try Self.parts()
    parts.forks(0, 0)
    parts.forks(0, 0)
    let abandons = [true, false, true].map { parts.abandons(0, 0, isFork: $0) }
    #expect(abandons == [false, false, true])
    // No thread holds a waiting chain: it ends with the forks for which it waits.
    parts.forks(0, 1)
    let waits = parts.waits(0, 1, at: 1)
    let isLast = parts.abandons(0, 1, isFork: true)
    #expect(waits && isLast)
  }

  @Test func `items that never leave the main thread are in one piece`() {
    var scenario = Scenario.with([.files()])
    scenario.workloads[0].steps[0].isAwaited = false
    let strategy = Strategy(name: "main", arrangement: .onMain(scenario))
    #expect(!ItemParts(RunPlan(scenario, under: strategy)).covers(0))
  }

  @Test func `a step under a lock is done by the item itself`() throws {
    var scenario = Scenario.with([.files()])
    scenario.workloads[0].steps[0].isAwaited = false
    let strategy = try StrategyCatalog.strategy("threads-and-locks", for: scenario)
    #expect(!ItemParts(RunPlan(scenario, under: strategy)).covers(0))
  }
}
