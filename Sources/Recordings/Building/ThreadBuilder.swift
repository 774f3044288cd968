internal import FrameBudget
internal import Parsing

/// What is gathered of a thread while a recording is read.
struct ThreadBuilder {
  /// When a slice begins, or the newest one that is open ends.
  private struct Mark {
    var instant: Int64
    var cpu: Int64?
    /// Nil of an end.
    var name: Int32?
  }

  var name = ""
  /// Whether it is no thread but a track that is shown beside them.
  var isTrack = false
  private(set) var slices: [RecordedSlice] = []
  private var marks: [Mark] = []
  /// What the app itself measured, which need not lie within the slices.
  var measures: [RecordedSlice] = []
  /// When it had a core; nil where no scheduler was recorded.
  var schedule: ThreadSchedule?

  var isEmpty: Bool { slices.isEmpty && marks.isEmpty && schedule?.runs.isEmpty ?? true }
  /// How much is kept of it.
  var count: Int { slices.count + marks.count }

  mutating func add(_ name: Int, from begin: Int64, length: Int64, cpu: Int64? = nil) {
    slices.append(
      RecordedSlice(
        name: Int32(name), depth: 0, begin: .nanoseconds(begin), length: .nanoseconds(length),
        cpu: cpu.map { .nanoseconds($0) }))
  }

  mutating func begin(_ name: Int, at instant: Int64, cpu: Int64? = nil) {
    marks.append(Mark(instant: instant, cpu: cpu, name: Int32(name)))
  }

  mutating func end(at instant: Int64, cpu: Int64? = nil) {
    marks.append(Mark(instant: instant, cpu: cpu, name: nil))
  }

  /// All slices, in no order; and how many had no end, which are left out.
  consuming func finished() -> (slices: [RecordedSlice], unfinished: Int) {
    let isInOrder = !zip(marks, marks.dropFirst()).contains { $1.instant < $0.instant }
    // Of marks of one instant the order in which they were written counts.
    let ordered =
      isInOrder
      ? marks
      : marks.enumerated().sorted {
        ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
      }.map(\.element)
    marks = []
    var open: [Mark] = []
    for mark in ordered {
      if mark.name != nil {
        open.append(mark)
      } else if let begin = open.popLast(), let name = begin.name {
        let cpu = begin.cpu.flatMap { begun in mark.cpu.map { $0 - begun } }
        add(Int(name), from: begin.instant, length: mark.instant - begin.instant, cpu: cpu)
      }
    }
    return (slices, open.count)
  }
}
