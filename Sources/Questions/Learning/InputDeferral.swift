internal import FrameBudget
internal import FrameBudgetCaptures

/// The inputs of a page behind which other tasks wait for the next frame that was not due before, as in Chromium by its feature
/// `kDeferRendererTasksAfterInput`.
struct InputDeferral {
  /// The longest wait: `kDiscreteInputResponseDeadline` in Chromium's `user_model.h`.
  static let limit = TimeSpan.milliseconds(50)

  /// A frame of the main thread, with or without a change.
  private struct MainFrame {
    let begin: Int64
    let vsync: Int64
    /// The frame on the screen; nil without a change.
    let drawn: RecordedScreen.Frame?
  }

  private let tasks: [RecordedTask]
  private let screen: RecordedScreen
  /// By task: whether a callback of `requestAnimationFrame` runs in it, and whether another call of the app's.
  private let isFrame: [Bool]
  private let isCall: [Bool]
  /// The tasks of `isFrame`.
  private let frameTasks: [Int]

  private init(_ recording: Recording, _ tasks: [RecordedTask], _ screen: RecordedScreen) {
    (self.tasks, self.screen) = (tasks, screen)
    let slices = recording.threads[0].slices
    func areRun(_ isWanted: [Bool]) -> [Bool] {
      tasks.map { $0.pieces.contains { isWanted[Int(slices[$0.slice].name)] } }
    }
    let names = recording.names
    isFrame = areRun(names.map { $0 == AppCalls.animationFrame })
    frameTasks = tasks.indices.filter { [isFrame] in isFrame[$0] }
    let calls = areRun(names.map { AppCalls.contains($0) || recording.ownNames.contains($0) })
    isCall = zip(calls, areRun(names.map(AppCalls.isDispatch))).map { $0 && !$1 }
  }

  /// The indices of the tasks that handled an input and behind which the page drew within the limit. None if the recording
  /// contradicts the rule: other tasks of the app ran behind more than a fifth of them, before the frame that ends the wait.
  static func inputs(
    of recording: Recording, _ tasks: [RecordedTask], _ screen: RecordedScreen
  ) -> [Int] {
    guard recording.format == .chrome, !recording.threads.isEmpty, !recording.inputs.isEmpty
    else { return [] }
    let deferral = InputDeferral(recording, tasks, screen)
    var (inputs, contradictions) = ([Int](), 0)
    for input in handlers(of: recording.inputs, tasks) {
      let frames = deferral.frames(behind: input)
      guard let waitEnd = deferral.waitEnd(behind: input, frames) else { continue }
      inputs.append(input)
      if deferral.runsOthers(behind: input, until: waitEnd, frames) { contradictions += 1 }
    }
    return contradictions * 5 > inputs.count ? [] : inputs
  }

  /// The frames that began within the limit.
  private func frames(behind input: Int) -> [MainFrame] {
    let begins = tasks[input].end...tasks[input].end + Self.limit.nanoseconds
    let drawn = screen.frames[screen.frames.partitioningIndex { $0.begin >= begins.lowerBound }...]
      .prefix { $0.begin <= begins.upperBound }
    let empty = frameTasks[frameTasks.partitioningIndex { $0 > input }...]
      .prefix { tasks[$0].begin <= begins.upperBound }
      .filter { task in
        !drawn.contains { $0.begin < tasks[task].end && tasks[task].begin < $0.end }
      }
    let all =
      drawn.map { MainFrame(begin: $0.begin, vsync: $0.requestedAt, drawn: $0) }
      + empty.map {
        // Its vsync is not recorded.
        let vsync = screen.grid.vsync(atOrBefore: tasks[$0].begin)
        return MainFrame(
          begin: tasks[$0].begin, vsync: screen.grid.instant(of: vsync), drawn: nil)
      }
    return all.sorted { $0.begin < $1.begin }
  }

  /// The begin of the first of `frames` whose event was posted behind the input; nil if nothing waits in a replay, where no frame
  /// is without a change.
  private func waitEnd(behind input: Int, _ frames: [MainFrame]) -> Int64? {
    let end = tasks[input].end
    guard let first = frames.first, let drawn = first.drawn else { return nil }
    if first.vsync >= end {
      return drawn.requested <= screen.grid.vsync(atOrAfter: end) ? first.begin : nil
    }
    // The event of the second is posted when the first, which was due before, has ended.
    return frames.count > 1 ? frames[1].begin : nil
  }

  private func runsOthers(behind input: Int, until instant: Int64, _ frames: [MainFrame]) -> Bool {
    tasks.indices[(input + 1)...].prefix { tasks[$0].end <= instant }.contains { task in
      isCall[task] && !isFrame[task]
        && !frames.contains { frame in
          frame.drawn.map { $0.begin < tasks[task].end && tasks[task].begin < $0.end } ?? false
        }
    }
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
