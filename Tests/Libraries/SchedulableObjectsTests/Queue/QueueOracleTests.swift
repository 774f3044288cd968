import TestSupport
import Testing

@testable import SchedulableObjects

@Suite struct QueueOracleTests {
  /// A random programme of sends, delays, cancellations, steps and a shutdown; returns its observable results.
  private func run(seed: UInt64, _ queue: QueueVariant) -> [String] {
    var random = RandomNumbers(seed: seed)
    let seen = Recorder<String>()
    let scheduler = ManualScheduler(
      options: queue.options.with { $0.report = { seen.add("\($0)") } })
    var cancellable: [ScheduledEvent] = []
    for number in 0..<200 {
      let priority = EventPriority.allCases.randomElement(using: &random) ?? .normal
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4:
        scheduler.schedule(priority: priority) {
          seen.add("\(number)")
          if number % 3 == 0 { scheduler.schedule(priority: .user) { seen.add("\(number)a") } }
        }
      case 5:
        let delay = Duration.milliseconds(Int.random(in: 0...20, using: &random))
        cancellable.append(
          scheduler.schedule(after: delay, priority: priority) { seen.add("\(number)d") })
      case 6:
        scheduler.schedule(replacing: number % 4, priority: priority) { seen.add("\(number)k") }
      case 7: cancellable.randomElement(using: &random)?.cancel()
      case 8: scheduler.runNext()
      default: scheduler.advance(by: .milliseconds(Int.random(in: 0...9, using: &random)))
      }
    }
    scheduler.shutdown(seed % 2 == 0 ? .drain : .drop)
    return seen.all
  }

  @Test(arguments: 0..<100)
  func `all queues do the same for the same seed`(seed: Int) {
    let expected = run(seed: UInt64(seed), .swap)
    #expect(run(seed: UInt64(seed), .stack) == expected)
    #expect(run(seed: UInt64(seed), .bounded) == expected)
    #expect(expected.count > 50)
  }
}
