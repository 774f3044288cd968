import FrameBudget
import Testing

struct RecordedDurationsTests {
  static let spans = [4, 8, 30].map { TimeSpan.milliseconds($0) }

  @Test func `recorded durations are replayed in order, and again from the start`() throws {
    let durations = try #require(RecordedDurations(Self.spans))
    #expect((0..<7).map { durations[$0].inMilliseconds } == [4, 8, 30, 4, 8, 30, 4])
    #expect((-3..<0).map { durations[$0].inMilliseconds } == [4, 8, 30])
    #expect(durations.mean == .milliseconds(14))
    #expect(RecordedDurations([]) == nil)
  }

  @Test func `drawing takes the recorded time of each frame`() throws {
    let durations = try #require(RecordedDurations(Self.spans))
    let scenario = Scenario(
      name: "replay", display: Display(refresh: RefreshRate(60), render: .recorded(durations)),
      duration: .seconds(1))
    let plan = RunPlan(scenario, under: try StrategyCatalog.strategy("main-thread", for: scenario))
    #expect((0..<4).map { plan.renderCost(vsync: $0).inMilliseconds } == [4, 8, 30, 4])
  }

  @Test func `a random draw is one of the recorded values`() throws {
    let distribution = DurationDistribution.recorded(try #require(RecordedDurations(Self.spans)))
    var stream = RandomStream(seed: 1, name: "draw")
    for _ in 0..<100 { #expect(Self.spans.contains(distribution.sample(using: &stream))) }
  }
}
