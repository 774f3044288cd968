import TestSupport
import Testing

@Suite struct InterleavingTests {
  @Test(arguments: [(1, false), (2, false), (1, true), (2, true)])
  func `no interleaving loses, repeats or reorders an event or loses a wake-up`(
    eventsPerProducer: Int, closes: Bool
  ) {
    let result = QueueModel(eventsPerProducer: eventsPerProducer, closes: closes).explore()
    #expect(result.violation == nil)
    #expect(result.states > 100)
  }

  @Test(arguments: [1, 2])
  func `a consumer that sleeps though its queue is closed is woken for what must run`(
    eventsPerProducer: Int
  ) {
    let result = QueueModel(
      eventsPerProducer: eventsPerProducer, closes: true, outlivesClosing: true
    ).explore()
    #expect(result.violation == nil)
    #expect(result.states > 100)
  }

  @Test(arguments: QueueModel.Fault.allCases)
  func `every planted fault is found`(fault: QueueModel.Fault) {
    let open = QueueModel(eventsPerProducer: 2, closes: false, fault: fault).explore()
    let closed = QueueModel(eventsPerProducer: 2, closes: true, fault: fault).explore()
    #expect(open.violation != nil || closed.violation != nil)
  }
}
