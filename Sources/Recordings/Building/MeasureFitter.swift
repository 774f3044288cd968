internal import FrameBudget

/// Puts what an app measured itself among the slices of a thread, where it lies within one task and nests.
///
/// A page's clock is coarse: what reaches over the edge of a slice by no more than that is moved to the edge.
struct MeasureFitter {
  /// By so much browsers have their pages' clocks wrong, either way, so that nobody can measure others' secrets.
  static let coarseness = TimeSpan.microseconds(100)

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

  private init(_ slices: [RecordedSlice]) {
    self.slices = slices
    tasks = slices.indices.filter { slices[$0].depth == 0 } + [slices.count]
  }

  /// The measure as it lies within a task and crosses nothing; nil where that takes more than a coarse clock explains.
  private func fitted(_ measure: RecordedSlice) -> RecordedSlice? {
    // How many tasks begin no later.
    var (low, high) = (0, tasks.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if slices[tasks[middle]].begin <= measure.begin { low = middle + 1 } else { high = middle }
    }
    // By a coarse clock it may have begun before its task did.
    return [low - 1, low].lazy.compactMap { fitted(measure, inTask: $0) }.first
  }

  private func fitted(_ measure: RecordedSlice, inTask task: Int) -> RecordedSlice? {
    guard tasks.indices.dropLast().contains(task) else { return nil }
    let inside = slices[tasks[task]..<tasks[task + 1]]
    guard let around = inside.first else { return nil }
    var fitted = measure
    fitted.begin = max(measure.begin, around.begin)
    fitted.length = min(measure.end, around.end) - fitted.begin
    for slice in inside where Self.cross(slice, fitted) { fitted.leave(slice) }
    guard fitted.length > .zero || measure.length == .zero && fitted.length == .zero,
      Self.isNear(fitted.begin, measure.begin), Self.isNear(fitted.end, measure.end),
      !inside.contains(where: { Self.cross($0, fitted) })
    else { return nil }
    return fitted
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
