internal import FrameBudget
internal import FrameBudgetParsing

/// Counts the slices and frames of each thread.
struct KernelIndexer: KernelSink {
  private struct Found {
    var process: Int?
    var name = ""
    var counter = TaskCounter()
    var frames = 0
    /// By surface: how often a frame was requested for it, and how often it was committed.
    var surfaces: [Int: (requests: Int, commits: Int)] = [:]
    var sleeps = 0

    /// Those whose number is unknown, or that are more than a client has, count as this one.
    private static let anySurface = -1
    private static let maxSurfaces = 1024

    /// The counts of the window, as for `WaylandRequests.drawn`.
    var drawn: (requests: Int, commits: Int) {
      let most = surfaces.max {
        ($0.value.requests, $0.value.commits, $1.key)
          < ($1.value.requests, $1.value.commits, $0.key)
      }
      return most?.value ?? (requests: 0, commits: 0)
    }

    mutating func add(_ request: WaylandRequest, of surface: Int?) {
      var key = surface ?? Self.anySurface
      if surfaces[key] == nil, surfaces.count >= Self.maxSurfaces { key = Self.anySurface }
      switch request {
      case .frame: surfaces[key, default: (requests: 0, commits: 0)].requests += 1
      case .commit: surfaces[key, default: (requests: 0, commits: 0)].commits += 1
      }
    }

    /// The number of its slices and tasks. Those of a thread with commits are also the times between two sleeps.
    mutating func found() -> (slices: Int, tasks: Int) {
      counter.finish()
      let times = surfaces.values.contains { $0.commits > 0 } ? sleeps : 0
      return (counter.slices + times, times > 0 ? times : counter.tasks())
    }
  }

  /// The numbers for names of slices in which a thread draws a frame, and for all other names.
  private static let frame = 1
  private static let notFrame = 0

  private var threads: [Int: Found] = [:]
  private var order: [Int] = []
  private var begin = Int64.max
  /// Whether a client of Wayland committed frames.
  private(set) var isOfWayland = false
  /// Whether the scheduler was recorded.
  private(set) var hasSwitches = false
  /// Explicit names of processes; others have the name of their first thread.
  private var processes: [Int: String] = [:]
  /// Frames of each process on the display, by their tokens, which all of its surfaces share.
  private var displayed = ProcessFrames<UInt64>()
  /// Frames in compositors' reports, by process and frame number.
  private var reported = ProcessFrames<Int?>()

  mutating func intern(_ name: Span<UInt8>) -> Int {
    AndroidFrames.isFrame(name) ? Self.frame : Self.notFrame
  }

  mutating func mark(_ mark: AtraceMark, thread: Int, at instant: Int64, cpu: Int64?) {
    begin = min(begin, instant)
    switch mark {
    case .begin(let process, let name):
      describe(thread: thread, process: process, name: nil)
      if name == Self.frame { threads[thread, default: Found()].frames += 1 }
      threads[thread, default: Found()].counter.begin(at: instant)
    case .end: threads[noted(thread), default: Found()].counter.end(at: instant)
    case .counter: break
    }
  }

  mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64) {
    begin = min(begin, instant)
    hasSwitches = true
    if !wasPreempted { threads[from]?.sleeps += 1 }
  }

  mutating func woken(thread: Int, by waker: Int?, at instant: Int64) {
    begin = min(begin, instant)
  }

  mutating func called(_ name: Int, thread: Int, from begin: Int64, to end: Int64) {
    self.begin = min(self.begin, begin)
    threads[noted(thread), default: Found()].counter.add(from: begin, length: end - begin)
  }

  mutating func requested(
    _ request: WaylandRequest, of surface: Int?, thread: Int, at instant: Int64
  ) {
    begin = min(begin, instant)
    if request == .commit { isOfWayland = true }
    threads[noted(thread), default: Found()].add(request, of: surface)
  }

  mutating func describe(thread: Int, process: Int?, name: String?) {
    let number = noted(thread)
    if let process, process > 0 || thread == 0 {
      threads[number, default: Found()].process = process
    }
    // A placeholder for a name that the kernel no longer knew is ignored.
    if let name, !name.isEmpty, name != "<...>" { threads[number, default: Found()].name = name }
  }

  mutating func describe(process: Int, name: String) {
    if !name.isEmpty { processes[process] = name }
  }

  /// Records that the display had a frame of a process.
  mutating func displayed(_ frame: FrameTimelineEvent) {
    displayed.count(frame.token, of: frame.process)
  }

  /// Records that a browser or Flutter's engine drew a frame, or wanted one.
  mutating func drawn(_ event: ChromeEvent) {
    if event.isFrameOfThread {
      threads[noted(event.thread), default: Found()].frames += 1
    } else if event.isWantedFrame {
      reported.count(event.frame, of: event.stream.process)
    }
  }

  private mutating func noted(_ thread: Int) -> Int {
    if threads[thread] == nil {
      threads[thread] = Found()
      order.append(thread)
    }
    return thread
  }

  var count: Int { order.count }

  /// Threads with slices, and processes with only frames; nil if there are none.
  consuming func found(_ format: RecordingFormat) -> FoundThreads? {
    var found: [RecordingIndex.Thread] = []
    var members: [Int: Int] = [:]
    for number in order {
      guard var thread = threads[number] else { continue }
      let (slices, tasks) = thread.found()
      let process = thread.process ?? number
      members[number] = process
      guard slices > 0 else { continue }
      let name = processes[process] ?? threads[process]?.name ?? ""
      found.append(
        RecordingIndex.Thread(
          process: RecordedProcess(number: process, name: name), number: number,
          name: thread.name, slices: slices, tasks: tasks,
          frames: thread.frames + thread.drawn.commits, requests: thread.drawn.requests))
    }
    RecordingIndex.Thread.share(displayed.counts, among: &found)
    // A compositor that draws by itself has no data about main threads, if those report frames themselves.
    if !found.contains(where: { $0.frames > 0 }) {
      RecordingIndex.Thread.share(reported.counts, among: &found)
    }
    for (process, frames) in displayed.counts.sorted(by: { $0.key < $1.key })
    where !found.contains(where: { $0.process.number == process }) {
      members[process] = process
      found.append(
        RecordingIndex.Thread(
          process: RecordedProcess(number: process, name: processes[process] ?? ""),
          number: process, name: "", slices: 0, tasks: 0, frames: frames))
    }
    guard !found.isEmpty else { return nil }
    return FoundThreads(format, found, begin: begin, members: members)
  }
}
