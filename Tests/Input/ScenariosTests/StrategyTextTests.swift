import FrameBudget
import FrameBudgetScenarios
import Testing

/// A scenario that is written with strategies of its own is read back unchanged.
@Suite struct StrategyTextTests {
  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `of every shipped scenario`(_ name: String) throws {
    let shipped = try #require(ShippedScenarios.scenario(name))
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    // Also named strategies, as their arrangements.
    let whole = scenario.strategies.enumerated().map { place, strategy in
      Strategy(
        name: "own-\(place)", arrangement: strategy.arrangement, isAdvised: place % 2 == 0)
    }.filter { ScenarioFile.canDescribe($0, of: scenario) }
    let strategies = scenario.strategies + whole
    let text = try ScenarioFile.text(
      of: shipped.bytes, file: shipped.file, comparing: strategies)
    let read = try ScenarioFile.parse(Array(text.utf8), file: "\(name).yaml")
    #expect(read.strategies == strategies)
    #expect(read.about == scenario.about && read.display == scenario.display)
    #expect(read.services == scenario.services && read.reads == scenario.reads)
    #expect(read.machine == scenario.machine && read.accounts == scenario.accounts)
    #expect(read.workloads.map(\.steps) == scenario.workloads.map(\.steps))
    #expect(read.workloads.map(\.arrival) == scenario.workloads.map(\.arrival))
    #expect(read.expectations.isEmpty)
  }

  @Test func `with changes, texts that need quotes, and aims`() throws {
    let text = """
      scenario: odd
      about: "quotes \\" and: colons, # and \\n lines"
      display: {refresh: 60 Hz}
      duration: 1 s
      services: {files: {}}
      workloads: [{name: add, arrival: {once: 1}, steps: [{service: files, cpu: 1 ms}]}]
      strategies: [main-thread]
      expect: {any: {dropped_frames: {max: 0}}, virtual: {main-thread: {dropped_frames: {max: 9}}}}
      """
    let changes = [Override(path: "duration", value: "2 s"), Override(path: "seed", value: "9")]
    let original = try ScenarioFile.parse(Array(text.utf8), file: "odd.yaml", overrides: changes)
    let written = try ScenarioFile.text(
      of: Array(text.utf8), file: "odd.yaml", overrides: changes,
      comparing: original.strategies)
    let read = try ScenarioFile.parse(Array(written.utf8), file: "written.yaml")
    #expect(read.about == original.about && read.about.contains("\n"))
    #expect(read.duration == .seconds(2) && read.seed == 9)
    #expect(read.aims == original.aims && read.aims.count == 1)
    #expect(read.expectations.isEmpty)
  }

  @Test func `with parts of drawing that run early, are in a cache or spread`() throws {
    let text = """
      scenario: list
      display: {refresh: 60 Hz}
      duration: 1 s
      ui:
        frame:
          - {name: measure, cpu: 1 ms}
          - {name: bind-rows, cpu: 4 ms, ahead: 12}
          - {name: inflate, cpu: 2 ms, ahead: 2}
          - {name: icons, cpu: 1 ms}
          - {name: shadows, cpu: 1 ms}
          - {name: chart, cpu: 30 ms}
      strategies:
        - as: own
          frame:
            inflate: {prefetch: {frames: 2, estimate: exact}}
            bind-rows: {prefetch: {frames: 3}}
            icons: {cache: {hits: 80 %}}
            shadows: {cache: {hits: 99.125%}}
            chart: {spread: {budget: 4100 us}}
      """
    let original = try ScenarioFile.parse(Array(text.utf8), file: "list.yaml")
    let rules = original.strategies.map(\.arrangement.frameParts)
    #expect(
      rules == [
        [
          .inFrame, .prefetched(frames: 3, estimate: .learned),
          .prefetched(frames: 2, estimate: .exact), .cached(hits: 0.8), .cached(hits: 0.99125),
          .spread(budget: .microseconds(4100)),
        ]
      ])
    let written = try ScenarioFile.text(
      of: Array(text.utf8), file: "list.yaml", comparing: original.strategies)
    let read = try ScenarioFile.parse(Array(written.utf8), file: "written.yaml")
    #expect(read.strategies == original.strategies)
    #expect(read.frameParts == original.frameParts)
  }

  @Test func `with parts of drawing that lanes prepare`() throws {
    let text = """
      scenario: list
      display: {refresh: 60 Hz}
      duration: 1 s
      ui: {frame: [{name: text, cpu: 4 ms, ahead: 2}, {name: icons, cpu: 1 ms}]}
      strategies:
        - as: own
          lanes: {first: {}, layout: {carrier: dispatch}}
          frame:
            icons: {prepare: {lane: first}}
            text: {prepare: {lane: layout, frames: 2, late: wait}}
          present: {later: 2}
      """
    let original = try ScenarioFile.parse(Array(text.utf8), file: "list.yaml")
    #expect(
      original.strategies.map(\.arrangement.frameParts) == [
        [.prepared(lane: 2, frames: 2), .prepared(lane: 1, frames: 0)]
      ])
    #expect(original.strategies.map(\.arrangement.presentsLater) == [2])
    let written = try ScenarioFile.text(
      of: Array(text.utf8), file: "list.yaml", comparing: original.strategies)
    let read = try ScenarioFile.parse(Array(written.utf8), file: "written.yaml")
    #expect(read.strategies == original.strategies)
  }

  @Test func `with the cores that a lane is kept on`() throws {
    let text = """
      scenario: bound
      display: {refresh: 60 Hz}
      duration: 1 s
      machine: {cores: 4}
      services: {files: {}}
      workloads: [{name: add, arrival: {once: 1}, steps: [{service: files, cpu: 1 ms}]}]
      strategies:
        - as: small-cores
          lanes: {back: {on: [2, 3]}}
          services: {files: back}
      """
    let scenario = try ScenarioFile.parse(Array(text.utf8), file: "bound.yaml")
    #expect(scenario.strategies[0].arrangement.lanes[1].cores == CoreSet([2, 3]))
    let written = try ScenarioFile.text(
      of: Array(text.utf8), file: "bound.yaml", comparing: scenario.strategies)
    let read = try ScenarioFile.parse(Array(written.utf8), file: "written.yaml")
    #expect(read.strategies == scenario.strategies)
  }

  @Test func `copies of a service can be said in one place only`() throws {
    let shipped = try #require(ShippedScenarios.scenario("many-services"))
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    let schedulable = try StrategyCatalog.strategy("schedulable", for: scenario)
    let actors = try StrategyCatalog.strategy("actors", for: scenario)
    #expect(ScenarioFile.canDescribe(actors, of: scenario))
    for (strategy, canBeSaid) in [(schedulable, true), (actors, false)] {
      let own = Strategy(name: "own", arrangement: strategy.arrangement)
      #expect(ScenarioFile.canDescribe(own, of: scenario) == canBeSaid)
    }
  }
}
