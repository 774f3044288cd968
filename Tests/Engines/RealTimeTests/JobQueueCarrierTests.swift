import SchedulableThreads
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// The guarantees of a job queue beyond the contract of all carriers.
@Suite struct JobQueueCarrierTests {
  @Test(
    arguments: [JobKeeper.none, .file, .sqlite],
    [JobRestoring.creating, .background])
  func `events run once and in order beside kept jobs, however they are kept and restored`(
    keeper: JobKeeper, restoring: JobRestoring
  ) async throws {
    var lane = Lane(name: "jobs", carrier: .jobQueue)
    lane.options[.persister] = .choice(keeper.rawValue)
    lane.options[.restore] = .choice(restoring.rawValue)
    lane.options[.kept] = .count(20)
    let carrier = try JobQueueCarrier(lane)
    let ran = Locked<[Int]>([])
    await onOwnThread {
      carrier.launch()
      for number in 0..<30 {
        carrier.post({ ran.withLock { $0.append(number) } }, hasPriority: false)
      }
      carrier.stop()
    }
    #expect(ran.withLock { $0 } == Array(0..<30))
    #expect(carrier.loss == nil)
  }
}
