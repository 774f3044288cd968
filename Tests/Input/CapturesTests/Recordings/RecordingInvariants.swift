import FrameBudget
import FrameBudgetCaptures

/// Properties of every recording that was read without an error. `Tests/Fuzz` compiles this file, too.
enum RecordingInvariants {
  /// The violated properties.
  static func broken(by index: RecordingIndex) -> [String] {
    index.threads.filter { thread in
      let isOfFramesAlone = thread.slices == 0 && thread.tasks == 0 && thread.frames > 0
      return !isOfFramesAlone && (thread.tasks <= 0 || thread.tasks > thread.slices)
    }
    .map { "thread \($0.number) is said to have \($0.slices) slices, \($0.tasks) of them tasks" }
  }

  /// The violated properties.
  static func broken(by recording: Recording) -> [String] {
    var broken = recording.threads.flatMap { thread in
      self.broken(by: thread, names: recording.names.count).map { "thread \(thread.number): \($0)" }
    }
    if !isOrdered(recording.frames, { $0.vsync <= $1.vsync }) {
      broken.append("frames out of order")
    }
    if recording.doubts.contains(where: { $0.contains("\n") }) {
      broken.append("a doubt of several lines")
    }
    return broken
  }

  private static func broken(by thread: RecordedThread, names: Int) -> [String] {
    var broken = brokenNesting(of: thread.slices)
    if thread.slices.contains(where: { !(0..<names).contains(Int($0.name)) || $0.length < .zero }) {
      broken.append("a slice without a name, or of less than no length")
    }
    if !isOrdered(thread.posts, { $0.slice < $1.slice }) { broken.append("posts out of order") }
    if !thread.posts.allSatisfy({ thread.slices.indices.contains($0.slice) }) {
      broken.append("a post of no slice")
    }
    for (what, spans) in [("runs", thread.runs), ("ready", thread.ready)] {
      if !isOrdered(spans ?? [], { $0.upperBound <= $1.lowerBound }) {
        broken.append("\(what) that overlap")
      }
    }
    return broken
  }

  private static func brokenNesting(of slices: [RecordedSlice]) -> [String] {
    var broken: [String] = []
    var open: [RecordedSlice] = []
    for slice in slices {
      guard slice.depth <= open.count else { return broken + ["a slice that skips a depth"] }
      open.removeLast(open.count - Int(slice.depth))
      if let around = open.last, slice.begin < around.begin || around.end < slice.end {
        broken.append("a slice that sticks out")
      }
      open.append(slice)
    }
    return broken
  }

  private static func isOrdered<Element>(
    _ elements: [Element], _ areInOrder: (Element, Element) -> Bool
  ) -> Bool {
    zip(elements, elements.dropFirst()).allSatisfy(areInOrder)
  }
}
