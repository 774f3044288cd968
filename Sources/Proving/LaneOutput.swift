internal import FrameBudget

/// What comes back to the main thread from the threads of a lane.
struct LaneOutput {
  let kinds: [Kind]
  let threads: Int

  /// Items of one workload.
  struct Kind {
    /// What a thread does for one of them in a row before it comes back, at least.
    let run: TimeSpan
    /// What one of them takes on the main thread, at most.
    let cost: TimeSpan
    /// How many the run has, at most; nil for any number.
    let inRun: Int?

    /// What all of them take; nil for any time.
    fileprivate var whole: TimeSpan? { cost == .zero ? .zero : inRun.map { cost.times($0) } }
  }

  /// The most that those take on the main thread which come back within `length`; nil for any time.
  ///
  /// A thread does one item after the other. Of those that come back within `length` it may have begun the first before that,
  /// and does the whole run of each further one within.
  func most(within length: TimeSpan) -> TimeSpan? {
    let dearest = kinds.map(\.cost).max() ?? .zero
    let bounds = [
      kinds.reduce(TimeSpan?.some(.zero)) { sum, kind in
        guard let sum, let whole = kind.whole else { return nil }
        return sum.and(whole)
      },
      count(within: length).map { dearest.times($0) },
      costliest(within: length).map { dearest.times(threads).and($0) },
    ]
    return bounds.compactMap(\.self).min()
  }

  /// How many come back at most, if all take as little as the shortest; nil for any number.
  private func count(within length: TimeSpan) -> Int? {
    guard let least = kinds.map(\.run).min(), least > .zero else { return nil }
    return Int(length.nanoseconds / least.nanoseconds + 1) * threads
  }

  /// The most that those take whose runs fill `length` on each thread: first the kinds that take most for their run, as far
  /// as there are any, the last one in part. Nil for any time.
  private func costliest(within length: TimeSpan) -> TimeSpan? {
    var left = length.times(threads)
    var sum = TimeSpan.zero
    let sorted = kinds.filter { $0.cost > .zero }.sorted { left, right in
      Int128(left.cost.nanoseconds) * Int128(right.run.nanoseconds)
        > Int128(right.cost.nanoseconds) * Int128(left.run.nanoseconds)
    }
    for kind in sorted {
      if let count = kind.inRun, kind.run.times(count) <= left {
        sum = sum.and(kind.cost.times(count))
        left = left - kind.run.times(count)
        continue
      }
      guard kind.run > .zero else { return nil }
      let share = Int128(kind.cost.nanoseconds) * Int128(left.nanoseconds)
      let run = Int128(kind.run.nanoseconds)
      return sum.and(TimeSpan(clamping: (share + run - 1) / run))
    }
    return sum
  }
}
