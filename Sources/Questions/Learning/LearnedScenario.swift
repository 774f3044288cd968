public import FrameBudget
public import FrameBudgetCaptures

/// A scenario learned from a recording, and the figures of the recording to compare its replay with.
public struct LearnedScenario: Sendable {
  /// The name of the scenario, and of its file without the extension.
  public let name: String
  /// The name of the recording; `a recording` if `isAnonymous` is true.
  public let source: String
  /// Whether the names of slices and of the recording are replaced.
  public let isAnonymous: Bool
  let recording: Recording
  let screen: RecordedScreen
  let choice: ServiceChoice
  let items: LearnedItems
  /// The change to the page under which this is what is expected of it; nil for a scenario of what was recorded.
  public let change: PageChange?
  /// The time to handle an item's result on the UI thread, in nanoseconds; 0 if the recording does not distinguish it from
  /// drawing.
  let result: Int64
  /// The names of the services in the scenario, in the order of `choice.names`.
  public let services: [String]
  /// The names of the scenario's lanes, in the order of `choice.lanes`.
  let lanes: [String]
  /// The timers that call the app's services and are set again by their own callbacks.
  let chainedTimers: [ChainedTimer]
  /// The share of the UI thread's time in slices that say what it did, from 0 to 1.
  public let coverage: Double
  /// The number of frames that were not ready in time for the vsync that they wanted, and for each service the number of
  /// those in which it ran, or for which it made them wait.
  let lateFrames: Int
  let lateFramesByService: [Int]

  /// - Parameters:
  ///   - recording: with a UI thread that has slices, or with frames.
  ///   - name: the name of the scenario.
  ///   - source: the name of the recording.
  ///   - rules: the roles of slices by their names; the first matching rule applies.
  ///   - isAnonymous: whether names of slices and of the recording are replaced.
  ///   - change: a change to the recorded page, which the scenario then predicts.
  public init?(
    _ recording: Recording, name: String, source: String, rules: [NameRule] = [],
    isAnonymous: Bool = false, change: PageChange? = nil
  ) {
    let own = OwnTrace(recording)
    let recording = own?.recording ?? recording
    guard let thread = recording.threads.first,
      !thread.slices.isEmpty || recording.frames.contains(where: { $0.work != nil })
    else { return nil }
    var tasks = RecordedTask.all(of: thread)
    let begin = min(
      tasks.first?.begin ?? 0, recording.frames.map(\.vsync.nanoseconds).min() ?? .max)
    let screen = RecordedScreen(
      recording, VsyncGrid(recording, from: begin), busy: own?.busy ?? [],
      isFrameLoop: own?.isFrameLoop ?? false)
    for input in InputDeferral.inputs(of: recording, tasks, screen) {
      tasks[input].isInput = true
    }
    let windows = screen.lateWindows
    var choice = ServiceChoice(
      recording, thread.slices, tasks, windows: windows, rules: rules)
    let others = OtherThreads(recording, tasks, choice, rules)
    let contention = others.contention(with: tasks, screen.stage, cores: recording.assumedCores)
    let work = others.items(screen.grid, contention, &choice)
    let items = LearnedItems(
      thread, others.parts(of: tasks, contention, screen), screen, choice, others: work,
      change: change, effects: change?.effects(on: thread.slices, names: recording.names))
    self.change = change
    self.isAnonymous = isAnonymous
    self.recording = recording
    self.screen = screen
    self.choice = choice
    self.items = items
    result = own?.result ?? 0
    self.name = isAnonymous ? "recording" : name
    self.source = isAnonymous ? "a recording" : source
    services =
      isAnonymous ? choice.names.indices.map { "service-\($0 + 1)" } : choice.names
    lanes = isAnonymous ? choice.lanes.indices.map { "lane-\($0 + 1)" } : choice.lanes
    chainedTimers = choice.names.indices.compactMap {
      ChainedTimer(calling: $0, tasks, choice, thread.slices)
    }
    coverage = Self.coverage(of: thread, tasks, recording.names)
    lateFrames = windows.count
    lateFramesByService = Self.windows(windows, with: choice, thread, tasks)
  }

  /// Why `recording` is too large for a scenario; nil if it is not.
  ///
  /// Checked before all else: scenario files have a line for each vsync, and each task may become an item.
  public static func excess(of recording: Recording) -> String? {
    lengthExcess(of: recording) ?? taskExcess(of: recording)
  }

  private static func taskExcess(of recording: Recording) -> String? {
    let tasks = recording.threads.map { thread in thread.slices.count { $0.depth == 0 } }
    let all = tasks.reduce(0, +)
    guard let main = tasks.first, main > maxTasks || all > 2 * maxTasks else { return nil }
    let what = main > maxTasks ? "\(main) tasks of the UI thread" : "\(all) tasks of its threads"
    let most = main > maxTasks ? maxTasks : 2 * maxTasks
    return "has \(what), and at most \(most) fit into a scenario; --from and --to take a part"
  }

