/// Threads as a state machine, small enough to check every interleaving.
package protocol StateModel: Hashable {
  /// The states after one more step of any thread; empty if all have ended or wait endlessly.
  var successors: [Self] { get }
  /// The fault of this state; `isFinal` if it has no successor.
  func violation(isFinal: Bool) -> String?
}

extension StateModel {
  /// Visits every reachable state, and describes the fault of the first bad one.
  package func explore() -> (states: Int, violation: String?) {
    var seen: Set = [self]
    var open = [self]
    while let state = open.popLast() {
      let next = state.successors
      if let violation = state.violation(isFinal: next.isEmpty) { return (seen.count, violation) }
      for state in next where seen.insert(state).inserted { open.append(state) }
    }
    return (seen.count, nil)
  }
}
