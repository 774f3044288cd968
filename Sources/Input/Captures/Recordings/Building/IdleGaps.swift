internal import FrameBudget
internal import FrameBudgetParsing

/// Gaps of a recording in which nothing happened for more than a minute. Each is shortened to a minute, so that the cost of
/// processing depends on the content of a recording and not on the distance between two events.
struct IdleGaps {
  /// The first instant after each gap, and the total time removed from the gaps before it; in order.
  private var cuts: [(from: Int64, by: Int64)] = []
  /// Warnings about the gaps.
  private(set) var doubts: [String] = []

  private static let maxReported = 3

  /// For a recording of `length` nanoseconds. `period` is that of vsyncs, whose distances stay whole periods.
  init(
    _ threads: [RecordedThread], _ frames: [RecordedFrame], length: Int64, period: TimeSpan?
  ) {
    let step = (period ?? RefreshRate(60).period).nanoseconds
    var end: Int64 = 0
    var total: Int64 = 0
    let spans = Self.spans(threads, frames) + [length...length]
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let gap = span.lowerBound - end
      if gap > InputTime.longestGap {
        let cut = (gap - InputTime.longestGap) / step * step
        total += cut
        cuts.append((span.lowerBound, total))
        report(gap, from: end)
      }
      end = max(end, span.upperBound)
    }
    let more = cuts.count - doubts.count
    if more > 0 { doubts.append("\(more) more gaps were shortened") }
  }

  private mutating func report(_ gap: Int64, from end: Int64) {
    guard doubts.count < Self.maxReported else { return }
    doubts.append(
      "nothing happened for \(Self.seconds(gap)) s from \(Self.seconds(end)) s on: shortened to a minute"
    )
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    Decimal.text(Double(nanoseconds) / 1e9, places: 1)
  }

  private static func spans(
    _ threads: [RecordedThread], _ frames: [RecordedFrame]
  ) -> [ClosedRange<Int64>] {
    var spans: [ClosedRange<Int64>] = []
    for thread in threads {
      spans += thread.slices.lazy.filter { $0.depth == 0 }
        .map { $0.begin.nanoseconds...max($0.begin, $0.end).nanoseconds }
      spans += thread.posts.lazy.map { $0.instant.nanoseconds...$0.instant.nanoseconds }
      for run in (thread.runs ?? []) + (thread.ready ?? []) {
        spans.append(run.lowerBound...run.upperBound)
      }
    }
    for frame in frames {
      spans += [
        frame.vsync, frame.due, frame.ready, frame.presented, frame.presentedWithout,
      ].compactMap(\.self)
        .map { $0.nanoseconds...$0.nanoseconds }
      spans += [frame.work, frame.stage].compactMap(\.self).map { $0.lowerBound...$0.upperBound }
    }
    return spans
  }

  var isEmpty: Bool { cuts.isEmpty }

  /// The position of an instant after the gaps before it are shortened.
  func moved(_ instant: Int64) -> Int64 {
    let next = cuts.partitioningIndex { $0.from > instant }
    return next == 0 ? instant : instant - cuts[next - 1].by
  }

  func moved(_ instant: TimeSpan) -> TimeSpan { .nanoseconds(moved(instant.nanoseconds)) }

  func moved(_ span: Range<Int64>) -> Range<Int64> {
    moved(span.lowerBound)..<moved(span.upperBound)
  }

  func moved(_ thread: consuming RecordedThread) -> RecordedThread {
    var thread = thread
    for index in thread.slices.indices {
      // Gaps are outside of all slices, so lengths stay the same.
      thread.slices[index].begin = moved(thread.slices[index].begin)
    }
    for index in thread.posts.indices {
      thread.posts[index].instant = moved(thread.posts[index].instant)
    }
    thread.runs = thread.runs?.map { moved($0) }
    thread.ready = thread.ready?.map { moved($0) }
    return thread
  }

  func moved(_ frame: RecordedFrame) -> RecordedFrame { frame.moved { moved($0) } }
}
