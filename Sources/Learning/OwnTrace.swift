internal import FrameBudget
internal import Recordings

/// Converts one of the project's own traces to the form of other recordings: items become tasks of the UI thread, and their
/// steps become slices.
///
/// In the project's traces, frames are slices around everything that ran in them, and the steps of items are named
/// `WORKLOAD/STEP`.
struct OwnTrace {
  let recording: Recording
  /// When the UI thread ran items or handled their results, in order.
  let busy: [Range<Int64>]
  /// The time spent on results, in nanoseconds, divided by the number of items that ran on the UI thread.
  let result: Int64
  /// Whether items ran in frames, which handle everything that has arrived, and not between frames.
  let isFrameLoop: Bool

  /// The consecutive steps of one item.
  private struct Item {
    let workload: Substring
    /// The index of the thread's frame slice in which it ran; nil between frames.
    let frame: Int?
    var steps: [RecordedSlice]

    var begin: TimeSpan { steps[0].begin }
    var end: TimeSpan { steps[steps.count - 1].end }

    func isFollowed(by step: RecordedSlice, of workload: Substring, in frame: Int?) -> Bool {
      self.workload == workload && self.frame == frame
        && !steps.contains { $0.name == step.name }
    }
  }

  /// Nil for other recordings, and if no item ran on the UI thread.
  init?(_ recording: Recording) {
    guard recording.format == .framebudget, let thread = recording.threads.first else { return nil }
    func spans(of phase: Phase) -> [Range<Int64>] {
      thread.slices.filter { recording.names[Int($0.name)] == phase.name }
        .map { $0.begin.nanoseconds..<$0.end.nanoseconds }
    }
    let lost = spans(of: .preempted)
    let items = Self.items(of: thread, recording.names, lost: BusyIntervals(lost))
    guard !items.isEmpty else { return nil }
    var changed = recording
    changed.names.append("Task")
    let task = Int32(recording.names.count)
    changed.threads[0].slices = items.flatMap { item in
      [RecordedSlice(name: task, depth: 0, begin: item.begin, length: item.end - item.begin)]
        + item.steps
    }
    changed.threads[0].posts = []
    changed.threads[0].ready = lost
    self.recording = changed
    let drained = spans(of: .drain)
    result = drained.reduce(0) { $0 + Int64($1.count) } / Int64(items.count)
    busy = (items.map { $0.begin.nanoseconds..<$0.end.nanoseconds } + drained)
      .sorted { $0.lowerBound < $1.lowerBound }
    isFrameLoop = items.contains { $0.frame != nil }
  }

  private static func items(
    of thread: RecordedThread, _ names: [String], lost: BusyIntervals
  ) -> [Item] {
    let workloads = names.map { name in
      name.firstIndex(of: "/").map { name[..<$0] }
    }
    var items: [Item] = []
    var frame: Int?
    for (index, slice) in thread.slices.enumerated() {
      let name = names[Int(slice.name)]
      if slice.depth == 0 { frame = isFrame(name) ? index : nil }
      // Steps that took no time have no recorded order.
      guard let workload = workloads[Int(slice.name)], slice.length > .zero else { continue }
      var step = slice
      step.depth = 1
      // Excludes the time for which other threads had the core.
      let away = lost.time(from: slice.begin.nanoseconds, to: slice.end.nanoseconds)
      step.cpu = slice.length - .nanoseconds(away)
      if let last = items.last, last.isFollowed(by: step, of: workload, in: frame) {
        items[items.count - 1].steps.append(step)
      } else {
        items.append(Item(workload: workload, frame: frame, steps: [step]))
      }
    }
    return items
  }

  static func isFrame(_ name: String) -> Bool { name == "frame" || name == "late frame" }
}

extension Range<Int64> {
  /// The parts of the range outside of `others`, which are in order.
  func without(_ others: [Range<Int64>]) -> [Range<Int64>] {
    var left: [Range<Int64>] = []
    var from = lowerBound
    for other in others[others.partitioningIndex(where: { $0.upperBound > lowerBound })...] {
      guard other.lowerBound < upperBound else { break }
      if other.lowerBound > from { left.append(from..<other.lowerBound) }
      from = Swift.max(from, other.upperBound)
    }
    if from < upperBound { left.append(from..<upperBound) }
    return left
  }
}

extension [Range<Int64>] {
  /// The same instants in ranges that are in order and do not overlap.
  var joined: Self {
    sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
  }
}
