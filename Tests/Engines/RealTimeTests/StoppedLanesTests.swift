import SchedulableThreads
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// Every carrier in a run that is stopped, and in one that cannot begin. No time limits: the machine may be busy.
@Suite struct `Lanes on every carrier` {
  private static let kinds = CarrierSupply.ofThisBuild.kinds
  /// Files whose two steps are on two lanes, so that lanes still post to one another when the run ends.
  private static let scenario = TestScenario.make(files: 5000, step: .microseconds(300))

  /// Both lanes on `kind`; with `width` above 1, one lane, whose services locks guard.
  private static func plan(
    _ kind: CarrierKind, width: Int = 1, _ option: (StrategyOption, String)? = nil
  ) -> RunPlan {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += ["one", "two"].map { Lane(name: $0, carrier: kind, width: width) }
    if let (key, word) = option {
      for lane: LaneIndex in [1, 2] { arrangement.lanes[lane].options[key] = .choice(word) }
    }
    (arrangement.placement, arrangement.reading) = ([.home(1), .home(2)], .snapshot(.perFrame))
    if width > 1 {
      arrangement.locks = PerLock(scenario.services.map { Lock(name: $0.name, kind: .fair) })
      (arrangement.placement, arrangement.reading) = ([.guarded(0), .guarded(1)], .locked)
      arrangement.entry = [1, 2]
    }
    return RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
  }

  /// On a thread of its own: actors need those that tests run on.
  private func stopped(_ plan: RunPlan) async throws -> RunLog {
    let watch = RunWatch()
    return try await realRun(watchedBy: {
      if watch.observe().openFrame.map({ $0.beginVsync >= 10 }) ?? false { watch.stop() }
    }) {
      try RealEngine(carriers: .ofThisBuild).run(plan, watch: watch)
    }
  }

  private func expectWhole(_ log: RunLog) {
    #expect(log.violations == [])
    #expect(log.items[0].arrivals.count == 5000)
    #expect(log.items[0].doneCount + log.items[0].pendingCount == 5000)
    #expect(log.items[0].pendingCount > 0)
  }

  @Test(arguments: kinds)
  func `account for every item of a run that is stopped midway`(_ kind: CarrierKind) async throws {
    expectWhole(try await stopped(Self.plan(kind)))
  }

  @Test(arguments: kinds.filter(\.description.canBeWide), [2, 4])
  func `do so with several threads`(_ kind: CarrierKind, width: Int) async throws {
    expectWhole(try await stopped(Self.plan(kind, width: width)))
  }

  @Test(arguments: [1, 3])
  func `do so where each step is an operation`(width: Int) async throws {
    let plan = Self.plan(.operationQueue, width: width, (.operations, "step"))
    expectWhole(try await stopped(plan))
  }

  @Test(arguments: kinds)
  func `leave none running where one cannot be started`(_ kind: CarrierKind) async throws {
    let stops = Locked(0)
    let engine = RealEngine { lane throws(CarrierError) in
      if lane.name == "two" { throw CarrierError("lane 'two' is refused") }
      return StopCounting(try kind.start(lane)) { stops.withLock { $0 += 1 } }
    }
    await #expect(throws: RealEngineError.carrier(CarrierError("lane 'two' is refused"))) {
      try await realRun { try engine.run(Self.plan(kind)) }
    }
    #expect(stops.withLock { $0 } == 1)
  }
}

/// Reports the end of its lane.
private final class StopCounting: Carrier {
  private let carrier: any Carrier
  private let stopped: @Sendable () -> Void

  init(_ lane: Lane) throws(CarrierError) { throw CarrierError("needs a carrier") }

  init(_ carrier: any Carrier, stopped: @escaping @Sendable () -> Void) {
    self.carrier = carrier
    self.stopped = stopped
  }

  func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    carrier.post(event, hasPriority: hasPriority)
  }

  func send(_ number: Int, to tally: EventTally) { carrier.send(number, to: tally) }

  func stop() {
    carrier.stop()
    stopped()
  }
}
