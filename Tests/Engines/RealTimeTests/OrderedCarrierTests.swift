import Dispatch
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// The guarantee of this carrier beyond those of every carrier: the order of each workload on several threads.
@Suite struct `An ordered carrier` {
  @Test(arguments: DrainUnit.allCases, QueueLock.allCases)
  func `keeps the order of each workload on several threads`(
    _ drain: DrainUnit, _ lock: QueueLock
  ) async throws {
    let records = try await onOwnThread {
      var lane = Lane(name: "wide", carrier: .ordered, width: 3)
      lane.options[.drain] = .choice(drain.rawValue)
      lane.options[.lock] = .choice(lock.rawValue)
      let carrier = try CarrierKind.ordered.start(lane)
      let records = (0..<3).map { _ in EventRecord() }
      DispatchQueue.concurrentPerform(iterations: 3) { source in
        for number in 0..<500 {
          carrier.post(
            { records[source].ran(sender: source, number: number) }, hasPriority: false,
            source: WorkloadIndex(source))
        }
      }
      carrier.stop()
      return records
    }
    for (source, record) in records.enumerated() {
      #expect(record.numbers(of: source) == Array(0..<500))
      #expect(record.collisions == 0)
    }
  }

  @Test func `runs events of two workloads at the same time`() async throws {
    // Each event waits for the other one: were they not at the same time, the test would hang.
    let count = try await onOwnThread {
      let lane = Lane(name: "wide", carrier: .ordered, width: 2)
      let carrier = try CarrierKind.ordered.start(lane)
      let marks = [OneShotSignal(), OneShotSignal()]
      let record = EventRecord()
      for source in 0..<2 {
        carrier.post(
          {
            marks[source].set()
            marks[1 - source].wait()
            record.ran(sender: source, number: 0)
          }, hasPriority: false, source: WorkloadIndex(source))
      }
      carrier.stop()
      return record.count
    }
    #expect(count == 2)
  }
}
