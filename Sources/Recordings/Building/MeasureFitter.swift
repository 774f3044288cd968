internal import FrameBudget

/// Puts what an app measured itself among the slices of a thread, where it lies within one task and nests.
struct MeasureFitter {
  /// Nested.
  private(set) var slices: [RecordedSlice]
  /// How many lie in no one task, or cross slices.
  private(set) var leftOut = 0

  init(_ slices: consuming [RecordedSlice], adding measures: [RecordedSlice]) {
    let tasks = slices.indices.filter { slices[$0].depth == 0 }
    var fitting: [RecordedSlice] = []
    for measure in measures {
      if Self.fits(measure, slices, tasks), !fitting.contains(where: { Self.cross($0, measure) }) {
        fitting.append(measure)
      } else {
        leftOut += 1
      }
    }
    self.slices = fitting.isEmpty ? slices : SliceNester(slices + fitting).slices
  }

  private static func fits(
    _ measure: RecordedSlice, _ slices: [RecordedSlice], _ tasks: [Int]
  ) -> Bool {
    // The last task that begins no later.
    var (low, high) = (0, tasks.count)
    while low < high {
      let middle = (low + high) / 2
      if slices[tasks[middle]].begin <= measure.begin { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return false }
    let task = tasks[low - 1]
    guard measure.end <= slices[task].end else { return false }
    let end = low < tasks.count ? tasks[low] : slices.count
    return !slices[task..<end].contains { cross($0, measure) }
  }

  /// Whether each is in part within the other.
  private static func cross(_ one: RecordedSlice, _ other: RecordedSlice) -> Bool {
    let (first, second) = one.begin <= other.begin ? (one, other) : (other, one)
    return first.begin < second.begin && second.begin < first.end && first.end < second.end
  }
}
