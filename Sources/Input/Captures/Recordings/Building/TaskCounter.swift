internal import FrameBudget

/// The threads that a recording mentions, in the order in which it mentions them, with their numbers of slices.
struct CountedThreads {
  struct Thread {
    var name = ""
    /// Whether it is a track beside those of threads.
    var isTrack = false
    var counter = TaskCounter()
    /// The number of frames that it drew.
    var frames = 0
  }

  private var threads: [Thread] = []
  /// The names of processes.
  var processes: [Int: String] = [:]
  private var order: [TraceTrack] = []
  private var places: [TraceTrack: Int] = [:]
  /// The newest place, because most events have the same place as the previous one.
  private var newest: (track: TraceTrack, place: Int)?

  var count: Int { threads.count }

  /// The data of a thread, which is added if it is new.
  subscript(track: TraceTrack) -> Thread {
    mutating get { threads[place(of: track)] }
    _modify {
      let place = place(of: track)
      yield &threads[place]
    }
  }

  private mutating func place(of track: TraceTrack) -> Int {
    if let newest, newest.track == track { return newest.place }
    let place = places[track] ?? threads.count
    if place == threads.count {
      places[track] = place
      order.append(track)
      threads.append(Thread())
    }
    newest = (track, place)
    return place
  }

  /// The threads with slices.
  consuming func found() -> [RecordingIndex.Thread] {
    var found: [RecordingIndex.Thread] = []
    for (track, var thread) in zip(order, threads) where !thread.isTrack {
      thread.counter.finish()
      guard thread.counter.slices > 0 else { continue }
      found.append(
        RecordingIndex.Thread(
          process: RecordedProcess(number: track.process, name: processes[track.process] ?? ""),
          number: track.thread, name: thread.name, slices: thread.counter.slices,
          tasks: thread.counter.tasks(), frames: thread.frames))
    }
    return found
  }
}

/// Counts the slices of a thread, and the outermost ones, in bounded memory.
struct TaskCounter {
  private static let minCount = 1 << 12

  private(set) var slices = 0
  private var outermost: [RecordedSlice] = []
  /// Slices since `outermost` was computed, and the number for which to wait.
  private var pending: [RecordedSlice] = []
  private var enough = Self.minCount
  private var marks = SliceMarks()
  /// By depth: the number of finished slices inside the open one. They are tasks if that one never ends.
  private var within: [Int] = []

  mutating func add(from begin: Int64, length: Int64) {
    slices += 1
    pending.append(
      RecordedSlice(
        name: 0, depth: 0, begin: .nanoseconds(begin), length: .nanoseconds(length)))
    if pending.count >= enough { merge() }
  }

  mutating func begin(at instant: Int64) { mark(instant, name: 0) }

  mutating func end(at instant: Int64) { mark(instant, name: nil) }

  private mutating func mark(_ instant: Int64, name: Int32?) {
    var finished: [SliceMarks.Finished] = []
    marks.add(SliceMarks.Mark(instant: instant, cpu: nil, name: name)) { finished.append($0) }
    take(finished)
  }

  /// Counts as if the slices that are still open had never begun.
  mutating func finish() {
    var finished: [SliceMarks.Finished] = []
    _ = marks.finish { finished.append($0) }
    take(finished)
  }

  private mutating func take(_ finished: [SliceMarks.Finished]) {
    for slice in finished {
      // These slices are inside a slice that has ended.
      within.removeLast(max(0, within.count - slice.depth))
      if slice.depth == 0 {
        add(from: slice.begin, length: slice.length)
      } else {
        slices += 1
        within += repeatElement(0, count: slice.depth - within.count)
        within[slice.depth - 1] += 1
      }
    }
  }

  /// The number of outermost slices.
  mutating func tasks() -> Int {
    merge()
    return outermost.count + within.reduce(0, +)
  }

  /// Examines only the end again, because most slices come roughly in order of time.
  private mutating func merge() {
    guard let first = pending.map(\.begin).min() else { return }
    let early = first - SliceNester.rounding
    var start = outermost.count
    while start > 0, outermost[start - 1].end > early { start -= 1 }
    let end = SliceNester.nest(Array(outermost[start...]) + pending).slices
    outermost.removeLast(outermost.count - start)
    outermost += end.lazy.filter { $0.depth == 0 }
    enough = max(Self.minCount, end.count)
    pending.removeAll(keepingCapacity: true)
  }
}
