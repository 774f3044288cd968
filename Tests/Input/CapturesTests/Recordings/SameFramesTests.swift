import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

/// `import` and `learn` find frames by the same code; each counts what it needs.
struct SameFramesTests {
  /// The numbers of frames, and of those that were dropped, shown in part, and shown.
  private static func counts(_ recording: Recording) -> [Int?] {
    let (partial, shown) = (recording.count(.partial), recording.count(.shown))
    return [recording.frames.count, recording.count(.dropped), partial, partial + shown]
  }

  private static func counts(_ stream: ImportedFrames) -> [Int?] {
    [
      stream.rows, stream.count("dropped_frames") ?? 0, stream.partialFrames, stream.displayChanges,
    ]
  }

  private func expectSame(_ recording: Recording, _ log: ImportedLog) {
    #expect(recording.count(.dropped) + recording.count(.shown) > 0)
    let (theirs, ours) = (log.streams.map(Self.counts), Self.counts(recording))
    // Layer trees that follow one another have a row each, and are one sequence.
    let together = ours.indices.map { place in theirs.reduce(0) { $0 + ($1[place] ?? 0) } }
    #expect(theirs.contains(ours) || together == ours, "import: \(theirs), learn: \(ours)")
  }

  @Test(
    .enabled(if: SharedRecordings.folder != nil, SharedRecordings.missing),
    arguments: [
      "chrome_lr_60hz.json.gz", "chrome_animation_120hz.json.gz",
      "chrome_blocking_time_120hz.json.gz", "chrome_web_dev_60hz.json.gz",
      "chrome-72-percent-dropped.json.gz", "chrome-no-devtools-categories.json.gz",
      "chromium-attached.json.gz", "chrome_windows.pftrace",
    ])
  func `the frames of a real recording are those of its log`(_ file: String) throws {
    expectSame(try SharedRecordings.read(file), try SharedData.read("traces/\(file)"))
  }

  @Test(arguments: ["page.json", "main-frames.json"])
  func `the frames of a recording are those of its log`(_ seed: String) throws {
    let bytes = try Seeds.bytes("recording-chrome/\(seed)")
    let log = try ImportedLog(ByteSource(bytes, name: seed), refresh: nil)
    expectSame(try RecordingFile.read(bytes, name: seed), log)
  }

