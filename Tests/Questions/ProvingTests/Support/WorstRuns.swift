import FrameBudget
import FrameBudgetAdvice

/// The worst of all runs of a small system.
struct WorstRuns {
  /// The longest time of a frame whose predecessors were all on time.
  private(set) var longest = TimeSpan.zero
  private(set) var dropped = 0
  /// The most vsyncs in a row that had no new frame.
  private(set) var droppedInARow = 0
  private(set) var runs = 0

  init(of system: SmallSystem) {
    system.forEachRun { _, log in add(log) }
  }

  private mutating func add(_ log: RunLog) {
    runs += 1
    dropped = max(dropped, log.frames.dropped)
    let rows = Dictionary(log.frames.drops.map { ($0.frame, $0.vsyncs) }, uniquingKeysWith: +)
    droppedInARow = max(droppedInARow, rows.values.max() ?? 0)
    // If vsyncs want no frame, only drops show which frames follow a late one.
    if log.frames.isOnDemand, log.frames.dropped > 0 { return }
    for (place, work) in log.frames.works.enumerated() {
      guard log.frames.isOnDemand || Int(log.frames.begins[place]) == place else { return }
      longest = max(longest, .nanoseconds(work))
      if work > SmallSystem.period.nanoseconds { return }
    }
  }

  /// Whether `bound` is below one of them, and so is wrong.
  func refutes(_ bound: FrameBound) -> Bool {
    guard let frame = bound.frame else { return false }
    return longest > frame || dropped > bound.dropped ?? .max
      || droppedInARow > bound.droppedInARow ?? .max
  }
}
