import Testing

/// Visits every reachable state of the model, and describes the fault of the first bad one.
private func explore(_ start: StageModel) -> (states: Int, violation: String?) {
  var seen: Set<StageModel> = [start]
  var open = [start]
  while let state = open.popLast() {
    let next = state.successors
    if let violation = state.violation(isFinal: next.isEmpty) { return (seen.count, violation) }
    for state in next where seen.insert(state).inserted { open.append(state) }
  }
  return (seen.count, nil)
}

@Suite struct `Every interleaving of two senders and a runner` {
  @Test(arguments: StageModel.Drain.allCases, [false, true])
  func `delivers each element once, in order, one at a time, or drops it at the disposal`(
    _ drain: StageModel.Drain, disposes: Bool
  ) {
    for elements in 2...3 {
      let result = explore(
        StageModel(elementsPerSender: elements, drain: drain, disposes: disposes))
      #expect(result.violation == nil)
      #expect(result.states > 300)
    }
  }

  @Test(arguments: StageModel.Fault.allCases)
  func `finds each planted fault`(_ fault: StageModel.Fault) {
    let found = StageModel.Drain.allCases.flatMap { drain in
      [false, true].compactMap { disposes in
        explore(
          StageModel(elementsPerSender: 2, drain: drain, disposes: disposes, fault: fault)
        ).violation
      }
    }
    #expect(!found.isEmpty)
  }
}
