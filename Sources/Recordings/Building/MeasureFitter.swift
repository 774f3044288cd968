internal import FrameBudget

/// Puts what an app measured itself among the slices of a thread, where it lies within one task and nests.
///
/// A page's clock is coarse: what reaches over the edge of a slice by no more than that is moved to the edge.
struct MeasureFitter {
  /// By so much browsers have their pages' clocks wrong, either way, so that nobody can measure others' secrets.
  static let coarseness = TimeSpan.microseconds(100)
  /// Beside more slices than that nobody can tell by a coarse clock which of them a measure lies in.
  private static let mostNeighbours = 1000

  /// `slices`, nested, with those of `measures` that fit; and how many lie in no one task, or cross slices.
  static func fit(
    _ measures: [RecordedSlice], into slices: consuming [RecordedSlice]
  ) -> (slices: [RecordedSlice], leftOut: Int) {
    guard !measures.isEmpty else { return (slices, 0) }
    let fitter = Self(slices)
    let fitting = nesting(measures.compactMap { fitter.fitted($0) })
    return (SliceNester.nest(fitter.slices + fitting).slices, measures.count - fitting.count)
  }

  private let slices: [RecordedSlice]
  /// Where tasks are among the slices, and behind the last of those.
  private let tasks: [Int]
  /// Which slice encloses each; nil of tasks.
  private let parents: [Int?]
  /// The slices in the order of their ends.
  private let byEnd: [Int]

  private init(_ slices: [RecordedSlice]) {
    self.slices = slices
    tasks = slices.indices.filter { slices[$0].depth == 0 } + [slices.count]
    byEnd = slices.indices.sorted { slices[$0].end < slices[$1].end }
    var open: [Int] = []
    parents = slices.indices.map { index in
      open.removeLast(max(0, open.count - Int(slices[index].depth)))
      defer { open.append(index) }
      return open.last
    }
  }

  /// The measure as it lies within a task and crosses nothing; nil where that takes more than a coarse clock explains.
  private func fitted(_ measure: RecordedSlice) -> RecordedSlice? {
    let next = tasks.dropLast().partitioningIndex { slices[$0].begin > measure.begin }
    // By a coarse clock it may have begun before its task did.
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
    for slice in neighbours where Self.cross(slice, fitted) { fitted.leave(slice) }
    guard fitted.length > .zero || measure.length == .zero && fitted.length == .zero,
      Self.isNear(fitted.begin, measure.begin), Self.isNear(fitted.end, measure.end),
      !neighbours.contains(where: { Self.cross($0, fitted) })
    else { return nil }
    return fitted
  }

  /// The slices of a task that a measure may cross, as far as its edges may move, in order: what is open at its edges, and
  /// what begins or ends near to them. Nil where that is too much.
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
      guard begins.count + ends.count <= Self.mostNeighbours else { return nil }
      found.formUnion(begins)
      found.formUnion(byEnd[ends].filter(task.contains))
      var open: Int? = inside.partitioningIndex { $0.begin > edge } - 1
      while let index = open, task.contains(index) {
        guard found.count <= 4 * Self.mostNeighbours else { return nil }
        found.insert(index)
        open = parents[index]
      }
    }
    return found.sorted().map { slices[$0] }
  }

  private static func isNear(_ one: TimeSpan, _ other: TimeSpan) -> Bool {
    max(one, other) - min(one, other) <= coarseness
  }

  /// Those of `measures` that cross none that begins before them.
  private static func nesting(_ measures: [RecordedSlice]) -> [RecordedSlice] {
    var open: [TimeSpan] = []
    let inOrder = measures.sorted { ($0.begin, $1.length) < ($1.begin, $0.length) }
    return inOrder.filter { measure in
      while let end = open.last, end <= measure.begin { open.removeLast() }
      if let end = open.last, end < measure.end { return false }
      open.append(measure.end)
      return true
    }
  }

  /// Whether each is in part within the other.
  private static func cross(_ one: RecordedSlice, _ other: RecordedSlice) -> Bool {
    let (first, second) = one.begin <= other.begin ? (one, other) : (other, one)
    return first.begin < second.begin && second.begin < first.end && first.end < second.end
  }
}

extension RecordedSlice {
  /// Moves the edge that crosses `slice` to that edge of it which is nearest.
  fileprivate mutating func leave(_ slice: RecordedSlice) {
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
