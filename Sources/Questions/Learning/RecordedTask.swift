internal import FrameBudget
internal import FrameBudgetCaptures

/// A task of a loop: an outermost slice, cut into pieces. In each piece one slice ran, and none that it encloses.
struct RecordedTask: Sendable {
  struct Piece: Sendable {
    /// The index of the thread's slice.
    let slice: Int
    var begin: Int64
    var end: Int64
    /// The share of it that used a processor, from 0 to 1.
    var running: Double
    /// The share of it that blocked the thread, from 0 to 1, or for which other processes had the processor. In the rest, other
    /// threads of a run of ours had it, which compete again in a replay.
    var waiting: Double
    /// The share of it that other threads of the app took, which compete again in a replay. Not part of `running` or `waiting`.
    var lost = 0.0

    var length: Int64 { end - begin }
    var cpu: Int64 { min(length, Int64((Double(length) * running).rounded())) }
    var wait: Int64 { min(length - cpu, Int64((Double(length) * waiting).rounded())) }
  }

  let begin: Int64
  let end: Int64
  /// When it was posted to the thread; nil if that was not recorded.
  let posted: Int64?
  /// Whether it is the callback of a timer, which was due at `posted`.
  var isTimer = false
  /// Whether it handles an input behind which other tasks wait for a frame.
  var isInput = false
  /// The first post of another thread that it handles; nil if none was recorded.
  let handOff: HandOff?
  /// The share of it that used a processor, from 0 to 1; nil if that was not recorded.
  let running: Double?
  var pieces: [Piece]

  /// A post of another thread of the process: the thread's number, and when it posted, in nanoseconds.
  struct HandOff: Sendable {
    let thread: Int
    let instant: Int64
  }

  /// All tasks of a thread, in order.
  static func all(of thread: RecordedThread) -> [RecordedTask] {
    let slices = thread.slices
    let shares = shares(of: thread)
    let posts = Dictionary(
      thread.posts.map { ($0.slice, (instant: $0.instant.nanoseconds, isTimer: $0.isTimer)) },
      uniquingKeysWith: { $0.instant < $1.instant ? $0 : $1 })
    let starts = slices.indices.filter { slices[$0].depth == 0 } + [slices.count]
    let handOffs = handOffs(of: thread)
    var next = 0
    return zip(starts, starts.dropFirst()).map { from, to in
      while next < handOffs.count, handOffs[next].slice < from { next += 1 }
      let handOff =
        next < handOffs.count && handOffs[next].slice < to ? handOffs[next].handOff : nil
      let length = slices[from].length.nanoseconds
      let pieces = pieces(of: slices, from..<to, shares)
      let cpu =
        slices[from].cpu?.nanoseconds
        ?? (thread.runs == nil ? nil : pieces.reduce(0) { $0 + $1.cpu })
      return RecordedTask(
        begin: slices[from].begin.nanoseconds, end: slices[from].end.nanoseconds,
        posted: posts[from]?.instant, isTimer: posts[from]?.isTimer ?? false, handOff: handOff,
        running: cpu.flatMap { length > 0 ? min(1, max(0, Double($0) / Double(length))) : nil },
        pieces: pieces)
    }
  }

  /// The parts of the task, cut at those of `instants`, which are in order, after which at least `shortest` remains. The later
  /// parts waited for the thread as long as the first, and are as much of an input as it.
  func cut(at instants: [Int64]) -> [RecordedTask] {
    let first = instants.partitioningIndex { $0 > begin }
    let inside = instants[first...].prefix { end - $0 >= RecordedItem.shortest }
    guard !inside.isEmpty else { return [self] }
    var parts: [RecordedTask] = []
    var left = pieces[...]
    var from = begin
    for instant in inside + [end] where instant > from {
      let isFirst = parts.isEmpty
      var part = RecordedTask(
        begin: from, end: instant, posted: isFirst ? posted : posted ?? begin,
        isTimer: isTimer, isInput: isInput, handOff: isFirst ? handOff : nil,
        running: running, pieces: [])
      while let piece = left.first, piece.begin < instant {
        part.pieces.append(piece)
        guard piece.end > instant else {
          left.removeFirst()
          continue
        }
        part.pieces[part.pieces.count - 1].end = instant
        left[left.startIndex].begin = instant
      }
      parts.append(part)
      from = instant
    }
    return parts
  }

  /// The posts of other threads, in the order of the slices that they became.
  private static func handOffs(of thread: RecordedThread) -> [(slice: Int, handOff: HandOff)] {
    thread.posts.compactMap { post in
      guard let origin = post.origin, origin != thread.number else { return nil }
      return (post.slice, HandOff(thread: origin, instant: post.instant.nanoseconds))
    }
  }

  private static func pieces(
    of slices: [RecordedSlice], _ range: Range<Int>, _ shares: [(running: Double, waiting: Double)]
  ) -> [Piece] {
    var pieces: [Piece] = []
    var open: [(slice: Int, end: Int64)] = []
    var cursor = slices[range.lowerBound].begin.nanoseconds
    func run(_ slice: Int, until end: Int64) {
      if end > cursor {
        let (running, waiting) = shares[slice]
        pieces.append(
          Piece(slice: slice, begin: cursor, end: end, running: running, waiting: waiting))
      }
      cursor = max(cursor, end)
    }
    for index in range {
      let begin = slices[index].begin.nanoseconds
      while let top = open.last, top.end <= begin {
        run(top.slice, until: top.end)
        open.removeLast()
      }
      if let top = open.last { run(top.slice, until: begin) }
      open.append((index, min(slices[index].end.nanoseconds, open.last?.end ?? .max)))
    }
    while let top = open.popLast() { run(top.slice, until: top.end) }
    return pieces
  }

  /// By slice, for the time outside of the slices that it encloses: the share that used a processor, and the share that was
  /// blocked.
  private static func shares(
    of thread: RecordedThread
  ) -> [(running: Double, waiting: Double)] {
    let slices = thread.slices
    let runs = thread.runs.map(BusyIntervals.init)
    func time(_ slice: RecordedSlice, in intervals: BusyIntervals?) -> Int64? {
      intervals?.time(from: slice.begin.nanoseconds, to: slice.end.nanoseconds)
    }
    let wall = own(slices.map(\.length.nanoseconds), slices)
    let cpu = own(
      slices.map { $0.cpu?.nanoseconds ?? time($0, in: runs) ?? $0.length.nanoseconds }, slices)
    // A replay has no other processes, so what the kernel's recording says of them is waiting.
    let again = thread.runs == nil ? thread.ready.map(BusyIntervals.init) : nil
    let preempted = own(slices.map { time($0, in: again) ?? 0 }, slices)
    return slices.indices.map { index in
      guard wall[index] > 0 else { return (1, 0) }
      let running = min(1, max(0, Double(cpu[index]) / Double(wall[index])))
      let lost = min(1 - running, max(0, Double(preempted[index]) / Double(wall[index])))
      return (running, 1 - running - lost)
    }
  }

  /// The time of each slice without that of the slices that it encloses.
  private static func own(_ times: [Int64], _ slices: [RecordedSlice]) -> [Int64] {
    var own = times
    var open: [Int] = []
    for index in slices.indices {
      open.removeLast(max(0, open.count - Int(slices[index].depth)))
      // The sum of many processor times may overflow 64 bits; the shares stay between 0 and 1 all the same.
      if let parent = open.last { own[parent] &-= times[index] }
      open.append(index)
    }
    return own
  }
}
