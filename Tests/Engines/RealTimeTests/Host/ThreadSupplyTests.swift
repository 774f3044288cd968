import FrameBudget
import Testing

@testable import FrameBudgetRealTime

struct ThreadSupplyTests {
  private static let scenario: Scenario = {
    var scenario = Scenario(
      name: "two", display: Display(refresh: RefreshRate(60)), duration: .seconds(1))
    scenario.services = [Service(name: "files"), Service(name: "catalogue")]
    scenario.workloads = [
      Workload(
        name: "add", arrival: .once(1, start: .zero),
        steps: [0, 1].map {
          Step(name: "step \($0)", service: $0, load: .cpu(.constant(.milliseconds(1))))
        })
    ]
    return scenario
  }()

  /// With four cores: own threads, pools of four, and one of Dispatch's own.
  @Test(arguments: [
    ("main-thread", 0), ("schedulable", 1), ("threads-and-locks", 1), ("gcd-serial", 2),
    ("gcd-concurrent", 5), ("operation-queue", 2), ("observe-on", 5), ("actors", 5),
    ("actors-on-scheduler", 7), ("event-loop", 6), ("bridge", 1), ("process", 2), ("job-queue", 1),
  ])
  func `an arrangement needs the threads of its lanes`(_ name: String, _ threads: Int) throws {
    let strategy = try StrategyCatalog.strategy(name, for: Self.scenario)
    #expect(strategy.arrangement.maxThreads(cores: 4) == threads)
  }

  @Test func `a few threads can be created repeatedly`() throws {
    for _ in 0..<20 { try ThreadSupply.require(8) }
    try ThreadSupply.require(0)
  }

  @Test func `threads of Dispatch's pools are counted`() async {
    let count = await Task.detached { ThreadSupply.poolThreads }.value
    #expect(count >= 1)
  }
}