  /// A replay of more items than a scenario may have would be refused.
  private static let maxTasks = 1_000_000

  private static func lengthExcess(of recording: Recording) -> String? {
    let frames = recording.frames.flatMap { frame in
      [frame.vsync, frame.ready, frame.presented].compactMap { $0?.nanoseconds }
        + [frame.work?.upperBound].compactMap(\.self)
    }
    let grid = VsyncGrid(recording, from: 0)
    let vsyncs = grid.vsync(atOrAfter: max(recording.length.nanoseconds, frames.max() ?? 0))
    guard vsyncs > maxVsyncs else { return nil }
    return
      "lasts for \(vsyncs) vsyncs at \(grid.refresh), and at most \(maxVsyncs) fit into a scenario; "
      + "--from and --to take a part"
  }

  /// Less than the largest number of rows of a recorded column, because a replay continues after the end of the recording.
  private static let maxVsyncs = 1_000_000

  private static func coverage(
    of thread: RecordedThread, _ tasks: [RecordedTask], _ names: [String]
  ) -> Double {
    var named: Int64 = 0
    var all: Int64 = 0
    for piece in tasks.lazy.flatMap(\.pieces) {
      all += piece.length
      if !SliceName.isGeneric(names[Int(thread.slices[piece.slice].name)]) { named += piece.length }
    }
    // Work outside of all slices has no name.
    let ran = thread.runs.map { $0.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } } ?? 0
    let total = max(all, ran)
    return total == 0 ? 0 : Double(named) / Double(total)
  }

  private static func windows(
    _ windows: [Range<Int64>], with choice: ServiceChoice, _ thread: RecordedThread,
    _ tasks: [RecordedTask]
  ) -> [Int] {
    var found = [Set<Int>](repeating: [], count: choice.names.count)
    var next = 0
    for piece in tasks.lazy.flatMap(\.pieces) {
      while next < windows.count, windows[next].upperBound <= piece.begin { next += 1 }
      guard next < windows.count else { break }
      guard piece.end > windows[next].lowerBound,
        case .service(let service) = choice.role(of: thread.slices[piece.slice])
      else { continue }
      found[service].insert(next)
    }
    return found.map(\.count)
  }

  /// The number of vsyncs at which the recording wanted a frame of the UI thread, and how many of those were dropped.
  public var wantedFrames: Int { screen.expected }
  public var droppedFrames: Int { screen.dropped }
  /// What of the app neither counts.
  public var omissions: [String] { recording.omissions }
  /// The number of frames that the UI thread drew, and the time of drawing in all of them together.
  public var drawnFrames: Int { items.drawing.count }
  public var drawingTime: TimeSpan { .nanoseconds(items.drawing.reduce(0, +)) }
  /// The parts of drawing, that with the most time first.
  public var partTotals: [FramePartTotal] {
    let dropped = droppedByFrame
    return FramePartTotal.all(
      in: items.drawing.indices.lazy.map { frame in
        (
          parts: zip(parts, items.parts).map {
            FramePartTime(name: $0, span: .nanoseconds($1.times[frame]))
          }, dropped: dropped[frame]
        )
      })
  }

  /// By frame: the number of dropped vsyncs at which the thread had not drawn it yet. A frame that waited for it is not to
  /// blame.
  private var droppedByFrame: [Int] {
    var dropped = Array(repeating: 0, count: screen.frames.count)
    for (vsync, isShown) in screen.shown where !isShown {
      let at = screen.grid.instant(of: vsync)
      let frame = screen.frames.partitioningIndex { $0.end > at }
      if frame < dropped.count { dropped[frame] += 1 }
    }
    return dropped
  }

  /// The number of recorded frames that began more than a period after their vsyncs.
  public var lateBegins: Int { screen.lateBegins }

  /// Whether the recording has slices of the UI thread, and not only the lengths of frames.
  var hasSlices: Bool { recording.threads.first.map { !$0.slices.isEmpty } ?? false }

  /// The name in the scenario of a service, or of work outside of services.
  func service(_ index: Int?) -> String {
    index.map { services[$0] } ?? (services.contains("other") ? "other-work" : "other")
  }

  /// The names of the parts of drawing.
  package var parts: [String] { items.parts.map { services[$0.service] } }

  /// The name of a workload in the scenario.
  func workload(_ index: Int) -> String {
    isAnonymous ? "workload-\(index + 1)" : items.workloads[index].name
  }
}
