import FrameBudget
import FrameBudgetScenarios
import Testing

struct StrategyListTests {
  private static let own = "strategies: [main-thread, {as: two-lanes, lanes: {back: {}}}]\n"

  private func labels(_ text: String) throws -> [String] {
    try StrategyList.parse(text, for: Minimal.scenario(Self.own)).map(\.label)
  }

  @Test func `names are separated by commas`() throws {
    #expect(
      try labels("main-thread,schedulable, throttled") == [
        "main-thread", "schedulable", "throttled",
      ])
  }

  @Test func `options follow a colon each`() throws {
    let strategies = try StrategyList.parse(
      "throttled:batch=500:interval=2 s,threads-and-locks:lock=fair", for: Minimal.scenario())
    #expect(
      strategies.map(\.label) == [
        "throttled:batch=500:interval=2 s", "threads-and-locks:lock=fair",
      ])
    #expect(strategies[0].arrangement.admission == .batch(500, every: .seconds(2)))
    #expect(strategies[1].arrangement.locks.map(\.kind) == [.fair, .fair])
  }

  @Test func `all means every named strategy with its defaults`() throws {
    let names = StrategyCatalog.all.map(\.name).filter { !["yielding", "newest"].contains($0) }
    #expect(try labels("all") == names)
    #expect(try labels("two-lanes,all").count == names.count + 1)
  }

  @Test func `all omits strategies that the scenario does not support; named, they are an error`()
    throws
  {
    var scenario = try Minimal.scenario()
    let error = #expect(throws: StrategyError.self) {
      try StrategyList.parse("yielding", for: scenario)
    }
    #expect(
      error?.description
        == "strategy yielding yields; that needs 'main-loop: events' in the display")
    scenario.display.mainLoop = .events(MainLoop.Events())
    scenario.workloads[0].admission = .all
    let all = try StrategyList.parse("all", for: scenario)
    #expect(all.map(\.name) == StrategyCatalog.all.map(\.name))
  }

  @Test func `all omits excluded strategies, unless they are named`() throws {
    let scenario = try Minimal.scenario(Self.own)
    let some = try StrategyList.parse("two-lanes,all", for: scenario) { $0.name == "schedulable" }
    #expect(some.map(\.label) == ["two-lanes", "schedulable"])
  }

  @Test func `an arrangement of the scenario goes by its name`() throws {
    let scenario = try Minimal.scenario(Self.own)
    #expect(try StrategyList.parse("two-lanes", for: scenario) == [scenario.strategies[1]])
  }

  @Test(arguments: [
    ("main-tread", "'main-tread' is not a strategy; did you mean 'main-thread'?"),
    ("two-lane", "'two-lane' is not a strategy; did you mean 'two-lanes'?"),
    ("two-lanes:batch=1", "'batch' is not an option of two-lanes, which has none"),
    ("throttled:bacth=1", "'bacth' is not an option of throttled; did you mean 'batch'?"),
    ("throttled:batch", "'batch' is not an option; allowed: KEY=VALUE"),
    ("throttled:=1", "'=1' is not an option; allowed: KEY=VALUE"),
    (
      "throttled:batch=none",
      "'none' is not a value of option 'batch'; allowed: a whole number from 1 to 1000000"
    ),
    ("main-thread,main-thread", "'main-thread' is listed twice; allowed: once"),
    ("all,schedulable", "'schedulable' is listed twice; allowed: once"),
  ])
  func `errors name the fault and the allowed values`(text: String, error: String) {
    let thrown = #expect(throws: StrategyError.self) { try labels(text) }
    #expect(thrown?.description == error)
  }

  @Test(arguments: ["", ",", "main-thread,", ":"])
  func `an empty name is refused`(text: String) {
    #expect(throws: StrategyError.self) { try labels(text) }
  }
}
