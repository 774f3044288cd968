internal import FrameBudget
internal import FrameBudgetCaptures

/// The inputs of a page behind which other tasks wait for the next frame, as in Chromium by its feature
/// `kDeferRendererTasksAfterInput`.
enum InputDeferral {
  /// The longest wait: `kDiscreteInputResponseDeadline` in Chromium's `user_model.h`.
  static let limit = TimeSpan.milliseconds(50)

  /// The indices of the tasks that handled an input and that one of `frames` followed within the limit. None if the recording
  /// contradicts the rule: before these frames, other tasks of the app ran behind more than a fifth of them.
  static func inputs(
    of recording: Recording, _ tasks: [RecordedTask], _ frames: [RecordedScreen.Frame]
  ) -> [Int] {
    guard recording.format == .chrome, let thread = recording.threads.first else { return [] }
    let isCall = recording.names.map { AppCalls.contains($0) || recording.ownNames.contains($0) }
    let isDispatch = recording.names.map(AppCalls.isDispatch)
    let isFrame = recording.names.map { $0 == AppCalls.animationFrame }
    func runs(_ isWanted: [Bool], in task: RecordedTask) -> Bool {
      task.pieces.contains { isWanted[Int(thread.slices[$0.slice].name)] }
    }
    var (inputs, contradictions) = ([Int](), 0)
    for input in handlers(of: recording.inputs, tasks) {
      let end = tasks[input].end
      let next = frames.partitioningIndex { $0.begin >= end }
      guard next < frames.count, frames[next].begin - end <= limit.nanoseconds else { continue }
      let between = tasks[(input + 1)...].prefix { $0.end <= frames[next].begin }
      // A frame that changes nothing ends the wait, too.
      if between.contains(where: { runs(isFrame, in: $0) }) { continue }
      inputs.append(input)
      if between.contains(where: { runs(isCall, in: $0) && !runs(isDispatch, in: $0) }) {
        contradictions += 1
      }
    }
    return contradictions * 5 > inputs.count ? [] : inputs
  }

  /// The tasks in which something began at `instants`, which are in order.
  private static func handlers(of instants: [TimeSpan], _ tasks: [RecordedTask]) -> [Int] {
    var handlers: [Int] = []
    for instant in instants.map(\.nanoseconds) {
      let task = tasks.partitioningIndex { $0.begin > instant } - 1
      if task >= 0, instant < tasks[task].end, handlers.last != task { handlers.append(task) }
    }
    return handlers
  }
}
