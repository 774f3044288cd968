import FrameBudget
import Parsing
import Recordings

/// Recordings of apps, indexed and read.
enum RecordingParsing {
  static func recording(_ bytes: [UInt8]) throws(InputError) {
    let index = try RecordingFile.index(bytes, name: "fuzz")
    for thread in index.threads { precondition(0 < thread.tasks && thread.tasks <= thread.slices) }
    check(try RecordingFile.read(bytes, name: "fuzz"))
  }

  /// What holds of every recording that could be read.
  private static func check(_ recording: Recording) {
    for thread in recording.threads {
      for slice in thread.slices {
        precondition(recording.names.indices.contains(Int(slice.name)) && slice.length >= .zero)
      }
      checkNesting(thread.slices)
      precondition(zip(thread.posts, thread.posts.dropFirst()).allSatisfy { $0.slice < $1.slice })
      precondition(thread.posts.allSatisfy { thread.slices.indices.contains($0.slice) })
      for spans in [thread.runs ?? [], thread.ready ?? []] {
        precondition(zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
      }
    }
    precondition(
      zip(recording.frames, recording.frames.dropFirst()).allSatisfy { $0.vsync <= $1.vsync })
    precondition(recording.doubts.allSatisfy { !$0.contains("\n") }, "a doubt of several lines")
  }

  private static func checkNesting(_ slices: [RecordedSlice]) {
    var open: [RecordedSlice] = []
    for slice in slices {
      precondition(slice.depth <= open.count, "a slice that skips a depth")
      open.removeLast(open.count - Int(slice.depth))
      if let around = open.last {
        precondition(
          around.begin <= slice.begin && slice.end <= around.end, "a slice that sticks out")
      }
      open.append(slice)
    }
  }
}
