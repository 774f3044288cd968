import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

/// Parts of drawing in a cache, calculated by hand: 60 Hz, drawing 4 ms, and every sixth frame binds rows for 15 ms, which is 19 ms
/// of drawing. Seed 1 draws, for the frames 5, 11, 17, …, 59 (by another program):
///
///     0.237 0.773 0.134 0.724 0.478 0.973 0.776 0.422 0.893 0.838
@Suite struct `Parts that are in a cache` {
  private static let refresh = RefreshRate(60)
  private static let heavy = Array(stride(from: 5, to: 60, by: 6))
  private static let loops = [MainLoop.frame, .events(MainLoop.Events())]

  private static func scenario(_ loop: MainLoop = .frame, _ other: [FramePart] = []) -> Scenario {
    var scenario = Scenario(
      name: "list",
      display: Display(refresh: refresh, render: .constant(.ms(4)), mainLoop: loop),
      duration: refresh.vsync(60).sinceZero, warmup: .zero, services: [Service(name: "app")])
    let costs = [TimeSpan](repeating: .zero, count: 5) + [.ms(15)]
    let cpu = RecordedDurations(costs).map(DurationDistribution.recorded) ?? .none
    scenario.frameParts = other + [FramePart(name: "rows", cpu: cpu, ahead: 6)]
    return scenario
  }

  private static func run(_ scenario: Scenario, hits: Double) -> RunLog {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.frameParts = scenario.frameParts.map {
      $0.name == "rows" ? .cached(hits: hits) : .inFrame
    }
    return scenario.run(arrangement, detail: .frames)
  }

  private static func drops(_ log: RunLog) -> [Int] {
    log.frames.records.flatMap(\.droppedVsyncs)
  }

  /// Draws below 0.8 are hits: all but those of the frames 35, 53 and 59, each of which drops the vsync behind it.
  @Test(arguments: loops)
  func `with 80 % of hits, three of ten heavy frames bind rows`(loop: MainLoop) {
    let log = Self.run(Self.scenario(loop), hits: 0.8)
    #expect(Self.drops(log) == [36, 54, 60])
    for record in log.frames.records where Self.heavy.contains(record.beginVsync) {
      let isHit = ![35, 53, 59].contains(record.beginVsync)
      #expect(record.parts.first?.span == (isHit ? .zero : .ms(15)))
      #expect(record.spans[.render] == .ms(isHit ? 4 : 19) || record.beginVsync == 59)
    }
    #expect(log.violations.isEmpty)
  }

  @Test(arguments: loops)
  func `a larger share has the hits of a smaller one`(loop: MainLoop) {
    #expect(
      Self.drops(Self.run(Self.scenario(loop), hits: 0.5)) == [12, 24, 36, 42, 54, 60])
    #expect(Self.drops(Self.run(Self.scenario(loop), hits: 0.9)) == [36])
    #expect(Self.drops(Self.run(Self.scenario(loop), hits: 1)).isEmpty)
  }

  @Test func `another part shifts no hits`() {
    let other = FramePart(name: "measure", cpu: .uniform(from: .zero, to: .ms(1)))
    #expect(Self.drops(Self.run(Self.scenario(.frame, [other]), hits: 0.8)) == [36, 54, 60])
  }

  @Test func `another strategy has the same hits`() {
    var scenario = Self.scenario()
    scenario.frameParts.insert(
      FramePart(name: "icons", cpu: .constant(.ms(1)), ahead: 6), at: 0)
    var arrangement = Arrangement.onMain(scenario)
    arrangement.frameParts = [
      .prefetched(frames: 2, estimate: .exact), .cached(hits: 0.8),
    ]
    let log = scenario.run(arrangement, detail: .frames)
    let bound = log.frames.records.filter { record in
      record.parts.contains { $0.name == "rows" && $0.span > .zero }
    }
    #expect(bound.map(\.beginVsync) == [35, 53, 59])
  }
}
