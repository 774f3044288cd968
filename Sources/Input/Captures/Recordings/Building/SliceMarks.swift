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

  /// Completes, at `end`, the open slices; returns the begin of the first of them. `newest` are the begins of the newest slices
  /// by name, without those that `finished` gets here.
  ///
  /// If the thread has begun another slice of that name since, the end was lost, and the slice stays open.
  mutating func close(
    at end: Int64, newest: NewestBegins, _ finished: (Finished) -> Void
  ) -> Int64? {
    var newest = newest
    match(pending.count) { slice in
      newest.note(slice.name, slice.begin)
      finished(slice)
    }
    var kept: [Mark] = []
    var first: Int64?
    for (depth, mark) in open.enumerated() {
      guard let name = mark.name, mark.instant <= end, newest[name] <= mark.instant else {
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

/// By name, the begin of a thread's newest slice.
struct NewestBegins {
  private var begins: [Int32: Int64] = [:]

  mutating func note(_ name: Int32, _ begin: Int64) { begins[name] = max(begin, self[name]) }

  subscript(name: Int32) -> Int64 { begins[name] ?? .min }
}

/// The slices of a thread that have begun and not ended.
struct OpenSlices {
  private var marks = SliceMarks()
  private var newest = NewestBegins()

  mutating func add(_ name: Int, from begin: Int64) { newest.note(Int32(name), begin) }

  mutating func begin(_ name: Int, at instant: Int64) {
    mark(SliceMarks.Mark(instant: instant, name: Int32(name)))
  }

  mutating func end(at instant: Int64) { mark(SliceMarks.Mark(instant: instant)) }

  private mutating func mark(_ mark: SliceMarks.Mark) {
    marks.add(mark) { newest.note($0.name, $0.begin) }
  }

  /// The begin of the first one that lasts until `end`.
  mutating func since(at end: Int64) -> Int64? { marks.close(at: end, newest: newest) { _ in } }
}
