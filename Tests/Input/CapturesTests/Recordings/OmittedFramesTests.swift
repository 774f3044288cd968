import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

/// A Chrome trace with the reports of some layer trees.
private struct Reports {
  private(set) var events = [
    #"{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}}"#,
    #"{"ph": "M", "name": "thread_name", "pid": 8, "tid": 1, "args": {"name": "CrRendererMain"}}"#,
    #"{"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": 1000, "dur": 500}"#,
  ]

  /// A frame each 10 ms, of which every third is dropped from `dropping` on. With `commits`, each has its main thread's part in
  /// the first of its milliseconds of that number.
  mutating func add(
    tree: Int, process: Int = 7, frames: Range<Int>, dropping: Int = .max, commitsAt: Int? = nil,
    namesTree: Bool = true
  ) {
    for frame in frames {
      let instant = 500 + 10_000 * frame
      let state =
        frame >= dropping && frame % 3 == 0 ? "STATE_DROPPED" : "STATE_PRESENTED_ALL"
      for (phase, at) in [("b", instant), ("e", instant + 9000)] {
        let report =
          #"{"state": "\#(state)", "frame_sequence": \#(frame), "layer_tree_host_id": \#(tree), "frame_source": 9}"#
        events.append(
          #"{"ph": "\#(phase)", "cat": "cc", "name": "PipelineReporter", "id": "\#(tree)-\#(frame)", "pid": \#(process), "tid": 2, "ts": \#(at), "args": {"frame_reporter": \#(report)}}"#
        )
      }
      guard let commitsAt else { continue }
      let ofTree = namesTree ? #", "layerTreeId": \#(tree)"# : ""
      let begin = instant + 1000 * commitsAt
      events.append(
        #"{"ph": "I", "name": "BeginMainThreadFrame", "pid": \#(process), "tid": 1, "ts": \#(begin), "args": {"data": {"frameId": \#(frame)}\#(ofTree)}}"#
      )
      events.append(
        #"{"ph": "X", "name": "Commit", "pid": \#(process), "tid": 1, "ts": \#(begin + 300), "dur": 100, "args": {"frameSeqId": \#(frame)\#(ofTree)}}"#
      )
    }
  }

  mutating func add(_ event: String) { events.append(event) }

  func recording() throws -> Recording {
    try RecordingFile.read(Array("[\(events.joined(separator: ","))]".utf8), name: "page.json")
  }
}

@Suite struct `Layer trees of a page` {
  private func drops(_ recording: Recording) -> Int {
    recording.frames.count { $0.verdict == .dropped }
  }

  @Test(arguments: [
    // A new document, the one before that comes back, and one that takes over with a few frames of both.
    [(1, 0..<30), (2, 30..<50)], [(1, 0..<30), (2, 30..<50), (1, 50..<60)],
    [(1, 0..<31), (2, 30..<60)], [(3, 0..<2), (1, 2..<30), (2, 31..<33)],
  ])
  func `are one sequence if they follow one another`(_ trees: [(tree: Int, frames: Range<Int>)])
    throws
  {
    var reports = Reports()
    for tree in trees { reports.add(tree: tree.tree, frames: tree.frames, dropping: 24) }
    let recording = try reports.recording()
    let all = trees.flatMap(\.frames)
    #expect(recording.frames.count == all.count)
    #expect(drops(recording) == all.count { $0 >= 24 && $0 % 3 == 0 })
    #expect(recording.omissions == [])
    #expect(recording.period == .milliseconds(10))
  }

  @Test func `are counted but left out if they draw at the same time`() throws {
    var reports = Reports()
    reports.add(tree: 1, frames: 0..<60)
    reports.add(tree: 2, frames: 10..<40, dropping: 0)
    let recording = try reports.recording()
    #expect(recording.frames.count == 60 && drops(recording) == 0)
    #expect(
      recording.omissions == [
        "what the page drew at the same time in other layer trees: 30 frames, 10 of them dropped by the browser's count"
      ])
  }

  @Test(arguments: [true, false])
  func `have their own parts of the main thread, where the trace says whose they are`(
    _ namesTree: Bool
  ) throws {
    var reports = Reports()
    // Numbers of frames are of the display: both trees have them.
    reports.add(tree: 2, frames: 0..<3, commitsAt: 1, namesTree: namesTree)
    reports.add(tree: 1, frames: 0..<8, commitsAt: 5, namesTree: namesTree)
    let works = try reports.recording().frames.compactMap(\.work)
    let first: Int64 = namesTree ? 5 : 1
    #expect(works.map { $0.lowerBound / 1_000_000 % 10 } == [first, first, first, 5, 5, 5, 5, 5])
    #expect(works.allSatisfy { $0.count == 400_000 })
  }
}

@Suite struct `A page that moves to another site` {
  /// The page was opened in process 7 or, with `isReversed`, in process 8 first.
  private func reports(
    _ frames: (Range<Int>, Range<Int>), dropping: Int = .max, isReversed: Bool = false
  ) -> Reports {
    var reports = Reports()
    let pages = [(7, "http://one.example/a?q"), (8, "http://two.example/b")]
    for (process, address) in isReversed ? pages.reversed() : pages {
      reports.add(
        #"{"ph": "I", "name": "FrameCommittedInBrowser", "pid": 1, "tid": 1, "ts": 2, "args": {"data": {"frame": "A", "isOutermostMainFrame": true, "processId": \#(process), "url": "\#(address)"}}}"#
      )
      reports.add(
        #"{"ph": "X", "name": "RunTask", "pid": \#(process), "tid": 1, "ts": \#(process * 100), "dur": 50}"#
      )
    }
    reports.add(tree: 1, process: 7, frames: frames.0, commitsAt: 1)
    reports.add(tree: 1, process: 8, frames: frames.1, dropping: dropping, commitsAt: 1)
    return reports
  }

  @Test func `has frames that are not part of it, with those that were dropped`() throws {
    let recording = try reports((0..<60, 60..<90), dropping: 60).recording()
    #expect(recording.process.number == 7)
    #expect(recording.page == "http://one.example/a")
    #expect(
      recording.omissions == [
        "what the page drew in another process: http://two.example with 30 frames, 10 of them dropped by the browser's count"
      ])
  }

  @Test(arguments: [false, true])
  func `is the first of both if they drew about as much`(_ isReversed: Bool) throws {
    let recording = try reports((0..<29, 30..<60), isReversed: isReversed).recording()
    #expect(recording.process.number == (isReversed ? 8 : 7))
    let other = isReversed ? "http://one.example with 29" : "http://two.example with 30"
    #expect(
      recording.omissions == [
        "what the page drew in another process: \(other) frames, 0 of them dropped by the browser's count"
      ])
  }

  @Test func `has none if it drew none there`() throws {
    #expect(try reports((0..<60, 60..<60), dropping: 60).recording().omissions == [])
  }
}
