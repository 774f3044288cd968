internal import FrameBudget
internal import FrameBudgetParsing

/// A request of a client of Wayland on a surface; the raw values are opcodes.
enum WaylandRequest: Int {
  /// To be told when to draw the next frame. It takes effect with the next commit.
  case frame = 3
  case commit = 6
}

/// The requests of a thread, in order.
struct WaylandRequests {
  private(set) var frames: [Int64] = []
  private(set) var commits: [Int64] = []

  mutating func add(_ request: WaylandRequest, at instant: Int64) {
    switch request {
    case .frame: frames.append(instant)
    case .commit: commits.append(instant)
    }
  }
}

/// Frames of a thread that commits them. A frame is wanted from its request on, even if the thread is too busy to be woken
/// for it.
struct WaylandFrames {
  private let requests: [Int64]
  private let commits: [Int64]
  /// When the thread was awake, with or without a core.
  private let busy: [Range<Int64>]
  /// When named functions returned that are not called for each frame.
  private let returns: [Int64]
  /// When the compositor woke the thread.
  private let wakes: [Int64]

  /// `calls` are those of named functions; `members` the threads of the process, which are not the compositor.
  init(
    _ requests: WaylandRequests, _ schedule: ThreadSchedule, calls: [RecordedSlice],
    members: Set<Int>
  ) {
    let (asked, all) = (requests.frames.sorted(), requests.commits.sorted())
    let busy: [Range<Int64>] = (schedule.runs + schedule.ready).joined
    let areDrawn = Self.areDrawn(all, by: (asked + calls.map(\.end.nanoseconds)).sorted())
    // Without requests for frames nothing tells commits apart.
    let commits = asked.isEmpty ? all : Self.ofFrames(all, areDrawn, busy)
    let drawn = asked.isEmpty ? all.count : areDrawn.count { $0 }
    (self.requests, self.commits, self.busy) = (asked, commits, busy)
    let drawing = Self.drawing(calls, commits, drawn: drawn)
    returns = calls.filter { !drawing.contains($0.name) }.map(\.end.nanoseconds).sorted()
    var counts: [Int: Int] = [:]
    // Interrupts wake threads in the name of whatever runs, such as the idle task.
    for waker in schedule.wakers where waker > 0 && !members.contains(waker) {
      counts[waker, default: 0] += 1
    }
    let compositor = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    wakes = zip(schedule.wakes, schedule.wakers).filter { $0.1 == compositor }.map(\.0)
  }

  /// By commit: whether since the one before a frame was requested or a named function returned, as `events` say.
  private static func areDrawn(_ commits: [Int64], by events: [Int64]) -> [Bool] {
    var next = 0
    return commits.map { commit in
      let first = next
      while next < events.count, events[next] <= commit { next += 1 }
      return next > first
    }
  }

  /// The commits without those that are not drawn and share a task with the one before, or with a drawn one after: a cursor's,
  /// or a text input's, whose requests may have the same number.
  private static func ofFrames(
    _ commits: [Int64], _ areDrawn: [Bool], _ busy: [Range<Int64>]
  ) -> [Int64] {
    let tasks = commits.map { commit in busy.partitioningIndex { $0.upperBound >= commit } }
    return commits.indices.filter { number in
      if areDrawn[number] { return true }
      if number > 0, tasks[number - 1] == tasks[number] { return false }
      let next = number + 1
      return next == commits.count || !areDrawn[next] || tasks[next] != tasks[number]
    }
    .map { commits[$0] }
  }

  /// The names of functions that draw: nearly each of the `drawn` frames calls them, and once, apart from calls within them.
  private static func drawing(
    _ calls: [RecordedSlice], _ commits: [Int64], drawn: Int
  ) -> Set<Int32> {
    var counts: [Int32: [Int: Int]] = [:]
    var ends: [Int32: TimeSpan] = [:]
    for call in calls.sorted(by: { ($0.begin, $1.end) < ($1.begin, $0.end) }) {
      if let end = ends[call.name], call.begin < end { continue }
      ends[call.name] = call.end
      let frame = commits.partitioningIndex { $0 >= call.begin.nanoseconds }
      counts[call.name, default: [:]][frame, default: 0] += 1
    }
    return Set(
      counts.filter { $0.value.values.count { $0 == 1 } * 10 >= drawn * 9 }.map(\.key))
  }

  /// The thread's tasks: when it was awake, or in a named function.
  func tasks(with calls: [RecordedSlice]) -> [Range<Int64>] { (busy + calls.map(\.span)).joined }

  /// The frames in order, and the usual distance of those for which the thread was woken.
  func found() -> (frames: [RecordedFrame], period: TimeSpan?) {
    let woken = zip(commits, commits.dropFirst()).compactMap { wake(after: $0, by: $1) }
    let period = AndroidFrames.period(of: woken)
    let step = (period ?? RefreshRate(60).period).nanoseconds
    var frames: [RecordedFrame] = []
    for number in commits.indices {
      frames.append(frame(number, after: frames.last?.vsync.nanoseconds, period: step))
    }
    return (frames, period)
  }

  /// The frame that ends with a commit; `before` is the vsync of the frame before it.
  private func frame(_ number: Int, after before: Int64?, period: Int64) -> RecordedFrame {
    let commit = commits[number]
    let task = busy.partitioningIndex { $0.upperBound >= commit }
    let awake = task < busy.count ? min(busy[task].lowerBound, commit) : commit
    var vsync = awake
    var begin = awake
    if number > 0, let before {
      let last = commits[number - 1]
      begin = max(awake, last)
      vsync = begin
      let passed = max(1, (last - before + period - 1) / period)
      let expected = before + passed * period
      if let wake = wake(after: last, by: commit), wake >= awake {
        vsync = wake
      } else if isRequested(number), awake <= expected, expected <= commit {
        vsync = expected
      }
      vsync = max(vsync, before)
      begin = max(begin, min(vsync, commit))
    }
    begin = max(begin, lastReturn(by: commit))
    return RecordedFrame(vsync: .nanoseconds(vsync), work: begin..<max(begin, commit))
  }

  /// Whether the commit before the frame asked for it; each did if no such request was recorded.
  private func isRequested(_ number: Int) -> Bool {
    let last = commits[number - 1]
    let first = requests.partitioningIndex { $0 > (number > 1 ? commits[number - 2] : .min) }
    return requests.isEmpty || first < requests.count && requests[first] <= last
  }

  private func wake(after last: Int64, by commit: Int64) -> Int64? {
    let next = wakes.partitioningIndex { $0 > commit }
    return next > 0 && wakes[next - 1] > last ? wakes[next - 1] : nil
  }

  private func lastReturn(by commit: Int64) -> Int64 {
    let next = returns.partitioningIndex { $0 > commit }
    return next > 0 ? returns[next - 1] : .min
  }

  /// What the recording does not say.
  var doubts: [String] {
    [
      "a frame has the vsync at which the compositor woke the thread; if that was busy, the one a period after the last"
    ]
      + (requests.isEmpty
        ? ["no requests for frames (opcode 3) were recorded: each commit counts as one"] : [])
  }
}
