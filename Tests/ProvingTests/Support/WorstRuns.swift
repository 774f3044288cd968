import FrameBudget
import Proving

/// The worst of all runs of a small system.
struct WorstRuns {
  /// The most that a frame took none of whose forerunners was late.
  private(set) var longest = TimeSpan.zero
  private(set) var dropped = 0
  private(set) var runs = 0

  init(of system: SmallSystem) {
    system.forEachRun { _, log in add(log) }
  }

  private mutating func add(_ log: RunLog) {
    runs += 1
    dropped = max(dropped, log.frames.dropped)
    for (place, work) in log.frames.works.enumerated() {
      guard Int(log.frames.begins[place]) == place else { return }
      longest = max(longest, .nanoseconds(work))
      if work > SmallSystem.period.nanoseconds { return }
    }
  }

  /// Whether `bound` is below one of them, and so is wrong.
  func refutes(_ bound: FrameBound) -> Bool {
    guard let frame = bound.frame else { return false }
    return longest > frame || (bound.isKept && dropped > 0)
  }
}
