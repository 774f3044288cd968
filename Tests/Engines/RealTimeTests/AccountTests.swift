import SchedulableThreads
import FrameBudget
import SchedulableObjects
import Testing

@testable import FrameBudgetRealTime

/// Lanes whose nice values change while the app runs.
@Suite struct `The preferred account` {
  @Test func `belongs to the lane that the user switched to`() async throws {
    let record = Requests()
    let log = try await run(until: { record.values.count == 2 }) { lane throws(CarrierError) in
      try ReniceRecorder(lane, record) { _ throws(CarrierError) in }
    }
    #expect(record.values == ["home 0", "work 10"])
    #expect(log.totals.refusals == [])
    #expect(log.violations == [])
  }

  @Test func `stays unchanged if the system refuses, and the run reports it`() async throws {
    let record = Requests()
    let log = try await run(until: { !record.values.isEmpty }) { lane throws(CarrierError) in
      try ReniceRecorder(lane, record) { nice throws(CarrierError) in
        if nice < 10 { throw CarrierError("no such privilege") }
      }
    }
    #expect(record.values == ["home 0"])
    #expect(log.totals.refusals == ["no such privilege"])
    #expect(log.status == .interrupted)
  }

  @Test func `has its thread's nice value changed by the system`() throws {
    let scheduler = try ThreadScheduler(name: "account")
    let before = scheduler.nice
    try scheduler.setNice(before + 5)
    #expect(scheduler.nice == before + 5)
    scheduler.shutdownBlocking()
  }

  private func run(
    until isDone: @escaping @Sendable () -> Bool, _ carriers: @escaping CarrierFactory
  ) async throws -> RunLog {
    var scenario = TestScenario.make(files: 5, duration: .seconds(60))
    scenario.services[0].account = 0
    scenario.services[1].account = 1
    scenario.accounts = Accounts(
      names: ["work", "home"], switches: [.init(at: .milliseconds(500), to: 1)])
    let strategy = try StrategyCatalog.strategy("schedulable-accounts", for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    return try await realRun(until: { _ in isDone() }) {
      try RealEngine(carriers: carriers).run(plan, watch: $0)
    }
  }
}

/// The requests to carriers, in order.
private final class Requests: Sendable {
  private let list = Locked<[String]>([])
  var values: [String] { list.withLock { $0 } }
  func append(_ request: String) { list.withLock { $0.append(request) } }
}

/// Records the requested nice values, and answers as configured.
private struct ReniceRecorder: Carrier {
  typealias Answer = @Sendable (Int) throws(CarrierError) -> Void
  private let name: String
  private let carrier: ThreadCarrier
  private let requests: Requests
  private let answer: Answer

  init(_ lane: Lane) throws(CarrierError) {
    try self.init(lane, Requests()) { _ throws(CarrierError) in }
  }

  init(_ lane: Lane, _ requests: Requests, answer: @escaping Answer) throws(CarrierError) {
    name = lane.name
    // The user who runs the tests may lack the privilege to lower a nice value again.
    carrier = try ThreadCarrier(Lane(name: lane.name, carrier: .thread))
    self.requests = requests
    self.answer = answer
  }

  func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    carrier.post(event, hasPriority: hasPriority)
  }

  func setNice(_ nice: Int) throws(CarrierError) {
    requests.append("\(name) \(nice)")
    try answer(nice)
  }

  func stop() { carrier.stop() }
}
