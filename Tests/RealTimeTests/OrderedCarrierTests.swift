import Dispatch
import FrameBudget
import Testing

@testable import RealTime

/// What the carrier promises beyond those of every carrier: the order of each source on several threads.
@Suite struct `An ordered carrier` {
  static let deliveries = Delivery.Drain.allCases.flatMap { drain in
    Delivery.QueueLock.allCases.map { Delivery(drain: drain, lock: $0) }
  }

  @Test(arguments: deliveries)
  func `keeps the order of each source on several threads`(_ delivery: Delivery) async throws {
    let records = try await onOwnThread {
      let carrier = try CarrierKind.ordered.start(
        Lane(name: "wide", carrier: .ordered, width: 3, delivery: delivery))
      let records = (0..<3).map { _ in EventRecord() }
      DispatchQueue.concurrentPerform(iterations: 3) { source in
        for number in 0..<500 {
          carrier.post(
            { records[source].ran(sender: source, number: number) }, hasPriority: false, of: source)
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

  @Test func `runs events of two sources at the same time`() async throws {
    // Each event waits for the other one: were they not at the same time, the test would hang.
    let count = try await onOwnThread {
      let carrier = try CarrierKind.ordered.start(
        Lane(name: "wide", carrier: .ordered, width: 2))
      let marks = [EndMark(), EndMark()]
      let record = EventRecord()
      for source in 0..<2 {
        carrier.post(
          {
            marks[source].set()
            marks[1 - source].wait()
            record.ran(sender: source, number: 0)
          }, hasPriority: false, of: source)
      }
      carrier.stop()
      return record.count
    }
    #expect(count == 2)
  }
}
