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

  /// Two frames are shown. Since 30 ms the main thread is in a task; two frames are begun in it, and one before it.
  @Test func `frames that were begun in a task that has not ended are dropped`() throws {
    func report(_ number: Int, _ at: Int) -> String {
      #"{"name":"PipelineReporter","ph":"b","pid":1,"tid":2,"id":"\#(number)","ts":\#(at),"args":{"frame_reporter":{"state":"STATE_PRESENTED_ALL","layer_tree_host_id":1,"frame_sequence":\#(number),"frame_source":7}}}"#
    }
    func begin(_ number: Int, _ at: Int) -> String {
      #"{"name":"BeginFrame","ph":"I","pid":1,"tid":2,"ts":\#(at),"args":{"layerTreeId":1,"frameSeqId":\#(number)}}"#
    }
    func text(_ end: String) -> [UInt8] {
      let events = [
        #"{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"Renderer"}}"#,
        #"{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"CrRendererMain"}}"#,
        #"{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":0,"dur":1000}"#,
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
}
