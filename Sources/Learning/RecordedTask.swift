internal import FrameBudget
internal import Recordings

/// What a loop ran from its begin to its end: an outermost slice, cut into pieces, each of which is a stretch in which
/// one slice ran itself and none that it encloses.
struct RecordedTask: Sendable {
  struct Piece: Sendable {
    /// Which of the thread's slices.
    let slice: Int
    var begin: Int64
    var end: Int64
    /// How much of it used a processor, from 0 to 1.
    let running: Double

    var length: Int64 { end - begin }
    var cpu: Int64 { min(length, Int64((Double(length) * running).rounded())) }
  }

  let begin: Int64
  let end: Int64
  /// When it was handed to the thread, where that was recorded.
  let posted: Int64?
  var pieces: [Piece]

  /// All tasks of a thread, in their order.
  static func all(of thread: RecordedThread) -> [RecordedTask] {
    let slices = thread.slices
    let running = shares(of: thread)
    let posts = Dictionary(
      thread.posts.map { ($0.slice, $0.instant.nanoseconds) }, uniquingKeysWith: min)
    let starts = slices.indices.filter { slices[$0].depth == 0 } + [slices.count]
    return zip(starts, starts.dropFirst()).map { from, to in
      RecordedTask(
        begin: slices[from].begin.nanoseconds, end: slices[from].end.nanoseconds,
        posted: posts[from], pieces: pieces(of: slices, from..<to, running))
    }
  }

  private static func pieces(
    of slices: [RecordedSlice], _ range: Range<Int>, _ running: [Double]
  ) -> [Piece] {
    var pieces: [Piece] = []
    var open: [(slice: Int, end: Int64)] = []
    var cursor = slices[range.lowerBound].begin.nanoseconds
    func run(_ slice: Int, until end: Int64) {
      if end > cursor {
        pieces.append(Piece(slice: slice, begin: cursor, end: end, running: running[slice]))
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

  /// By slice, how much of the time in which none that it encloses ran used a processor.
  private static func shares(of thread: RecordedThread) -> [Double] {
    let slices = thread.slices
    var wall = slices.map(\.length.nanoseconds)
    var cpu = slices.map { $0.cpu?.nanoseconds }
    if let runs = thread.runs, !runs.isEmpty {
      let busy = BusyIntervals(runs)
      for index in slices.indices where cpu[index] == nil {
        cpu[index] = busy.time(
          from: slices[index].begin.nanoseconds, to: slices[index].end.nanoseconds)
      }
    }
    let total = (wall, cpu)
    var open: [Int] = []
    for index in slices.indices {
      open.removeLast(max(0, open.count - Int(slices[index].depth)))
      if let parent = open.last {
        wall[parent] -= total.0[index]
        if let whole = cpu[parent] { cpu[parent] = whole - (total.1[index] ?? total.0[index]) }
      }
      open.append(index)
    }
    return slices.indices.map { index in
      guard let used = cpu[index], wall[index] > 0 else { return 1 }
      return min(1, max(0, Double(used) / Double(wall[index])))
    }
  }
}

/// When a thread had a core, for many questions about stretches of it.
struct BusyIntervals: Sendable {
  private let runs: [Range<Int64>]
  /// By interval, how much there was before it.
  private var before: [Int64] = []

  init(_ runs: [Range<Int64>]) {
    self.runs = runs
    var sum: Int64 = 0
    for run in runs {
      before.append(sum)
      sum += run.upperBound - run.lowerBound
    }
  }

  /// How long it ran between the two.
  func time(from: Int64, to: Int64) -> Int64 { until(to) - until(from) }

  private func until(_ instant: Int64) -> Int64 {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].lowerBound < instant { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    let run = runs[low - 1]
    return before[low - 1] + min(instant, run.upperBound) - run.lowerBound
  }
}
