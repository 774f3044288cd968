import FrameBudget
import Testing

@testable import FrameBudgetRealTime

/// Parts of drawing that run early, on this machine's threads and clock. The machine may be busy, so only what must be is
/// expected, and a run in which there was no time for them is made again.
@Suite struct PrefetchTests {
  private static func run(
    _ loop: MainLoop, isEarly: Bool, onDemandAt instants: [TimeSpan] = [],
    until shows: (RunLog) -> Bool = { _ in true }
  ) async throws -> RunLog {
    var scenario = Scenario(
      name: "list",
      display: Display(
        refresh: RefreshRate(20), render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: .seconds(4), warmup: .milliseconds(100), services: [Service(name: "app")])
    if !instants.isEmpty { scenario.display.frames = .onDemand(at: instants) }
    let costs = [TimeSpan.zero, .zero, .zero, .milliseconds(10)]
    let cpu = RecordedDurations(costs).map(DurationDistribution.recorded) ?? .none
    scenario.frameParts = ["row-1", "row-2", "row-3"].map {
      FramePart(name: $0, cpu: cpu, ahead: 3)
    }
    var arrangement = Arrangement.onMain(scenario)
    if isEarly {
      arrangement.frameParts = scenario.frameParts.map { _ in
        .prefetched(frames: 3, estimate: .exact)
      }
    }
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    return try await realRuns(of: plan, until: shows)
  }

  /// The parts with costs that heavy frames ran themselves, as far as they were shown.
  private static func left(in log: RunLog) -> [Int] {
    log.frames.records.filter { $0.beginVsync % 4 == 3 && $0.presentVsync <= log.frames.vsyncs }
      .map { $0.parts.count { $0.span > .zero } }
  }

  private static func drawnBetweenFrames(_ log: RunLog) -> TimeSpan {
    log.frames.records.reduce(log.frames.totals[.render]) { $0 - $1.spans[.render] }
  }

  /// All frames are heavy, and the vsyncs between them have none.
  @Test func `are ready where frames are drawn on demand, if there was time`() async throws {
    let vsyncs = stride(from: 3, to: 80, by: 4)
    let instants = vsyncs.map { RefreshRate(20).vsync($0).sinceZero }
    func isReady(_ log: RunLog) -> Bool { Self.left(in: log).contains { $0 < 3 } }
    let log = try await Self.run(
      .events(MainLoop.Events()), isEarly: true, onDemandAt: instants, until: isReady)
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.frames.records.allSatisfy { $0.parts.count <= 3 })
    #expect(isReady(log), "\(Self.left(in: log))")
  }

  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events(frameTime: .posted))])
  func `are ready when their frame begins, if there was time`(loop: MainLoop) async throws {
    // A part that takes longer than it should on a busy machine pushes its own frame away, but has run between frames.
    func isReady(_ log: RunLog) -> Bool {
      loop == .frame
        ? Self.drawnBetweenFrames(log) > .milliseconds(1)
        : Self.left(in: log).contains { $0 < 3 }
    }
    let log = try await Self.run(loop, isEarly: true, until: isReady)
    #expect(log.status == .complete, "\(log.violations)")
    let left = Self.left(in: log)
    #expect(left.allSatisfy { (0...3).contains($0) })
    #expect(isReady(log), "\(left), \(Self.drawnBetweenFrames(log))")
    let usual = try await Self.run(loop, isEarly: false)
    #expect(usual.status == .complete, "\(usual.violations)")
    #expect(Self.left(in: usual).allSatisfy { $0 == 3 })
    #expect(loop != .frame || Self.drawnBetweenFrames(usual) == .zero)
  }
}
