internal import FrameBudget
public import Recordings

/// A scenario that replays a recording, and what it is held against.
public struct Learner: Sendable {
  /// What the scenario is called, and its file without an ending.
  public let name: String
  /// What the recording is called; empty where names are not to be told.
  public let source: String
  /// Whether names of slices, and of the recording, are replaced.
  public let isAnonymous: Bool
  let recording: Recording
  let screen: RecordedScreen
  let choice: ServiceChoice
  let items: LearnedItems
  /// What taking in the result of an item takes on the UI thread, in nanoseconds; 0 where that is not told from drawing.
  let result: Int64
  /// As the scenario calls the services, in the order of `choice.names`.
  public let services: [String]
  /// How much of the UI thread's time is in slices that say what it did, from 0 to 1.
  public let coverage: Double
  /// Frames that were not ready in time, and in how many of those each service ran.
  let lateFrames: Int
  let lateWith: [Int]

  /// - Parameters:
  ///   - recording: with a UI thread that has slices, or with frames.
  ///   - name: what the scenario is to be called.
  ///   - source: what the recording is called.
  ///   - rules: what slices of some names are to be taken for; the first that fits counts.
  ///   - isAnonymous: whether names of slices and of the recording are replaced.
  public init?(
    _ recording: Recording, name: String, source: String, rules: [NameRule] = [],
    isAnonymous: Bool = false
  ) {
    let own = OwnTrace(recording)
    let recording = own?.recording ?? recording
    guard let thread = recording.threads.first,
      !thread.slices.isEmpty || recording.frames.contains(where: { $0.work != nil })
    else { return nil }
    let tasks = RecordedTask.all(of: thread)
    let begin = min(
      tasks.first?.begin ?? 0, recording.frames.map(\.vsync.nanoseconds).min() ?? .max)
    let screen = RecordedScreen(
      recording, VsyncGrid(recording, from: begin), busy: own?.busy ?? [],
      isFrameLoop: own?.isFrameLoop ?? false)
    let windows = screen.lateWindows
    let choice = ServiceChoice(recording, tasks, windows: windows, rules: rules)
    let items = LearnedItems(thread, tasks, screen, choice)
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
    coverage = Self.coverage(of: thread, tasks, recording.names)
    lateFrames = windows.count
    lateWith = Self.windows(windows, with: choice, thread, tasks)
  }

  /// Why `recording` is too long for a scenario; nil where it is not.
  ///
  /// Asked before anything is made of it, as what is made has a line for each vsync.
  public static func excess(of recording: Recording) -> String? {
    let frames = recording.frames.flatMap { frame in
      [frame.vsync, frame.ready, frame.presented].compactMap { $0?.nanoseconds }
        + [frame.work?.upperBound].compactMap(\.self)
    }
    let grid = VsyncGrid(recording, from: 0)
    let vsyncs = grid.vsync(atOrAfter: max(recording.length.nanoseconds, frames.max() ?? 0))
    guard vsyncs > mostVsyncs else { return nil }
    return
      "lasts for \(vsyncs) vsyncs at \(grid.refresh), and at most \(mostVsyncs) fit into a scenario; --from and --to take a part"
  }

  /// Some less than a recorded column may have rows, as a replay goes on behind the recording's end.
  private static let mostVsyncs = 1_000_000

  private static func coverage(
    of thread: RecordedThread, _ tasks: [RecordedTask], _ names: [String]
  ) -> Double {
    var named: Int64 = 0
    var all: Int64 = 0
    for piece in tasks.lazy.flatMap(\.pieces) {
      all += piece.length
      if !SliceName.isGeneric(names[Int(thread.slices[piece.slice].name)]) { named += piece.length }
    }
    // What ran outside of all slices nobody can name.
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

  /// How many vsyncs of the recording wanted something of the UI thread, and how many of those were dropped.
  public var wantedFrames: Int { screen.expected }
  public var droppedFrames: Int { screen.dropped }
  /// How many frames of the recording began more than a period behind the vsync that they belong to.
  public var lateBegins: Int { screen.lateBegins }

  /// Whether the recording says what the UI thread did, and not only how long frames took.
  var hasSlices: Bool { recording.threads.first.map { !$0.slices.isEmpty } ?? false }

  /// What the scenario calls a service, or what is in none.
  func service(_ place: Int?) -> String {
    place.map { services[$0] } ?? (services.contains("other") ? "other-work" : "other")
  }

  /// What the scenario calls a workload.
  func workload(_ place: Int) -> String {
    isAnonymous ? "workload-\(place + 1)" : items.workloads[place].name
  }
}

extension RecordedScreen {
  /// From the vsync of each frame that was not ready in time to the end of its work; in order, none within another.
  var lateWindows: [Range<Int64>] {
    var windows: [Range<Int64>] = []
    for (frame, ready) in zip(frames, stage.ready) {
      guard ready > grid.instant(of: frame.vsync + deadline) else { continue }
      let begin = max(grid.instant(of: frame.vsync), windows.last?.upperBound ?? .min)
      if begin < frame.end { windows.append(begin..<frame.end) }
    }
    return windows
  }
}
