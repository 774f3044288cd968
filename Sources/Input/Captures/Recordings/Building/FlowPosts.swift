internal import FrameBudget

/// Arrows from where work was posted to where it began.
struct FlowPosts {
  struct Point {
    /// An id that all points of a chain share.
    var chain: UInt64
    var instant: Int64
    /// The index of the thread among those that are read; nil for others.
    var thread: Int32?
    var isEnd: Bool
    var isBegin: Bool
    /// Whether it belongs to the enclosing slice, not to the next one.
    var bindsEnclosing: Bool
  }

  private(set) var points: [Point] = []
  /// Arrows that were found in another way, with their threads.
  private var extraArrows: [(arrow: Arrow, thread: Int32)] = []

  mutating func add(_ point: Point) { points.append(point) }

  mutating func add(_ arrow: Arrow, to thread: Int32) { extraArrows.append((arrow, thread)) }

  /// From a post to the slice that was posted.
  struct Arrow {
    /// The slice that was posted: the next one to begin, the innermost one at the arrow's end, or the outermost.
    enum Target { case next, enclosing, task }

    var from: Int64
    var to: Int64
    var target: Target
    /// The index of the thread that it comes from, among those that are read; nil for others.
    var origin: Int32?
    /// Whether it begins at the time at which a timer was due.
    var isTimer = false
  }

  /// By thread: the arrows that end in it.
  consuming func arrows(threads: Int) -> [[Arrow]] {
    var arrows = [[Arrow]](repeating: [], count: threads)
    points.sort {
      ($0.chain, $0.instant, $0.isEnd ? 1 : 0) < ($1.chain, $1.instant, $1.isEnd ? 1 : 0)
    }
    var begin: Point?
    for point in points {
      if let post = begin, point.isEnd, post.chain == point.chain, let thread = point.thread {
        arrows[Int(thread)].append(
          Arrow(
            from: post.instant, to: point.instant,
            target: point.bindsEnclosing ? .enclosing : .next, origin: post.thread))
      }
      if point.isBegin { begin = point }
    }
    for (arrow, thread) in extraArrows { arrows[Int(thread)].append(arrow) }
    return arrows
  }
}

extension FlowPosts.Arrow {
  /// Whether it shows the time of the post of their slice better than `other`. A browser also posts a timer's task when the
  /// timer starts.
  fileprivate func precedes(_ other: Self) -> Bool {
    isTimer == other.isTimer ? from < other.from : isTimer
  }
}

/// Finds the slices of a thread at which arrows end.
struct PostFinder {
  let slices: [RecordedSlice]
  /// The index of the thread among those that are read.
  let thread: Int
  /// The numbers of all threads that are read.
  let numbers: [Int]

  func posts(_ arrows: [FlowPosts.Arrow]) -> [RecordedPost] {
    var found: [Int: FlowPosts.Arrow] = [:]
    var next = 0
    var open: [Int] = []
    for arrow in arrows.sorted(by: { $0.to < $1.to }) {
      while next < slices.count, slices[next].begin.nanoseconds <= arrow.to {
        open.removeLast(open.count - Int(slices[next].depth))
        open.append(next)
        next += 1
      }
      while let last = open.last, slices[last].end.nanoseconds < arrow.to { open.removeLast() }
      guard let slice = target(arrow, open, next) else { continue }
      let task = slices[slice].depth == 0 ? slice : open.first ?? slice
      guard isPost(arrow, to: task) else { continue }
      if found[slice].map({ arrow.precedes($0) }) ?? true { found[slice] = arrow }
    }
    return found.sorted { $0.key < $1.key }.map { slice, arrow in
      RecordedPost(
        slice: slice, instant: .nanoseconds(arrow.from),
        origin: arrow.origin.map { numbers[Int($0)] }, isTimer: arrow.isTimer)
    }
  }

  private func target(_ arrow: FlowPosts.Arrow, _ open: [Int], _ next: Int) -> Int? {
    switch arrow.target {
    case .enclosing: return open.last
    case .task: return open.first
    case .next:
      // A slice that begins at the end of the arrow counts as the next one.
      if let last = open.last, slices[last].begin.nanoseconds == arrow.to { return last }
      return next < slices.count ? next : nil
    }
  }

  /// Whether it comes from elsewhere: work that a task posts to itself did not wait.
  private func isPost(_ arrow: FlowPosts.Arrow, to task: Int) -> Bool {
    arrow.origin != Int32(thread) || slices[task].begin.nanoseconds > arrow.from
  }
}
