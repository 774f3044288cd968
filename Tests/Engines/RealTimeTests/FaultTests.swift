import SchedulableThreads
import FrameBudget
import Synchronization
import Testing

@testable import FrameBudgetRealTime

/// A run with a fault must report it: each fault is planted in a carrier that is otherwise correct.
@Suite struct `A planted fault makes the run invalid` {
  @Test func `a lost item`() async throws {
    let log = try await run(until: 39) { count, post in if count != 5 { post(count) } }
    #expect(log.status == .invalid)
    #expect(log.violations.contains { $0.contains("40 items arrived, but 39") })
  }

  @Test func `an item done twice`() async throws {
    let log = try await run(until: 41) { count, post in
      post(count)
      if count == 5 { post(count) }
    }
    #expect(log.status == .invalid)
    #expect(log.violations.contains { $0.contains("1 items done twice") })
  }

  @Test func `a broken order where order is guaranteed`() async throws {
    let log = try await run { count, post in
      // The sixth event is kept back until the seventh has gone.
      if count == 5 { return }
      post(count)
      if count == 6 { post(5) }
    }
    #expect(log.status == .invalid)
    #expect(log.violations.contains { $0.contains("done out of order") })
    #expect(log.items[0].doneCount == 40)
  }

  @Test func `two threads inside one service`() async throws {
    // Each sleeps in the service most of the time, so that they meet there on a busy machine, too.
    let scenario = Self.scenario(wait: .milliseconds(50))
    let strategy = try StrategyCatalog.strategy("schedulable", for: scenario)
    let engine = RealEngine { lane throws(CarrierError) in try TwoThreads(lane) }
    let plan = RunPlan(scenario, under: strategy)
    let log = try await realRun(until: { $0.itemsDone == 40 }) { try engine.run(plan, watch: $0) }
    #expect(log.status == .invalid)
    #expect(log.totals.exclusionViolations > 0)
  }

  @Test func `without a fault, the run is valid`() async throws {
    let log = try await run { count, post in post(count) }
    #expect(log.status == .interrupted)
    #expect(log.violations == [])
    #expect(log.items[0].doneCount == 40)
  }

  /// Runs forty short items behind a carrier that treats event number `count` as `policy` says, until `ends` items have ended.
  private func run(
    until ends: Int = 40, _ policy: @escaping FaultyCarrier.Policy
  ) async throws -> RunLog {
    let scenario = Self.scenario()
    let strategy = try StrategyCatalog.strategy("schedulable", for: scenario)
    let engine = RealEngine { lane throws(CarrierError) in try FaultyCarrier(lane, policy) }
    let plan = RunPlan(scenario, under: strategy)
    return try await realRun(until: { $0.itemsDone >= ends }) { try engine.run(plan, watch: $0) }
  }

  /// Little enough work for a busy machine.
  private static func scenario(wait: TimeSpan = .zero) -> Scenario {
    var step = Step(name: "work", service: 0, load: .cpu(.constant(.microseconds(50))))
    step.wait = .constant(wait)
    return Scenario(
      name: "faults", display: Display(refresh: RefreshRate(60)), duration: .seconds(60),
      warmup: .milliseconds(20), services: [Service(name: "files")],
      workloads: [Workload(name: "add", arrival: .once(40, start: .zero), steps: [step])])
  }
}

/// Decides for each event, by its number, how often and in which order it is really posted.
private final class FaultyCarrier: Carrier {
  typealias Policy = @Sendable (_ count: Int, _ post: (Int) -> Void) -> Void

  private let carrier: ThreadCarrier
  private let policy: Policy
  private let events = Locked<[@Sendable () -> Void]>([])

  init(_ lane: Lane) throws(CarrierError) { throw CarrierError("needs a policy") }

  init(_ lane: Lane, _ policy: @escaping Policy) throws(CarrierError) {
    carrier = try ThreadCarrier(lane)
    self.policy = policy
  }

  func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let shared = Shared(event)
    let count = events.withLock { events in
      events.append { shared.run() }
      return events.count - 1
    }
    policy(count) { number in
      let event = events.withLock { $0[number] }
      carrier.post({ event() }, hasPriority: hasPriority)
    }
  }

  func send(_ number: Int, to tally: EventTally) { carrier.send(number, to: tally) }

  func stop() { carrier.stop() }
}

/// Takes turns between two threads, so that two events can be inside a service at once.
private final class TwoThreads: Carrier {
  private let carriers: [ThreadCarrier]
  private let turn = Atomic<Int>(0)

  init(_ lane: Lane) throws(CarrierError) {
    carriers = [try ThreadCarrier(lane), try ThreadCarrier(lane)]
  }

  func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let turn = turn.add(1, ordering: .relaxed).oldValue
    carriers[turn % 2].post(event, hasPriority: hasPriority)
  }

  func send(_ number: Int, to tally: EventTally) { carriers[0].send(number, to: tally) }

  func stop() { for carrier in carriers { carrier.stop() } }
}

/// `@unchecked`: a planted fault runs an event twice, on the one thread of its carrier.
private struct Shared: @unchecked Sendable {
  private let body: () -> Void
  init(_ body: sending @escaping () -> Void) { self.body = body }
  func run() { body() }
}
