import Testing

/// Visits every reachable state of the model, and describes the fault of the first bad one.
private func explore(_ start: QueueModel) -> (states: Int, violation: String?) {
  var seen: Set<QueueModel> = [start]
  var open = [start]
  while let state = open.popLast() {
    let next = state.successors
    if let violation = state.violation(isFinal: next.isEmpty) { return (seen.count, violation) }
    for state in next where seen.insert(state).inserted { open.append(state) }
  }
  return (seen.count, nil)
}

@Suite struct InterleavingTests {
  @Test(arguments: [(1, false), (2, false), (1, true), (2, true)])
  func `no interleaving loses, repeats or reorders an event or loses a wake-up`(
    eventsPerProducer: Int, closes: Bool
  ) {
    let result = explore(QueueModel(eventsPerProducer: eventsPerProducer, closes: closes))
    #expect(result.violation == nil)
    #expect(result.states > 100)
  }

  @Test(arguments: QueueModel.Fault.allCases)
  func `every planted fault is found`(fault: QueueModel.Fault) {
    let open = explore(QueueModel(eventsPerProducer: 2, closes: false, fault: fault))
    let closed = explore(QueueModel(eventsPerProducer: 2, closes: true, fault: fault))
    #expect(open.violation != nil || closed.violation != nil)
  }
}
