import Foundation
import FrameBudget
import FrameBudgetCaptures
import TestSupport
import Testing

/// Hand-made recordings, small enough to be read by a person. Fuzzing starts from them, too.
enum Seeds {
  static let folder = Project.folder.appending(path: "Tests/Fuzz/Seeds")

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: path)))
  }

  static func index(_ path: String) throws -> RecordingIndex {
    try RecordingFile.index(try bytes(path), name: path)
  }

  static func read(
    _ path: String, choosing: RecordingChoice = RecordingChoice()
  ) throws -> Recording {
    try RecordingFile.read(try bytes(path), name: path, choosing: choosing)
  }
}

extension RecordingIndex {
  /// The thread that is taken for the UI thread; nil if there is no such thread, or a tie.
  var chosen: Int? {
    if case .thread(let place, _) = choice { place } else { nil }
  }

  /// The reason for the choice, or the threads that are tied.
  var because: String? {
    switch choice {
    case .thread(_, let because), .tie(_, let because): because
    case nil: nil
    }
  }
}

extension Recording {
  /// The slices of a thread as lines: depth, name, begin, length and processor time in microseconds.
  func lines(_ thread: Int) -> [String] {
    threads[thread].slices.map { slice in
      let cpu = slice.cpu.map { " \($0.inMicroseconds)" } ?? ""
      return "\(slice.depth) \(names[Int(slice.name)]) \(slice.begin.inMicroseconds)"
        + " \(slice.length.inMicroseconds)\(cpu)"
    }
  }

  /// The frames as lines: vsync, verdict, work and the time on the screen, in microseconds.
  var frameLines: [String] {
    frames.map { frame in
      let work = frame.work.map { "\($0.lowerBound / 1000)-\($0.upperBound / 1000)" } ?? "-"
      let presented = frame.presented.map { "\($0.inMicroseconds)" } ?? "-"
      return "\(frame.vsync.inMicroseconds) \(frame.verdict?.rawValue ?? "-") \(work) \(presented)"
    }
  }

  /// The posts of a thread as lines: the slice and the time of the post, in microseconds.
  func postLines(_ thread: Int) -> [String] {
    threads[thread].posts.map { "\($0.slice) \($0.instant.inMicroseconds)" }
  }
}

extension [Range<Int64>] {
  /// As lines, in microseconds.
  var lines: [String] { map { "\($0.lowerBound / 1000)-\($0.upperBound / 1000)" } }
}
