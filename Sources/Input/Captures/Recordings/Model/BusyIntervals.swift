internal import FrameBudget

/// The intervals in which a thread had a core, with fast sums over any range.
package struct BusyIntervals: Sendable {
  private let runs: [Range<Int64>]
  /// By interval: the total length of the previous ones.
  private var before: [Int64] = []

  /// - Parameter runs: in order, never overlapping.
  package init(_ runs: [Range<Int64>]) {
    self.runs = runs
    var sum: Int64 = 0
    for run in runs {
      before.append(sum)
      sum += run.upperBound - run.lowerBound
    }
  }

  /// How long the thread ran between the two instants, in nanoseconds.
  package func time(from: Int64, to: Int64) -> Int64 { until(to) - until(from) }

  private func until(_ instant: Int64) -> Int64 {
    let next = runs.partitioningIndex { $0.lowerBound > instant }
    guard next > 0 else { return 0 }
    let run = runs[next - 1]
    return before[next - 1] + min(instant, run.upperBound) - run.lowerBound
  }
}
