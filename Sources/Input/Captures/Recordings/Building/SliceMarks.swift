/// Matches the marks at which slices of a thread begin with those at which the newest open slice ends.
///
/// Marks are out of order if each core has a buffer of its own, so they are collected until there are many, and the older half
/// of them is matched.
struct SliceMarks {
  struct Mark {
    var instant: Int64
    /// The processor time of the thread so far; nil if it was not recorded.
    var cpu: Int64?
    /// Nil for an end.
    var name: Int32?
  }

  struct Finished {
    var name: Int32
    var begin: Int64
    var length: Int64
    var cpu: Int64?
    /// The number of enclosing open slices.
    var depth: Int
  }

  private static let maxPending = 1 << 15

  private var pending: [Mark] = []
  private var isInOrder = true
  private var open: [Mark] = []

  var isEmpty: Bool { pending.isEmpty && open.isEmpty }

  /// Adds a mark; passes the slices that are complete by then.
  mutating func add(_ mark: Mark, _ finished: (Finished) -> Void) {
    if let last = pending.last, mark.instant < last.instant { isInOrder = false }
    pending.append(mark)
    if pending.count >= Self.maxPending { match(pending.count / 2, finished) }
  }

  /// Passes the remaining slices; returns the number of slices without an end.
  mutating func finish(_ finished: (Finished) -> Void) -> Int {
    match(pending.count, finished)
    defer { open = [] }
    return open.count
  }

  /// Completes, at `end`, the open slices that `last` until then; returns the begin of the first of them.
  mutating func close(
    at end: Int64, where lasts: (Mark) -> Bool, _ finished: (Finished) -> Void
  ) -> Int64? {
    match(pending.count, finished)
    var kept: [Mark] = []
    var first: Int64?
    for (depth, mark) in open.enumerated() {
      guard let name = mark.name, mark.instant <= end, lasts(mark) else {
        kept.append(mark)
        continue
      }
      first = first ?? mark.instant
      finished(
        Finished(
          name: name, begin: mark.instant, length: end - mark.instant, cpu: nil, depth: depth))
    }
    open = kept
    return first
  }

  private mutating func match(_ count: Int, _ finished: (Finished) -> Void) {
    if !isInOrder { putInOrder() }
    for mark in pending[..<count] {
      if mark.name != nil {
        open.append(mark)
      } else if let begin = open.popLast(), let name = begin.name {
        let cpu = begin.cpu.flatMap { begun in mark.cpu.map { max(0, $0 &- begun) } }
        finished(
          Finished(
            name: name, begin: begin.instant, length: max(0, mark.instant - begin.instant),
            cpu: cpu, depth: open.count))
      }
    }
    pending.removeFirst(count)
  }

  /// Marks of the same instant keep the order of the file.
  private mutating func putInOrder() {
    pending = pending.enumerated().sorted {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }.map(\.element)
    isInOrder = true
  }
}
