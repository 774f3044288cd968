internal import FrameBudget

/// Adds the app's own measures to the slices of a thread.
///
/// A measure within one task that crosses no slice becomes a slice. A measure that crosses slices is cut at their edges. A
/// measure over several tasks, such as an asynchronous function, becomes one slice in each task in which it is known to have
/// run: in those of its start and end, and in those that were posted while one of its parts ran.
///
/// A page's clock is coarse: an edge that misses the edge of a slice by no more than that is moved to it.
struct MeasureFitter {
  /// The inaccuracy of pages' clocks, in either direction, which browsers add for security.
  static let coarseness = TimeSpan.microseconds(100)
  /// With more nearby slices, a coarse clock does not show which of them contains a measure.
  private static let maxNeighbours = 1000
  /// The most tasks in which a measure has a part.
  private static let maxTasks = 256
  /// The most parts of all measures of a thread.
  private static let maxParts = 1 << 20

  /// `slices`, nested, with `measures` added, and the number of measures that do not begin and end in tasks. `entries` are
  /// names of slices that contain measures; `selfPosts` are the posts of the thread to itself.
  static func fit(
    _ measures: [RecordedSlice], into slices: consuming [RecordedSlice],
    entries: Set<Int32> = [], selfPosts: [RecordedPost] = []
  ) -> (slices: [RecordedSlice], leftOut: Int) {
    guard !measures.isEmpty else { return (slices, 0) }
    let fitter = Self(slices, entries, selfPosts)
    var leftOut = 0
    var fitting: [RecordedSlice] = []
    for measure in measures {
      let parts = fitting.count < maxParts ? fitter.parts(of: measure) : []
      if parts.isEmpty { leftOut += 1 }
      fitting += parts
    }
    return (SliceNester.nest(fitter.slices + nested(fitting)).slices, leftOut)
  }

  private let slices: [RecordedSlice]
  /// The indices of slices that contain measures and are not contained in them.
  private let entries: [Int]
  /// The indices of tasks, and the end of the last one.
  private let tasks: [Int]
  /// The index of each slice's parent; nil for tasks.
  private let parents: [Int?]
  /// The slices in the order of their ends.
  private let byEnd: [Int]
  /// The posts of the thread to itself, in order: times and tasks.
  private let selfPosts: [(instant: TimeSpan, task: Int)]

  private init(_ slices: [RecordedSlice], _ entries: Set<Int32>, _ posts: [RecordedPost]) {
    self.slices = slices
    self.entries = slices.indices.filter { entries.contains(slices[$0].name) }
    let tasks = slices.indices.filter { slices[$0].depth == 0 } + [slices.count]
    self.tasks = tasks
    byEnd = slices.indices.sorted { slices[$0].end < slices[$1].end }
    var open: [Int] = []
    parents = slices.indices.map { index in
      open.removeLast(max(0, open.count - Int(slices[index].depth)))
      defer { open.append(index) }
      return open.last
    }
    selfPosts = posts.map { post in
      (post.instant, tasks.partitioningIndex { $0 > post.slice } - 1)
    }.sorted { $0.instant < $1.instant }
  }

  private func parts(of measure: RecordedSlice) -> [RecordedSlice] {
    if let fitted = fitted(measure) { return [fitted] }
    guard let first = task(at: measure.begin), let last = task(at: measure.end), first <= last
    else { return [] }
    var parts: [RecordedSlice] = []
    var neighbours = 4 * Self.maxNeighbours
    for task in first == last ? [first] : tasks(of: measure, from: first, to: last) {
      let around = slices[tasks[task]]
      var part = measure
      part.begin = max(measure.begin, around.begin)
      part.length = min(measure.end, around.end) - part.begin
      guard let cuts = cuts(of: part, in: task, &neighbours) else { return [] }
      for (from, to) in zip(cuts, cuts.dropFirst()) where to - from > Self.coarseness {
        part.begin = from
        part.length = to - from
        part.continues = !parts.isEmpty
        parts.append(part)
      }
    }
    return parts
  }

  /// The task in which an instant lies, as far as a coarse clock shows.
  private func task(at instant: TimeSpan) -> Int? {
    let next = tasks.dropLast().partitioningIndex { slices[$0].begin > instant }
    return [next - 1, next].first { index in
      guard tasks.indices.dropLast().contains(index) else { return false }
      let task = slices[tasks[index]]
      return task.begin - Self.coarseness <= instant && instant <= task.end + Self.coarseness
    }
  }

  /// The tasks in which a measure has a part, given those of its start and end.
  private func tasks(of measure: RecordedSlice, from first: Int, to last: Int) -> [Int] {
    var found: Set<Int> = [first, last]
    var next = [first]
    while let task = next.popLast(), found.count < Self.maxTasks {
      let around = slices[tasks[task]]
      let begin = max(measure.begin, around.begin)
      for post in selfPosts[selfPosts.partitioningIndex { $0.instant >= begin }...] {
        guard post.instant <= around.end, found.count < Self.maxTasks else { break }
        if first < post.task, post.task < last, found.insert(post.task).inserted {
          next.append(post.task)
        }
      }
    }
    return found.sorted()
  }

