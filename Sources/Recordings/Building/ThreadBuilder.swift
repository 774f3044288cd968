internal import FrameBudget
internal import Parsing

/// What is gathered of a thread while a recording is read.
struct ThreadBuilder {
  var name = ""
  /// Whether it is no thread but a track that is shown beside them.
  var isTrack = false
  private(set) var slices: [RecordedSlice] = []
  private var marks = SliceMarks()
  /// What the app itself measured, which need not lie within the slices.
  var measures: [RecordedSlice] = []
  /// When it had a core; nil where no scheduler was recorded.
  var schedule: ThreadSchedule?

  /// `count` slices are expected.
  init(expecting count: Int = 0) { slices.reserveCapacity(count) }

  var isEmpty: Bool { slices.isEmpty && marks.isEmpty && schedule?.runs.isEmpty ?? true }
  mutating func add(_ name: Int, from begin: Int64, length: Int64, cpu: Int64? = nil) {
    slices.append(
      RecordedSlice(
        name: Int32(name), depth: 0, begin: .nanoseconds(begin), length: .nanoseconds(length),
        cpu: cpu.map { .nanoseconds($0) }))
  }

  mutating func begin(_ name: Int, at instant: Int64, cpu: Int64? = nil) {
    mark(SliceMarks.Mark(instant: instant, cpu: cpu, name: Int32(name)))
  }

  mutating func end(at instant: Int64, cpu: Int64? = nil) {
    mark(SliceMarks.Mark(instant: instant, cpu: cpu, name: nil))
  }

  private mutating func mark(_ mark: SliceMarks.Mark) {
    marks.add(mark) { Self.add($0, to: &slices) }
  }

  /// All slices, in no order; and how many had no end, which are left out.
  consuming func finished() -> (slices: [RecordedSlice], unfinished: Int) {
    let open = marks.finish { Self.add($0, to: &slices) }
    return (slices, open)
  }

  private static func add(_ slice: SliceMarks.Finished, to slices: inout [RecordedSlice]) {
    slices.append(
      RecordedSlice(
        name: slice.name, depth: 0, begin: .nanoseconds(slice.begin),
        length: .nanoseconds(slice.length), cpu: slice.cpu.map { .nanoseconds($0) }))
  }
}
