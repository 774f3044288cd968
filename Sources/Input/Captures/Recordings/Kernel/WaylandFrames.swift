internal import FrameBudget
internal import FrameBudgetParsing

/// A request of a client of Wayland on a surface; the raw values are opcodes.
enum WaylandRequest: Int {
  /// To be told when to draw the next frame. It takes effect with the next commit.
  case frame = 3
  case commit = 6
}

/// What a client does with the object that calls it for a frame.
enum WaylandCallback { case listens, destroys }

/// The requests of a thread, in order.
struct WaylandRequests {
  private struct Times {
    var frames: [Int64] = []
    var commits: [Int64] = []
    var handled: [Int64] = []
  }

  private var times = Times()
  /// The same of each surface whose number is known.
  private var surfaces: [Int: Times] = [:]
  /// The surface of `drawn`, if frames of others were requested, too.
  private(set) var chosen: Int?
  /// The surface of the newest request for a frame, until its callback is known; and by callback the surface that it is for.
  private var requesting: Int?
  private var callbacks: [Int: Int] = [:]

  var frames: [Int64] { times.frames }
  var commits: [Int64] { times.commits }
  /// When the client began to handle the compositor's calls for frames. Empty if that was not recorded.
  var handled: [Int64] { times.handled }

  /// Most callbacks are destroyed at once.
  private static let most = 4096

  mutating func add(_ request: WaylandRequest, of surface: Int?, at instant: Int64) {
    let list: WritableKeyPath<Times, [Int64]> = request == .frame ? \.frames : \.commits
    times[keyPath: list].append(instant)
    guard let surface else { return }
    if request == .frame { requesting = surface }
    surfaces[surface, default: Times()][keyPath: list].append(instant)
  }

  /// The client does something with a callback, of which only those for frames count.
  mutating func add(_ use: WaylandCallback, of callback: Int, at instant: Int64) {
    switch use {
    case .listens:
      guard let surface = requesting else { return }
      requesting = nil
      if callbacks.count >= Self.most { callbacks.removeAll() }
      callbacks[callback] = surface
    case .destroys:
      guard let surface = callbacks.removeValue(forKey: callback) else { return }
      times.handled.append(instant)
      surfaces[surface, default: Times()].handled.append(instant)
    }
  }

  /// Those of the window: the surface for which most frames were requested. A cursor's has few, or none. All, if a surface is not
  /// known.
  var drawn: WaylandRequests {
    let known = surfaces.values.reduce(0) { $0 + $1.commits.count }
    let most = surfaces.max {
      ($0.value.frames.count, $0.value.commits.count, $1.key)
        < ($1.value.frames.count, $1.value.commits.count, $0.key)
    }
    guard let most, known == commits.count else { return self }
    var drawn = WaylandRequests()
    drawn.times = most.value
    if most.value.frames.count < frames.count { drawn.chosen = most.key }
    return drawn
  }
}

/// When a thread was in a system call that waits for events.
struct RestTimes {
  /// The begins and ends, in any order.
  private var events: [(instant: Int64, begins: Bool)] = []

  mutating func add(_ begins: Bool, at instant: Int64) { events.append((instant, begins)) }

  /// Whether the thread is known to do something else at the end.
  var endsAtWork: Bool { events.max { $0.instant < $1.instant }?.begins == false }

  /// Those of `sleeps`, which are in order, in which the thread waited for something else, as for a lock, a file or a timer of its
  /// own. What it did before the first event is not known.
  func blocks(of sleeps: [Range<Int64>]) -> [Range<Int64>] {
    let events = events.sorted { $0.instant < $1.instant }
    return sleeps.filter { sleep in
      let next = events.partitioningIndex { $0.instant > sleep.lowerBound }
      return next > 0 && !events[next - 1].begins
    }
  }
}

/// Frames of a thread that commits them. A frame is wanted from its request on, even if the thread is too busy to be woken
/// for it, or sleeps elsewhere.
struct WaylandFrames {
  /// The frames in order, and the usual distance of those for which the thread was woken.
  private(set) var frames: [RecordedFrame] = []
  private(set) var period: TimeSpan?
  /// Whether most of the vsyncs behind late frames were not on the grid of those before them.
  private(set) var restartsVsyncs = false
  private let requests: [Int64]
  private let commits: [Int64]
  /// When the client began to handle calls for frames.
  private let handled: [Int64]
  /// When the thread was awake, with or without a core, or slept in the middle of its work.
  private var busy: [Range<Int64>]
  /// Whether the last of these is not known to have ended.
  private let isBusyAtEnd: Bool
  /// When named functions returned that are not called for each frame.
  private let returns: [Int64]
  /// When the compositor woke the thread.
  private let wakes: [Int64]
  private let surface: Int?

