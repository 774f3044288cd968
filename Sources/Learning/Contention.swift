internal import FrameBudget

/// The times at which more threads of an app had work than there are cores.
///
/// What was recorded took longer then. In a replay the threads compete again, so it would take longer twice if the time that
/// they took from each other stayed in it.
struct Contention: Sendable {
  /// In order; the last one leaves no more threads than cores.
  private var changes: [Change] = []

  private struct Change {
    let instant: Int64
    /// What a thread with work has lost before it since the start of the recording, in nanoseconds.
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

  /// What a thread that had work all the time from `from` to `to` lost to the others, in nanoseconds.
  func lost(from: Int64, to: Int64) -> Double { lost(until: to) - lost(until: from) }

  private func lost(until instant: Int64) -> Double {
    let next = changes.partitioningIndex { $0.instant > instant }
    guard next > 0 else { return 0 }
    let last = changes[next - 1]
    return last.lost + Double(instant - last.instant) * last.share
  }

  /// `task` without the time that it lost. It lost no more than it was off its processor, where that was recorded.
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
  /// Takes this share of its length away: of the time off the processor first.
  fileprivate mutating func deduct(_ share: Double) {
    lost = share
    running = max(0, running - max(0, share - waiting))
    waiting = max(0, waiting - share)
  }
}