  private func report(
    _ number: Int, _ at: Int, _ state: String = "ALL", type: String = "", end: Int? = nil
  ) -> String {
    let identity = #""pid":1,"tid":2,"id":"\#(number)\#(type)""#
    let begin =
      #"{"name":"PipelineReporter","ph":"b",\#(identity),"ts":\#(at),"args":{"frame_reporter":{"state":"STATE_PRESENTED_\#(state)","frame_type":"\#(type)","layer_tree_host_id":1,"frame_sequence":\#(number),"frame_source":7}}}"#
    return end.map { begin + #",{"name":"PipelineReporter","ph":"e",\#(identity),"ts":\#($0)}"# }
      ?? begin
  }

  private func begin(_ number: Int, _ at: Int) -> String {
    #"{"name":"BeginFrame","ph":"I","pid":1,"tid":2,"ts":\#(at),"args":{"layerTreeId":1,"frameSeqId":\#(number)}}"#
  }

  private let threads = [
    #"{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"Renderer"}}"#,
    #"{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"CrRendererMain"}}"#,
    #"{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":0,"dur":1000}"#,
  ]

  /// Two frames are shown. Since 30 ms the main thread is in a task; two frames are begun in it, and one before it.
  @Test func `frames that were begun in a task that has not ended are dropped`() throws {
    func text(_ end: String) -> [UInt8] {
      let events =
        threads + [
          report(1, 0), report(2, 16_667), begin(3, 29_000),
          #"{"name":"RunTask","ph":"B","pid":1,"tid":1,"ts":30000}"#,
          begin(4, 33_334), begin(5, 50_001), end,
          #"{"name":"RunTask","ph":"X","pid":1,"tid":2,"ts":66668,"dur":10}"#,
        ]
      return Array("[\(events.joined(separator: ","))]".utf8)
    }
    let ended = #"{"name":"RunTask","ph":"E","pid":1,"tid":1,"ts":60000}"#
    let later = #"{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":60000,"dur":5}"#
    let other = #"{"name":"Other","ph":"I","pid":1,"tid":2,"ts":60000}"#
    // It ends, or another slice of that name shows that its end was lost.
    for (end, dropped) in [(other, 2), (ended, 0), (later, 0)] {
      let bytes = text(end)
      let log = try ImportedLog(ByteSource(bytes, name: "log"), refresh: nil)
      #expect(log.streams.map { $0.count("dropped_frames") } == [dropped], "\(end)")
      #expect(log.streams.map(\.displayChanges) == [2])
      expectSame(try RecordingFile.read(bytes, name: "log"), log)
    }
  }

  /// How a recording ends: behind the frame that a task held up, behind the work on it, in the task, or between both.
  enum Ending: CaseIterable { case frame, work, task, taskEnd }

  /// The main thread's part of frame 10 waits for a task while `held` frames follow, of which the browser keeps 300: the others it
  /// has reported as complete. It reports the kept ones as partial when that part has come, else not at all.
  @Test(arguments: [300, 301, 700], Ending.allCases)
  func `frames behind one that is held up lack its part, however many the browser keeps`(
    held: Int, ending: Ending
  ) throws {
    let (period, first, last) = (16_667, 10, 10 + held)
    func at(_ number: Int) -> Int { number * period }
    let kept = last - 299...last
    var events = threads
    for number in 1...last {
      events.append(begin(number, at(number)))
      switch number {
      case first: events.append(report(number, at(number), type: "FORKED", end: at(number) + 5000))
      case kept where ending == .frame:
        events.append(report(number, at(number), "PARTIAL", end: at(number) + 5000))
      case kept: break
      default: events.append(report(number, at(number), end: at(number) + 5000))
      }
    }
    let (begin, end) = (at(first) - 5000, at(last) + 9000)
    switch ending {
    case .frame, .work:
      events += [
        #"{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":\#(begin),"dur":\#(end - begin)}"#,
        #"{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":\#(end),"dur":3000}"#,
        #"{"name":"BeginMainThreadFrame","ph":"I","pid":1,"tid":1,"ts":\#(end + 100),"args":{"layerTreeId":1}}"#,
        #"{"name":"Commit","ph":"X","pid":1,"tid":1,"ts":\#(end + 1000),"dur":500,"args":{"layerTreeId":1,"frameSeqId":\#(first)}}"#,
      ]
      if ending == .frame { events.append(report(first, at(first), end: end + 6000)) }
    case .task:
      events += [
        #"{"name":"RunTask","ph":"B","pid":1,"tid":1,"ts":\#(begin)}"#,
        #"{"name":"RunTask","ph":"X","pid":1,"tid":2,"ts":\#(end),"dur":10}"#,
      ]
    case .taskEnd:
      events += [
        #"{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":\#(begin),"dur":\#(end - begin)}"#,
        #"{"name":"RunTask","ph":"B","pid":1,"tid":1,"ts":\#(end + 100)}"#,
        #"{"name":"RunTask","ph":"X","pid":1,"tid":2,"ts":\#(end),"dur":300}"#,
      ]
    }
    let bytes = Array("[\(events.joined(separator: ","))]".utf8)
    let (recording, log) = (
      try RecordingFile.read(bytes, name: "log"),
      try ImportedLog(ByteSource(bytes, name: "log"), refresh: nil)
    )
    expectSame(recording, log)
    let missing = ending == .frame ? 0 : 300
    #expect(recording.count(.partial) == held - missing)
    #expect(recording.count(.dropped) == missing)
    #expect(recording.count(.shown) == first)
    // The frame of the part that never came is shown without it, and no vsync before it is dropped.
    #expect(RecordedScreen(recording).dropped == held)
  }
}