  /// `end` is the last instant of the recording; `calls` are those of named functions; `members` the threads of the process,
  /// which are not the compositor. Without `rests`, only the sleeps that a frame had to wait for are told from those of a thread
  /// without work.
  init(
    _ requests: WaylandRequests, _ schedule: ThreadSchedule, until end: Int64,
    rests: RestTimes? = nil, calls: [RecordedSlice], members: Set<Int>
  ) {
    let (asked, all) = (requests.frames.sorted(), requests.commits.sorted())
    surface = requests.chosen
    let endsAtWork = rests?.endsAtWork ?? false
    let awake = Self.awake(schedule, until: endsAtWork ? end : nil)
    let ends = awake.dropFirst().map(\.lowerBound) + (endsAtWork ? [end] : [])
    let sleeps = zip(awake, ends).map { $0.upperBound..<max($0.upperBound, $1) }
    let blocks = rests?.blocks(of: sleeps) ?? []
    let busy: [Range<Int64>] = (awake + blocks).joined
    isBusyAtEnd = blocks.last.map { $0.upperBound >= end } ?? false
    let areDrawn = Self.areDrawn(all, by: (asked + calls.map(\.end.nanoseconds)).sorted())
    // Without requests for frames nothing tells commits apart.
    let commits = asked.isEmpty ? all : Self.ofFrames(all, areDrawn, busy)
    let drawn = asked.isEmpty ? all.count : areDrawn.count { $0 }
    (self.requests, self.commits, self.busy) = (asked, commits, busy)
    let handled = requests.handled.sorted()
    self.handled = handled
    let drawing = Self.drawing(calls, commits, drawn: drawn)
    returns = calls.filter { !drawing.contains($0.name) }.map(\.end.nanoseconds).sorted()
    let compositor = Self.compositor(
      waking: schedule, before: handled.isEmpty ? commits : handled, members: members)
    wakes = zip(schedule.wakes, schedule.wakers).filter { $0.1 == compositor }.map(\.0)
    find(isRestKnown: rests != nil)
  }

  /// When the thread was awake, with or without a core. `end` is that of the recording if the thread does not rest then.
  private static func awake(_ schedule: ThreadSchedule, until end: Int64?) -> [Range<Int64>] {
    let awake: [Range<Int64>] = (schedule.runs + schedule.ready).joined
    // A thread that computes alone has no event after that wake.
    guard let end, let wake = schedule.wakes.last, wake < end,
      wake > awake.last?.upperBound ?? .min
    else { return awake }
    return awake + [wake..<end]
  }

