import TestSupport
import Testing

@Suite struct `Every interleaving of two senders and a runner` {
  @Test(arguments: StageModel.Drain.allCases, [false, true])
  func `delivers each element once, in order, one at a time, or drops it at the disposal`(
    _ drain: StageModel.Drain, disposes: Bool
  ) {
    for elements in 2...3 {
      let result = StageModel(elementsPerSender: elements, drain: drain, disposes: disposes)
        .explore()
      #expect(result.violation == nil)
      #expect(result.states > 300)
    }
  }

  @Test(arguments: StageModel.Fault.allCases)
  func `finds each planted fault`(_ fault: StageModel.Fault) {
    let found = StageModel.Drain.allCases.flatMap { drain in
      [false, true].compactMap { disposes in
        StageModel(elementsPerSender: 2, drain: drain, disposes: disposes, fault: fault).explore()
          .violation
      }
    }
    #expect(!found.isEmpty)
  }
}
