internal import FrameBudget

/// When a thread had a core, and when it was ready without one.
struct ThreadSchedule {
  var runs: [Range<Int64>] = []
  var ready: [Range<Int64>] = []
  /// When it was woken from sleep.
  var wakes: [Int64] = []
  /// By wake: the thread that ran on the core then; -1 if unknown.
  var wakers: [Int] = []
}

/// Gathers the times at which threads had cores, from context switches.
struct SchedulingGatherer {
  private struct Event {
    var instant: Int64
    /// Nil for a wake-up.
    var core: Int32?
    var wasPreempted = false
    /// The threads to observe; nil for others. Of a wake-up `from` is the waker, whichever thread that is.
    var from: Int?
    var to: Int?
  }

  private var events: [Event] = []
  private var seen: Set<Int> = []
  private var last = Int64.min

  /// The number of cores in use; nil without data.
  var cores: Int? { seen.isEmpty ? nil : seen.count }
  var count: Int { events.count }

  /// The core switches from one thread to another; nil for threads that are not observed.
  mutating func switched(core: Int, from: Int?, wasPreempted: Bool, to: Int?, at instant: Int64) {
    last = max(last, instant)
    seen.insert(core)
    guard from != nil || to != nil else { return }
    events.append(
      Event(
        instant: instant, core: Int32(truncatingIfNeeded: core), wasPreempted: wasPreempted,
        from: from, to: to))
  }

  mutating func woken(_ thread: Int, by waker: Int?, at instant: Int64) {
    last = max(last, instant)
    events.append(Event(instant: instant, core: nil, from: waker, to: thread))
  }

  /// By thread; nil if the scheduler was not recorded. Spans that are open at the end are cut off there.
  consuming func finished() -> [Int: ThreadSchedule]? {
    guard !seen.isEmpty else { return nil }
    // Each core has its own buffer, and the file has these one after the other.
    events.sort { $0.instant < $1.instant }
    var tracker = SchedulingTracker()
    for event in events {
      if let core = event.core {
        tracker.switched(
          core, from: event.from, wasPreempted: event.wasPreempted, to: event.to,
          at: event.instant)
      } else if let thread = event.to {
        tracker.woken(thread, by: event.from, at: event.instant)
      }
    }
    return tracker.finished(at: last)
  }
}

/// Follows threads from core to core.
private struct SchedulingTracker {
  private var schedules: [Int: ThreadSchedule] = [:]
  /// The thread on each core, and since when it runs.
  private var running: [Int32: (thread: Int, since: Int64)] = [:]
  /// Since when threads have been waiting for a core.
  private var waiting: [Int: Int64] = [:]

  mutating func switched(
    _ core: Int32, from: Int?, wasPreempted: Bool, to: Int?, at instant: Int64
  ) {
    let before = running.removeValue(forKey: core)
    if let before, before.thread == from {
      if before.since < instant {
        schedules[before.thread, default: ThreadSchedule()].runs.append(before.since..<instant)
      }
    } else if let from, let since = waiting.removeValue(forKey: from), since < instant {
      // The switch to it is missing: it was awake since then, and its next sleep is one.
      schedules[from, default: ThreadSchedule()].ready.append(since..<instant)
    }
    if let from, wasPreempted { waiting[from] = instant }
    guard let to else { return }
    if let since = waiting.removeValue(forKey: to), since < instant {
      schedules[to, default: ThreadSchedule()].ready.append(since..<instant)
    }
    running[core] = (to, instant)
  }

  mutating func woken(_ thread: Int, by waker: Int?, at instant: Int64) {
    schedules[thread, default: ThreadSchedule()].wakes.append(instant)
    schedules[thread, default: ThreadSchedule()].wakers.append(waker ?? -1)
    if waiting[thread] == nil { waiting[thread] = instant }
  }

  mutating func finished(at end: Int64) -> [Int: ThreadSchedule] {
    for (thread, since) in running.values where since < end {
      schedules[thread, default: ThreadSchedule()].runs.append(since..<end)
    }
    return schedules.mapValues { $0.inOrder() }
  }
}

extension ThreadSchedule {
  /// In order and without overlaps, even for an invalid file.
  fileprivate func inOrder() -> Self {
    Self(
      runs: Self.withoutOverlaps(runs), ready: Self.withoutOverlaps(ready), wakes: wakes,
      wakers: wakers)
  }

  private static func withoutOverlaps(_ spans: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let begin = max(span.lowerBound, result.last?.upperBound ?? .min)
      if begin < span.upperBound { result.append(begin..<span.upperBound) }
    }
    return result
  }

  /// Tasks directly after a wake-up of the thread: their work was posted at the wake-up.
  func posts(of slices: [RecordedSlice]) -> [RecordedPost] {
    var posts: [RecordedPost] = []
    var next = 0
    var free = Int64.min
    for index in slices.indices where slices[index].depth == 0 {
      let begin = slices[index].begin.nanoseconds
      var wake: Int64?
      while next < wakes.count, wakes[next] <= begin {
        if wakes[next] >= free { wake = wakes[next] }
        next += 1
      }
      if let wake { posts.append(RecordedPost(slice: index, instant: .nanoseconds(wake))) }
      free = slices[index].end.nanoseconds
    }
    return posts
  }
}
