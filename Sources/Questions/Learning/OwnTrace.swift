internal import FrameBudget
internal import FrameBudgetCaptures

/// Converts one of the project's own traces to the form of other recordings: items become tasks of the UI thread, and their
/// steps become slices.
///
/// In the project's traces, frames are slices around everything that ran in them, and the steps of items have the numbers of
/// these.
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
    let number: RecordedStep
    let place: Place
    var steps: [RecordedSlice]

    var begin: TimeSpan { steps[0].begin }
    var end: TimeSpan { steps[steps.count - 1].end }

    func isFollowed(by step: RecordedStep, at place: Place) -> Bool {
      number.workload == step.workload && number.item == step.item && self.place == place
    }
  }

  /// Where a slice ran: in a frame or between two.
  private struct Place: Equatable {
    /// The number of frames that had begun.
    var frames = 0
    var isInFrame = false
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
    let ran = items.flatMap { item in
      [RecordedSlice(name: task, depth: 0, begin: item.begin, length: item.end - item.begin)]
        + item.steps
    }
    changed.threads[0].slices = (ran + Self.parts(of: thread, recording.names))
      .sorted { ($0.begin, $0.depth) < ($1.begin, $1.depth) }
    changed.threads[0].posts = []
    changed.threads[0].steps = []
    changed.threads[0].ready = lost
    self.recording = changed
    let drained = spans(of: .drain)
    result = drained.reduce(0) { $0 + Int64($1.count) } / Int64(items.count)
    busy = (items.map { $0.begin.nanoseconds..<$0.end.nanoseconds } + drained)
      .sorted { $0.lowerBound < $1.lowerBound }
    isFrameLoop = items.contains(where: \.place.isInFrame)
  }

  /// The parts of drawing that have names: the slices within drawing that are no phases, each as a task.
  private static func parts(of thread: RecordedThread, _ names: [String]) -> [RecordedSlice] {
    var drawing = TimeSpan.zero..<TimeSpan.zero
    return thread.slices.compactMap { slice in
      let name = names[Int(slice.name)]
      if name == Phase.render.name { drawing = slice.begin..<slice.end }
      guard drawing.contains(slice.begin), !isPhase(name) else { return nil }
      var part = slice
      part.depth = 0
      return part
    }
  }

  /// Whether traces of runs call a span so that is no part of drawing.
  static func isPhase(_ name: String) -> Bool { phases.contains(name) }

  private static let phases = Set(Phase.allCases.map(\.name))

  private static func items(
    of thread: RecordedThread, _ names: [String], lost: BusyIntervals
  ) -> [Item] {
    var items: [Item] = []
    var place = Place()
    var numbered = thread.steps[...]
    for (index, slice) in thread.slices.enumerated() {
      if slice.depth == 0 {
        place.isInFrame = isFrame(names[Int(slice.name)])
        if place.isInFrame { place.frames += 1 }
      }
      guard let number = numbered.first, number.slice == index else { continue }
      numbered.removeFirst()
      // Steps that took no time have no recorded order.
      guard slice.length > .zero else { continue }
      var step = slice
      step.depth = 1
      // Excludes the time for which other threads had the core.
      let away = lost.time(from: slice.begin.nanoseconds, to: slice.end.nanoseconds)
      step.cpu = slice.length - .nanoseconds(away)
      if let last = items.last, last.isFollowed(by: number, at: place) {
        items[items.count - 1].steps.append(step)
      } else {
        items.append(Item(number: number, place: place, steps: [step]))
      }
    }
    return items
  }

  static func isFrame(_ name: String) -> Bool { name == "frame" || name == "late frame" }
}
