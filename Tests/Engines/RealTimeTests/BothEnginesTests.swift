import Foundation
import FrameBudget
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetRealTime

/// Parts of drawing under each of their rules, in virtual time and on this machine's threads. It measures, so the machine has to be
/// idle; `make own-code` runs it.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["FRAMEBUDGET_QUIET"] != nil))
struct BothEnginesTests {
  enum Rule: String, CaseIterable {
    case inFrame, cached, prefetched, spread, prepared, presentedLater
  }

  private static let loops: [(name: String, loop: MainLoop)] = [
    ("frame", .frame), ("events", .events(MainLoop.Events())),
  ]

  /// Rows of 6 ms to 34 ms in some of 24 frames, beside 4 ms in each, and 3 ms in every fourth frame.
  private static func scenario(_ loop: MainLoop) -> Scenario {
    var scenario = Scenario(
      name: "list",
      display: Display(
        refresh: RefreshRate(60), render: .constant(.milliseconds(4)), mainLoop: loop),
      duration: .seconds(4), warmup: .milliseconds(500), services: [Service(name: "app")])
    var rows = [TimeSpan](repeating: .zero, count: 24)
    for (frame, cost) in [(2, 6), (5, 18), (9, 11), (11, 34), (17, 18), (18, 18), (22, 14)] {
      rows[frame] = .milliseconds(Int64(cost))
    }
    let icons: [TimeSpan] = [.zero, .milliseconds(3), .zero, .zero]
    scenario.frameParts = [
      FramePart(name: "rows", cpu: recorded(rows), ahead: 2, unit: .constant(.milliseconds(5))),
      FramePart(name: "icons", cpu: recorded(icons)),
    ]
    return scenario
  }

  private static func recorded(_ costs: [TimeSpan]) -> DurationDistribution {
    RecordedDurations(costs).map { .recorded($0) } ?? .none
  }

  private static func arrangement(_ rule: Rule, of scenario: Scenario) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    switch rule {
    case .inFrame: break
    case .cached: arrangement.frameParts = [.cached(hits: 0.5), .inFrame]
    case .prefetched:
      arrangement.frameParts = [.prefetched(frames: 2, estimate: .learned), .inFrame]
    case .spread: arrangement.frameParts = [.spread(budget: .milliseconds(11)), .inFrame]
    case .prepared:
      arrangement.lanes.append(Lane(name: "drawing", carrier: .scheduler))
      arrangement.frameParts = [.prepared(lane: 1, frames: 1), .inFrame]
    case .presentedLater: arrangement.presentsLater = 1
    }
    return arrangement
  }

  // Slow: measures three runs of four seconds.
  @Test(arguments: Rule.allCases, loops)
  func `drop as many frames, within a point`(
    _ rule: Rule, _ loop: (name: String, loop: MainLoop)
  ) async throws {
    let scenario = Self.scenario(loop.loop)
    let arrangement = Self.arrangement(rule, of: scenario)
    let plan = RunPlan(scenario, under: Strategy(name: rule.rawValue, arrangement: arrangement))
    let predicted = try Self.dropped(VirtualEngine().run(plan))
    var measured: [Observation] = []
    for _ in 0..<3 {
      measured.append(Observation(try Self.dropped(await realRun { try RealEngine().run(plan) })))
    }
    let median = try #require(Observation.median(measured)).value
    print("\(rule), \(loop.name): predicted \(predicted) %, median on threads \(median) %")
    #expect(abs(median - predicted) <= 1, "\(measured.map(\.value)), predicted \(predicted)")
  }

  /// In percent of the wanted frames.
  private static func dropped(_ log: RunLog) throws -> Double {
    #expect(log.status == .complete, "\(log.violations)")
    return try #require(RunMetrics(log).frames.droppedPercent)
  }
}
