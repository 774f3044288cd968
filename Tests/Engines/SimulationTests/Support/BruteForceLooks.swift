/// How often a core that becomes idle searches for threads elsewhere, from the list of all outcomes so far.
struct BruteForceLooks {
  enum Outcome { case skipped, failed, found }

  /// A rule that is broken on purpose.
  enum Fault: CaseIterable {
    case countsWeights, weighsNothing, halvesNothing, startsAtZero, rises, roundsDown
  }

  private var calls: [Int] = Array(repeating: 1, count: 512)
  private var successes: [Int] = Array(repeating: 1, count: 256)
  private(set) var ratio = 512

  init(fault: Fault? = nil) {
    if fault == .startsAtZero { (calls, successes) = ([], []) }
  }

  func isWorthIt(_ random: Int) -> Bool { random - 1 <= ratio }

  mutating func count(_ outcome: Outcome, fault: Fault?) {
    let weight = outcome == .skipped || fault == .weighsNothing ? 1 : weight(fault)
    calls.append(fault == .countsWeights ? weight : 1)
    if outcome == .found { successes.append(weight) }
    guard calls.reduce(0, +) >= 1024 else { return }
    ratio = successes.reduce(0, +) + (fault == .rises ? 1 : 0)
    if fault == .halvesNothing {
      calls = []
    } else {
      calls = [calls.reduce(0, +) / 2]
      successes = [successes.reduce(0, +) / 2]
    }
  }

  /// A success counts for all skipped ones around it: 1024 / (ratio + 1), rounded to the nearest.
  private func weight(_ fault: Fault?) -> Int {
    let exact = 1024.0 / Double(ratio + 1)
    return fault == .roundsDown ? Int(exact) : Int((exact + 0.5).rounded(.down))
  }
}
