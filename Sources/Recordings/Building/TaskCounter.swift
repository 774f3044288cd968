internal import FrameBudget

/// Counts the slices of a thread, and those that are in no other, without keeping the others.
struct TaskCounter {
  private static let most = 1 << 12

  private(set) var slices = 0
  private var outermost: [RecordedSlice] = []
  /// What came since `outermost` was found.
  private var pending: [RecordedSlice] = []
  /// When slices began that have not ended.
  private var open: [Int64] = []

  mutating func add(from begin: Int64, length: Int64) {
    slices += 1
    pending.append(
      RecordedSlice(
        name: 0, depth: 0, begin: .nanoseconds(begin), length: .nanoseconds(length)))
    if pending.count >= max(Self.most, outermost.count) { merge() }
  }

  mutating func begin(at instant: Int64) { open.append(instant) }

  mutating func end(at instant: Int64) {
    guard let begin = open.popLast() else { return }
    if open.isEmpty { add(from: begin, length: instant - begin) } else { slices += 1 }
  }

  /// How many are in no other.
  mutating func tasks() -> Int {
    merge()
    return outermost.count
  }

  private mutating func merge() {
    let nester = SliceNester(outermost + pending)
    pending = []
    outermost = nester.slices.filter { $0.depth == 0 }
  }
}
