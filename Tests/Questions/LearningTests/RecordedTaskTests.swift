import FrameBudget
import FrameBudgetCaptures
import Testing

@testable import FrameBudgetLearning

struct RecordedTaskTests {
  @Test func `a task is cut into stretches in which one slice ran itself`() throws {
    let recording = Recording.slices([
      ("RunTask", 0, 10, 0), ("timer", 1, 8, 1), ("hash", 2, 5, 2), ("RunTask", 12, 13, 0),
    ])
    let tasks = RecordedTask.all(of: try #require(recording.threads.first))
    #expect(tasks.map(\.begin) == [0, 12_000_000])
    let pieces = tasks[0].pieces.map {
      [Int64($0.slice), $0.begin / 1_000_000, $0.end / 1_000_000]
    }
    #expect(pieces == [[0, 0, 1], [1, 1, 2], [2, 2, 5], [1, 5, 8], [0, 8, 10]])
    #expect(tasks[1].pieces.count == 1)
  }

  @Test func `processor time is what a slice used itself, and the rest is waiting time`() throws {
    let recording = Recording.slices(
      [("RunTask", 0, 10, 0), ("read", 2, 8, 1)], cpu: [5, 2])
    let pieces = RecordedTask.all(of: try #require(recording.threads.first))[0].pieces
    // Of the outer 4 ms 3 were used, of the inner 6 ms 2.
    #expect(pieces.map(\.cpu) == [1_500_000, 2_000_000, 1_500_000])
  }

  @Test func `recorded scheduling says when a slice ran`() throws {
    var recording = Recording.slices([("RunTask", 0, 10, 0)])
    recording.threads[0].runs = [0..<2_000_000, 5_000_000..<7_000_000, 11_000_000..<20_000_000]
    var pieces = RecordedTask.all(of: try #require(recording.threads.first))[0].pieces
    #expect(pieces.map(\.cpu) == [4_000_000] && pieces.map(\.wait) == [6_000_000])
    // A replay waits as long as other processes had the processor.
    recording.threads[0].ready = [3_000_000..<5_000_000]
    pieces = RecordedTask.all(of: try #require(recording.threads.first))[0].pieces
    #expect(pieces.map(\.cpu) == [4_000_000] && pieces.map(\.wait) == [6_000_000])
  }

  /// 10 ms with 4 ms of processor time, of which other threads had the processor for 2 ms.
  @Test func `threads of a run of ours compete again in a replay, so it does not wait for them`()
    throws
  {
    var recording = Recording.slices([("RunTask", 0, 10, 0)], cpu: [4])
    recording.threads[0].ready = [3_000_000..<5_000_000]
    let pieces = RecordedTask.all(of: try #require(recording.threads.first))[0].pieces
    #expect(pieces.map(\.cpu) == [4_000_000] && pieces.map(\.wait) == [4_000_000])
  }
}