  /// The thread of another process that most often was the last one to wake this one before the instants of `calls`. Another
  /// process may send it more messages than the compositor.
  private static func compositor(
    waking schedule: ThreadSchedule, before calls: [Int64], members: Set<Int>
  ) -> Int? {
    // Interrupts wake threads in the name of whatever runs, such as the idle task.
    let wakes = zip(schedule.wakes, schedule.wakers).filter {
      $0.1 > 0 && !members.contains($0.1)
    }
    var counts: [Int: Int] = [:]
    for call in calls {
      let next = wakes.partitioningIndex { $0.0 > call }
      if next > 0 { counts[wakes[next - 1].1, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
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

  private mutating func find(isRestKnown: Bool) {
    let woken = zip(commits, commits.dropFirst()).compactMap { wake(after: $0, by: $1) }
    period = AndroidFrames.period(of: woken)
    let step = self.step
    restartsVsyncs = !requests.isEmpty && Self.isAnew(woken, step)
    var blocks: [Range<Int64>] = []
    for number in commits.indices {
      let last = frames.last?.vsync.nanoseconds
      if !isRestKnown, let last, let block = block(before: number, after: last, period: step) {
        blocks.append(block)
        frames.append(frame(number, after: last, period: step, awake: block.lowerBound))
      } else {
        frames.append(frame(number, after: last, period: step))
      }
    }
    busy = (busy + blocks).joined
  }

  /// The distance of vsyncs, in nanoseconds.
  private var step: Int64 { (period ?? RefreshRate(60).period).nanoseconds }

  /// Whether the recording ends in a task that keeps the thread from a frame: the last commit asked for it, and the compositor
  /// called for it in that task, or the task began before the call was a period late.
  var isWantedAtEnd: Bool {
    guard isBusyAtEnd, !requests.isEmpty, let task = busy.last, let last = commits.last,
      let vsync = frames.last?.vsync.nanoseconds, isRequested(commits.count)
    else { return false }
    let call = Self.last(of: handled, by: .max)
    if call > last { return task.lowerBound <= call }
    let wake = Self.last(of: wakes, by: .max)
    return task.lowerBound <= max(wake, expected(after: vsync, last, step) + step)
  }

  private static func isAnew(_ woken: [Int64], _ period: Int64) -> Bool {
    let late = zip(woken, woken.dropFirst()).map { Double($1 - $0) / Double(period) }
      .filter { (1.2..<10).contains($0) }
    let off = late.count { abs($0 - $0.rounded()) > VsyncGrid.tolerance }
    return late.count >= 8 && off * 2 > late.count
  }

  /// The sleep and the work before a commit, if the thread would have been woken for the frame had it waited for events: the
  /// commit before asked for it, and its vsync went by in a sleep that the compositor did not end.
  private func block(
    before number: Int, after before: Int64, period: Int64
  ) -> Range<Int64>? {
    let (last, commit) = (commits[number - 1], commits[number])
    guard !requests.isEmpty, !wakes.isEmpty, isRequested(number),
      wake(after: last, by: commit) == nil
    else { return nil }
    let vsync = expected(after: before, last, period)
    let next = busy.partitioningIndex { $0.lowerBound > vsync }
    guard next > 0, next < busy.count else { return nil }
    let sleep = busy[next - 1].upperBound..<busy[next].lowerBound
    // The compositor can be late by some of a period.
    guard sleep.contains(vsync), sleep.upperBound - vsync > period / 4, sleep.upperBound <= commit
    else { return nil }
    return sleep.lowerBound..<commit
  }

  /// The first vsync after a commit, on the grid of the one before it.
  private func expected(after before: Int64, _ last: Int64, _ period: Int64) -> Int64 {
    before + max(1, (last - before + period - 1) / period) * period
  }

  /// The frame that ends with a commit; `before` is the vsync of the frame before it, and `begin` where its task begins if that is
  /// earlier than the thread was awake.
  private func frame(
    _ number: Int, after before: Int64?, period: Int64, awake begin: Int64? = nil
  ) -> RecordedFrame {
    let commit = commits[number]
    let task = busy.partitioningIndex { $0.upperBound >= commit }
    let awake = begin ?? (task < busy.count ? min(busy[task].lowerBound, commit) : commit)
    var vsync = awake
    var begin = awake
    if number > 0, let before {
      let last = commits[number - 1]
      begin = max(awake, last)
      vsync = begin
      let expected = expected(after: before, last, period)
      if let wake = wake(after: last, by: commit), wake >= awake {
        vsync = wake
      } else if isRequested(number), awake <= expected, expected <= commit {
        vsync = expected
      }
      vsync = max(vsync, before)
      begin = max(begin, min(vsync, commit))
    }
    begin = max(begin, Self.last(of: returns, by: commit), Self.last(of: handled, by: commit))
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

  private static func last(of instants: [Int64], by commit: Int64) -> Int64 {
    let next = instants.partitioningIndex { $0 > commit }
    return next > 0 ? instants[next - 1] : .min
  }

  /// What the recording does not say.
  var doubts: [String] {
    [
      "a frame has the vsync at which the compositor woke the thread; if that was busy, the one a period after the last"
    ]
      + (requests.isEmpty
        ? ["no requests for frames (opcode 3) were recorded: each commit counts as one"] : [])
      + (restartsVsyncs
        ? [
          "the display's vsyncs begin anew behind late frames, which count as on a screen where they go on"
        ]
        : [])
      + (surface.map { ["the frames are those of surface \($0), which has asked for most"] } ?? [])
  }
}
