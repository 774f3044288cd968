import FrameBudget

extension ScenarioDecoder {
  /// Checks what `step`, nil where it could not be read, has to do with those that nobody awaits; `isAnyOpen` is whether
  /// there is one that no step has joined.
  func checkParts(_ step: Step?, _ node: SourceNode, _ isAnyOpen: inout Bool) {
    // What could not be read may have been one: no error follows from another.
    guard let step else { return isAnyOpen = true }
    if step.joins && !isAnyOpen {
      faults.record(
        "no step before this one is left to be joined; allowed is 'await: false' in one of them",
        at: node.origin(of: "join"))
    }
    if !step.isAwaited, node.pairs?.contains(where: { $0.key == "calls" }) == true {
      faults.record(
        "'calls' stands in a step that is not awaited, so nobody is there for what they return; "
          + "allowed are steps of their own", at: node.origin(of: "calls"))
    }
    if step.joins { isAnyOpen = false }
    if !step.isAwaited { isAnyOpen = true }
  }
}

extension SourceNode {
  /// Where `key` stands; its own place if it is not there.
  fileprivate func origin(of key: String) -> Origin {
    pairs?.first { $0.key == key }?.origin ?? origin
  }
}
