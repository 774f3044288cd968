/// What a run has shown of the items of a workload, and what it leaves.
///
/// An item is *shown* at the vsync of the frame in which its result ran. One without a result that the UI need not show
/// (`shows: false`) is over when its last step ends. One that answers early is over when both are; one that a newer item has
/// replaced, when that one is over, which answers for it.
struct ShownItems {
  /// Items whose own result is shown, or that are over if they need not be.
  private(set) var shown = 0
  /// Items that are done, and whose result no vsync has shown.
  private(set) var resultsWaiting = 0
  /// Items that are waited for, and not over.
  private(set) var waiting = 0
  /// Why the waiting items are left undone; nil if they are only in flight.
  let backlog: Backlog?

  /// The items that are left undone.
  var left: Int { backlog == nil ? 0 : waiting }

  /// What `log` shows by `lastVsync`, the last of the run.
  init(_ log: ItemLog, by lastVsync: Instant, period: TimeSpan) {
    let ends = log.ends(by: lastVsync)
    for item in log.completions.indices {
      if log.isSeen(item, by: lastVsync) {
        if !log.isReplaced(item) { shown += 1 }
      } else if log.completions[item] >= 0 {
        resultsWaiting += 1
      }
      if log.isWaitedFor(item), ends[item] == nil { waiting += 1 }
    }
    backlog = waiting > 0 ? Backlog(log, ends, by: lastVsync, period: period) : nil
  }
}

extension ItemLog {
  /// Whether the last step of `item` has ended if the UI need not show it; otherwise, whether its result, or that of the item
  /// that replaced it, was shown by the last vsync of the run.
  fileprivate func isSeen(_ item: Int, by lastVsync: Instant) -> Bool {
    isShown ? 0...lastVsync.nanoseconds ~= responses[item] : completions[item] >= 0
  }

  /// When each item was over, in nanoseconds; nil if it was not by the end of the run.
  fileprivate func ends(by lastVsync: Instant) -> [Int64?] {
    var ends = [Int64?](repeating: nil, count: completions.count)
    var newer: Int64?
    for item in completions.indices.reversed() {
      if isReplaced(item) && !isShown {
        ends[item] = newer
      } else if isSeen(item, by: lastVsync), isReplaced(item) || completions[item] >= 0 {
        ends[item] = isShown ? max(responses[item], completions[item]) : completions[item]
      }
      if !isReplaced(item) { newer = ends[item] }
    }
    return ends
  }
}

/// Items that are left undone. At the end of any run some are in flight, and how many depends on the moment at which it ends;
/// so what waits is a backlog only if it grows.
public enum Backlog: Hashable, Sendable {
  /// The fewest waiting items before an arrival of the second quarter, and of the last: the fewest, because bursts come and go.
  /// The quarters are of arrivals and not of time, so that it does not matter where in a burst a run ends.
  case grows(from: Int, to: Int)
  /// Too few arrivals for a trend: items of earlier instants wait, or those of the last one have waited for longer than any
  /// before them.
  case unfinished

  /// The least number of instants that have quarters.
  package static let leastInstants = 4

  /// Nil if the waiting items of `log` are only in flight.
  fileprivate init?(_ log: ItemLog, _ ends: [Int64?], by lastVsync: Instant, period: TimeSpan) {
    let instants = log.arrivals.instants
    let backlog =
      instants.count < Self.leastInstants
      ? Self.unfinished(log, ends, by: lastVsync, period, from: instants.last)
      : Self.growth(log, ends, period, instants)
    guard let backlog else { return nil }
    self = backlog
  }

  private static func growth(
    _ log: ItemLog, _ ends: [Int64?], _ period: TimeSpan,
    _ instants: [(first: Int, instant: Int64)]
  ) -> Backlog? {
    let items = ends.indices.filter(log.isWaitedFor)
    let ends = items.compactMap { ends[$0] }.sorted()
    func fewest(_ quarter: Range<Int>, lasting: Int64) -> Int {
      instants[quarter].map { first, instant in
        items.partitioningIndex { $0 >= first } - ends.partitioningIndex { $0 >= instant - lasting }
      }.min() ?? 0
    }
    let count = instants.count
    // If the items are shown a vsync later from some moment on, as their phase drifts, nothing grows.
    let before = fewest(count / 4..<count / 2, lasting: period.nanoseconds + 1)
    let after = fewest(3 * count / 4..<count, lasting: 0)
    // The number of waiting random arrivals varies by about its square root.
    let grows = after > before && (after - before) * (after - before) >= before
    return grows ? .grows(from: before, to: after) : nil
  }

  private static func unfinished(
    _ log: ItemLog, _ ends: [Int64?], by lastVsync: Instant, _ period: TimeSpan,
    from last: (first: Int, instant: Int64)?
  ) -> Backlog? {
    guard let last else { return nil }
    let earlier = (0..<last.first).filter(log.isWaitedFor)
    let waits = earlier.map { item in ends[item].map { $0 - log.arrivals[item] } }
    guard let longest = waits.compactMap(\.self).max(), waits.allSatisfy({ $0 != nil }) else {
      return .unfinished
    }
    return lastVsync.nanoseconds - last.instant > longest + period.nanoseconds + 1
      ? .unfinished : nil
  }
}

// MARK: Columns

extension Metric {
  package static let itemsShown = Metric(
    "items_shown", .count,
    "items whose own result a vsync of the run has shown and that no newer one replaced; with shows: false and no result, items whose last step ended",
    .higherIsBetter, of: .items { .count($0.shown) })
  package static let resultsWaiting = Metric(
    "results_waiting", .count,
    "items that are done, and whose result no vsync of the run has shown",
    of: .items { .count($0.resultsWaiting) })
  package static let backlog = Metric(
    "items_backlog", .count,
    "items that are not shown and done at D, nor replaced by one that is, of workloads whose backlog grows: before each arrival of the last quarter, m more wait "
      + "than n, the fewest that waited before an arrival of the second quarter or for a vsync less, and m^2 >= n; with "
      + "arrivals at fewer than 4 instants, if earlier ones wait, or the last ones for longer than any before them",
    of: .items { .count($0.backlog) })
}
