internal import FrameBudget

/// Counts the slices of a thread, and those that are in no other, without keeping the others.
struct TaskCounter {
  private static let fewest = 1 << 12

  private(set) var slices = 0
  private var outermost: [RecordedSlice] = []
  /// What came since `outermost` was found, and how much of that is waited for.
  private var pending: [RecordedSlice] = []
  private var enough = Self.fewest
  private var marks = SliceMarks()
  /// By depth, how many slices are finished there since the one around them began: tasks, should that one never end.
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

  /// Counts what is still open as if it had never begun.
  mutating func finish() {
    var finished: [SliceMarks.Finished] = []
    _ = marks.finish { finished.append($0) }
    take(finished)
  }

  private mutating func take(_ finished: [SliceMarks.Finished]) {
    for slice in finished {
      // What it encloses is within a slice that ended.
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

  /// How many are in no other.
  mutating func tasks() -> Int {
    merge()
    return outermost.count + within.reduce(0, +)
  }

  /// Only the end is looked at again: most slices come in about the order of time.
  private mutating func merge() {
    guard let first = pending.map(\.begin).min() else { return }
    let early = first - SliceNester.rounding
    var start = outermost.count
    while start > 0, outermost[start - 1].end > early { start -= 1 }
    let end = SliceNester.nest(Array(outermost[start...]) + pending).slices
    outermost.removeLast(outermost.count - start)
    outermost += end.lazy.filter { $0.depth == 0 }
    enough = max(Self.fewest, end.count)
    pending.removeAll(keepingCapacity: true)
  }
}