  /// The edges of a part and, in order between them, those of slices that it crosses or that it must not contain; nil if there
  /// are too many.
  private func cuts(
    of part: RecordedSlice, in task: Int, _ neighbours: inout Int
  ) -> [TimeSpan]? {
    let range = tasks[task]..<tasks[task + 1]
    var cuts = [part.begin, part.end]
    func cut(at slice: RecordedSlice) {
      cuts += [slice.begin, slice.end].filter { part.begin < $0 && $0 < part.end }
    }
    for edge in [part.begin, part.end] {
      var open: Int? = slices[range].partitioningIndex { $0.begin > edge } - 1
      while let index = open, range.contains(index) {
        neighbours -= 1
        guard neighbours >= 0 else { return nil }
        if Self.cross(slices[index], part) { cut(at: slices[index]) }
        open = parents[index]
      }
    }
    for entry in entries[entries.partitioningIndex { $0 >= range.lowerBound }...] {
      guard range.contains(entry), slices[entry].begin < part.end else { break }
      neighbours -= 1
      guard neighbours >= 0 else { return nil }
      cut(at: slices[entry])
    }
    return cuts.sorted()
  }

  /// The measure as it fits into a task without crossing a slice; nil if that exceeds the inaccuracy of a coarse clock.
  private func fitted(_ measure: RecordedSlice) -> RecordedSlice? {
    let next = tasks.dropLast().partitioningIndex { slices[$0].begin > measure.begin }
    // With a coarse clock it may begin before its task.
    return [next - 1, next].lazy.compactMap { fitted(measure, inTask: $0) }.first
  }

  private func fitted(_ measure: RecordedSlice, inTask task: Int) -> RecordedSlice? {
    guard tasks.indices.dropLast().contains(task),
      let neighbours = neighbours(of: measure, in: tasks[task]..<tasks[task + 1])
    else { return nil }
    let around = slices[tasks[task]]
    var fitted = measure
    fitted.begin = max(measure.begin, around.begin)
    fitted.length = min(measure.end, around.end) - fitted.begin
    for slice in neighbours where Self.cross(slice, fitted) { fitted.snapOut(of: slice) }
    guard fitted.length > .zero || measure.length == .zero && fitted.length == .zero,
      Self.isNear(fitted.begin, measure.begin), Self.isNear(fitted.end, measure.end),
      !neighbours.contains(where: { Self.cross($0, fitted) })
    else { return nil }
    return fitted
  }

  /// The slices of a task that a measure may cross, as far as its edges may move, in order: those that are open at its edges,
  /// and those that begin or end near them. Nil if there are too many.
  private func neighbours(of measure: RecordedSlice, in task: Range<Int>) -> [RecordedSlice]? {
    var found: Set<Int> = [task.lowerBound]
    for edge in [measure.begin, measure.end] {
      let (early, late) = (edge - Self.coarseness, edge + Self.coarseness)
      let inside = slices[task]
      let begins =
        inside.partitioningIndex {
          $0.begin >= early
        }..<inside.partitioningIndex { $0.begin > late }
      let ends =
        byEnd.partitioningIndex {
          slices[$0].end >= early
        }..<byEnd.partitioningIndex { slices[$0].end > late }
      guard begins.count + ends.count <= Self.maxNeighbours else { return nil }
      found.formUnion(begins)
      found.formUnion(byEnd[ends].filter(task.contains))
      var open: Int? = inside.partitioningIndex { $0.begin > edge } - 1
      while let index = open, task.contains(index) {
        guard found.count <= 4 * Self.maxNeighbours else { return nil }
        found.insert(index)
        open = parents[index]
      }
    }
    return found.sorted().map { slices[$0] }
  }

  private static func isNear(_ one: TimeSpan, _ other: TimeSpan) -> Bool {
    max(one, other) - min(one, other) <= coarseness
  }

  /// The limit for rounds; only an invalid file has measures that each cross all others.
  private static let maxRounds = 16

  /// `measures`, each cut at the ends of earlier ones that it crosses.
  private static func nested(_ measures: [RecordedSlice]) -> [RecordedSlice] {
    var measures = measures
    for _ in 0..<maxRounds {
      measures.sort { ($0.begin, $1.length) < ($1.begin, $0.length) }
      var rests: [RecordedSlice] = []
      var open: [TimeSpan] = []
      for index in measures.indices {
        while let end = open.last, end <= measures[index].begin { open.removeLast() }
        if let end = open.last, end < measures[index].end {
          var rest = measures[index]
          rest.begin = end
          rest.length = measures[index].end - end
          rest.continues = true
          rests.append(rest)
          measures[index].length = end - measures[index].begin
        }
        open.append(measures[index].end)
      }
      guard !rests.isEmpty else { return measures }
      measures += rests
    }
    return measures
  }

  /// Whether the two overlap without one containing the other.
  private static func cross(_ one: RecordedSlice, _ other: RecordedSlice) -> Bool {
    let (first, second) = one.begin <= other.begin ? (one, other) : (other, one)
    return first.begin < second.begin && second.begin < first.end && first.end < second.end
  }
}

extension RecordedSlice {
  /// Moves the edge that crosses `slice` to the nearest edge of the slice.
  fileprivate mutating func snapOut(of slice: RecordedSlice) {
    let edges = (begin: begin, end: end)
    if begin < slice.begin {
      let outwards = slice.end - edges.end
      switch min(slice.begin - edges.begin, edges.end - slice.begin, outwards) {
      case slice.begin - edges.begin: move(to: slice.begin, edges.end)
      case outwards: move(to: edges.begin, slice.end)
      default: move(to: edges.begin, slice.begin)
      }
    } else {
      let outwards = edges.begin - slice.begin
      switch min(slice.end - edges.begin, edges.end - slice.end, outwards) {
      case edges.end - slice.end: move(to: edges.begin, slice.end)
      case outwards: move(to: slice.begin, edges.end)
      default: move(to: slice.end, edges.end)
      }
    }
  }

  private mutating func move(to begin: TimeSpan, _ end: TimeSpan) {
    self.begin = begin
    length = end - begin
  }
}
