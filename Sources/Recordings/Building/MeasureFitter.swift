internal import FrameBudget

/// Puts what an app measured itself among the slices of a thread, where it lies within one task and nests.
enum MeasureFitter {
  /// `slices`, nested, with those of `measures` that fit; and how many lie in no one task, or cross slices.
  static func fit(
    _ measures: [RecordedSlice], into slices: consuming [RecordedSlice]
  ) -> (slices: [RecordedSlice], leftOut: Int) {
    guard !measures.isEmpty else { return (slices, 0) }
    let tasks = slices.indices.filter { slices[$0].depth == 0 }
    var fitting: [RecordedSlice] = []
    for measure in measures
    where fits(measure, slices, tasks) && !fitting.contains(where: { cross($0, measure) }) {
      fitting.append(measure)
    }
    return (SliceNester.nest(slices + fitting).slices, measures.count - fitting.count)
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
