internal import FrameBudget

/// The times at which more threads of an app had work than there are cores.
///
/// The recorded work took longer at these times. In a replay the threads compete again, so a replay would count this loss
/// twice if the recorded times still contained it.
struct Contention: Sendable {
  /// In order; the last one leaves no more threads than cores.
  private var changes: [Change] = []

  private struct Change {
    let instant: Int64
    /// The time that a thread with work has lost from the start of the recording to `instant`, in nanoseconds.
    let lost: Double
    /// The share of its time that it loses from there on, until the next change.
    let share: Double
  }

  /// `threads` are the intervals in which each thread had work. Threads with work share the cores evenly.
  init(_ threads: [[Range<Int64>]], cores: Int) {
    let edges = threads.flatMap { work in
      work.flatMap { [(at: $0.lowerBound, by: 1), (at: $0.upperBound, by: -1)] }
    }.sorted { $0.at < $1.at }
    var (count, lost, share, last) = (0, 0.0, 0.0, Int64(0))
    for (at, by) in edges {
      lost += Double(at - last) * share
      count += by
      let next = count > cores ? 1 - Double(cores) / Double(count) : 0
      if next != share { changes.append(Change(instant: at, lost: lost, share: next)) }
      (share, last) = (next, at)
    }
  }

  /// The time that a thread lost to the others if it had work all the time from `from` to `to`, in nanoseconds.
  func lost(from: Int64, to: Int64) -> Double { lost(until: to) - lost(until: from) }

  private func lost(until instant: Int64) -> Double {
    let next = changes.partitioningIndex { $0.instant > instant }
    guard next > 0 else { return 0 }
    let last = changes[next - 1]
    return last.lost + Double(instant - last.instant) * last.share
  }

  /// `task` without the time that it lost: at most the time for which it was off its processor, if that was recorded.
  func adjusted(_ task: RecordedTask) -> RecordedTask {
    let losses = task.pieces.map { lost(from: $0.begin, to: $0.end) }
    let all = losses.reduce(0, +)
    guard all > 0 else { return task }
    let maxLoss = task.running.map { (1 - $0) * Double(task.end - task.begin) } ?? all
    let part = min(1, maxLoss / all)
    var task = task
    for (index, loss) in losses.enumerated() where task.pieces[index].length > 0 {
      task.pieces[index].deduct(loss * part / Double(task.pieces[index].length))
    }
    return task
  }
}

extension RecordedTask.Piece {
  /// Removes this share of its length, first from the time off the processor.
  fileprivate mutating func deduct(_ share: Double) {
    lost = share
    running = max(0, running - max(0, share - waiting))
    waiting = max(0, waiting - share)
  }
}
