import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

/// Recordings of a page whose frames are of two sites, each with a process: 7 is the page's, 8 the frame's, which does more.
@Suite struct `A page with a frame of another site` {
  private static let documents = #"""
    {"ph": "I", "name": "TracingStartedInBrowser", "pid": 1, "tid": 1, "ts": 1, "args": {"data": {"frames": [
      {"frame": "A", "isOutermostMainFrame": true, "processId": 7, "url": "http://page.example/"},
      {"frame": "B", "isOutermostMainFrame": false, "processId": 8, "url": "https://ads.example/in?q"}]}}}
    """#

  private static func events(_ extra: [String]) -> [UInt8] {
    var events = extra
    for (process, count) in [(7, 3), (8, 9)] {
      events.append(
        #"{"ph": "M", "name": "process_name", "pid": \#(process), "tid": 0, "args": {"name": "Renderer"}}"#
      )
      events.append(
        #"{"ph": "M", "name": "thread_name", "pid": \#(process), "tid": 1, "args": {"name": "CrRendererMain"}}"#
      )
      for number in 0..<count {
        events.append(
          #"{"ph": "X", "name": "RunTask", "pid": \#(process), "tid": 1, "ts": \#(100 + 1000 * number), "dur": 500}"#
        )
      }
    }
    return Array("[\(events.joined(separator: ","))]".utf8)
  }

  @Test func `is the page, and names the site`() throws {
    let recording = try RecordingFile.read(Self.events([Self.documents]), name: "page.json")
    #expect(recording.process.number == 7)
    #expect(
      recording.doubts == [
        "frames of other sites run in other processes and are not part of it: https://ads.example"
      ])
  }

  @Test func `is the busiest process if the browser does not say`() throws {
    let recording = try RecordingFile.read(Self.events([]), name: "page.json")
    #expect(recording.process.number == 8)
    #expect(recording.doubts == [])
  }

  @Test func `follows the page to another process`() throws {
    let moved = #"""
      {"ph": "I", "name": "FrameCommittedInBrowser", "pid": 1, "tid": 1, "ts": 2, "args": {"data":
        {"frame": "A", "isOutermostMainFrame": true, "processId": 8, "url": "http://next.example/"}}}
      """#
    let recording = try RecordingFile.read(Self.events([moved]), name: "page.json")
    #expect(recording.process.number == 8)
  }

  @Test func `follows the page and its frames to processes that had not started`() throws {
    let moved = [
      #"""
      {"ph": "I", "name": "FrameCommittedInBrowser", "pid": 1, "tid": 1, "ts": 2, "args": {"data":
        {"frame": "A", "isOutermostMainFrame": true, "processPseudoId": "0x1a", "url": "http://next.example/a"}}}
      """#,
      #"""
      {"ph": "I", "name": "FrameCommittedInBrowser", "pid": 1, "tid": 1, "ts": 3, "args": {"data":
        {"frame": "B", "isOutermostMainFrame": false, "processPseudoId": "0x2b", "url": "https://ads.example/in"}}}
      """#,
      #"""
      {"ph": "I", "name": "ProcessReadyInBrowser", "pid": 1, "tid": 1, "ts": 4, "args": {"data":
        {"frame": "B", "processPseudoId": "0x2b", "processId": 8}}}
      """#,
      #"""
      {"ph": "I", "name": "ProcessReadyInBrowser", "pid": 1, "tid": 1, "ts": 5, "args": {"data":
        {"frame": "A", "processPseudoId": "0x1a", "processId": 7}}}
      """#,
    ]
    let recording = try RecordingFile.read(Self.events(moved), name: "page.json")
    #expect(recording.process.number == 7)
    #expect(recording.page == "http://next.example/a")
    #expect(
      recording.doubts == [
        "frames of other sites run in other processes and are not part of it: https://ads.example"
      ])
  }

  private static func mark(_ process: Int, at instant: Int, _ phase: String) -> String {
    #"""
    {"ph": "\#(phase)", "cat": "blink.user_timing", "name": "\#(PageMark.name)", "pid": \#(process), "tid": 1,
      "ts": \#(instant), "args": {"data": {"startTime": 3.5}}}
    """#
  }

  @Test(arguments: ["I", "R", "n"])
  func `is the page with the newest mark if the browser's events are lost`(_ phase: String) throws {
    let marked = Self.events([Self.mark(7, at: 2400, phase), Self.mark(8, at: 200, phase)])
    let recording = try RecordingFile.read(marked, name: "page.json")
    #expect(recording.process.number == 7)
    // The mark is no part of what the page did.
    let plain = try RecordingFile.read(
      Self.events([]), name: "page.json", choosing: RecordingChoice(process: "7"))
    #expect(recording.lines(0) == plain.lines(0))
    #expect(recording.names == plain.names && recording.length == plain.length)
  }

  @Test func `is the page that the browser names, whatever is marked`() throws {
    let events = Self.events([Self.documents, Self.mark(8, at: 200, "I")])
    #expect(try RecordingFile.read(events, name: "page.json").process.number == 7)
  }
}

@Suite struct `A task that has not ended when the recording ends` {
  /// A frame each 10 ms that the compositor reports, until the task begins at 30 ms; then it begins frames without a report.
  private static let events: [UInt8] = {
    var events = [
      #"{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}}"#,
      #"{"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": 1000, "dur": 500}"#,
      #"{"ph": "B", "name": "RunTask", "pid": 7, "tid": 1, "ts": 30000}"#,
      #"{"ph": "B", "name": "hang", "pid": 7, "tid": 1, "ts": 30100}"#,
      #"{"ph": "X", "name": "inner", "pid": 7, "tid": 1, "ts": 40000, "dur": 1000}"#,
    ]
    for frame in 0..<7 {
      let instant = 500 + 10_000 * frame
      events.append(
        #"{"ph": "I", "name": "BeginFrame", "pid": 7, "tid": 2, "ts": \#(instant), "args": {"frameSeqId": \#(frame), "layerTreeId": 1}}"#
      )
      guard frame < 3 else { continue }
      for (phase, at) in [("b", instant), ("e", instant + 9000)] {
        let report =
          #"{"state": "STATE_PRESENTED_ALL", "frame_sequence": \#(frame), "layer_tree_host_id": 1, "frame_source": 9}"#
        events.append(
          #"{"ph": "\#(phase)", "cat": "cc", "name": "PipelineReporter", "id": "\#(frame)", "pid": 7, "tid": 2, "ts": \#(at), "args": {"frame_reporter": \#(report)}}"#
        )
      }
    }
    return Array("[\(events.joined(separator: ","))]".utf8)
  }()

  @Test func `lasts until then`() throws {
    let recording = try RecordingFile.read(Self.events, name: "hang.json")
    #expect(
      recording.lines(0) == [
        "0 RunTask 500.0 500.0", "0 RunTask 29500.0 30500.0", "1 hang 29600.0 30400.0",
        "2 inner 39500.0 1000.0",
      ])
    // The hang is no doubt. This trace is made without the categories of the main thread's frames.
    #expect(
      recording.doubts == [
        "the compositor's frames were recorded, but not the main thread's part of them: the trace lacks the categories devtools.timeline and cc"
      ])
  }

  @Test func `drops the frames that were wanted since then`() throws {
    let recording = try RecordingFile.read(Self.events, name: "hang.json")
    #expect(
      recording.frames.map(\.verdict) == [.shown, .shown, .shown]
        + Array(repeating: .dropped, count: 4))
  }

  @Test func `stays open if its end was lost`() throws {
    let events = [
      #"{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}}"#,
      #"{"ph": "B", "name": "RunTask", "pid": 7, "tid": 1, "ts": 1000}"#,
      #"{"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": 2000, "dur": 500}"#,
      #"{"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": 4000, "dur": 500}"#,
    ]
    let bytes = Array("[\(events.joined(separator: ","))]".utf8)
    let recording = try RecordingFile.read(bytes, name: "lost.json")
    #expect(recording.lines(0).count == 2)
    #expect(recording.doubts == ["1 slices began and never ended: they are left out"])
  }
}

@Suite struct `A call of a page's function` {
  private static let events = Array(
    #"""
    [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}},
    {"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": 0, "dur": 900},
    {"ph": "X", "name": "FunctionCall", "pid": 7, "tid": 1, "ts": 100, "dur": 100, "args": {"data":
      {"functionName": "render", "lineNumber": 12, "url": "http://page.example/js/list.js?v=2"}}},
    {"ph": "X", "name": "FunctionCall", "pid": 7, "tid": 1, "ts": 300, "dur": 100, "args": {"data":
      {"functionName": "", "lineNumber": 1, "url": "http://page.example/"}}},
    {"ph": "X", "name": "FunctionCall", "pid": 7, "tid": 1, "ts": 500, "dur": 100, "args": {"data": {}}},
    {"ph": "X", "name": "FunctionCall", "pid": 7, "tid": 1, "ts": 700, "dur": 100, "args": {"data":
      {"functionName": "", "lineNumber": 0, "url": ""}}}]
    """#.utf8)

  private func names(_ namesFunctions: Bool) throws -> [String] {
    let recording = try RecordingFile.read(
      Self.events, name: "page.json", choosing: RecordingChoice(namesFunctions: namesFunctions))
    return recording.threads[0].slices.dropFirst().map { recording.names[Int($0.name)] }
  }

  @Test func `is called by the function and its file if that is asked for`() throws {
    #expect(
      try names(true) == [
        "render (list.js:12)", "anonymous (page.example:1)", "FunctionCall", "FunctionCall",
      ])
    #expect(try names(false) == Array(repeating: "FunctionCall", count: 4))
  }

  @Test func `is told from events, which are called by their types if that is asked for`() throws {
    let events = Array(
      #"""
      [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}},
      {"args": {"data": {"type": "input"}}, "ph": "X", "name": "EventDispatch", "pid": 7, "tid": 1, "ts": 0, "dur": 9},
      {"ph": "X", "name": "HandlePostMessage", "pid": 7, "tid": 1, "ts": 20, "dur": 9, "args": {"data": {"type": "x"}}}]
      """#.utf8)
    for namesEvents in [false, true] {
      let choice = RecordingChoice(namesFunctions: true, namesEvents: namesEvents)
      let recording = try RecordingFile.read(events, name: "page.json", choosing: choice)
      let names = recording.threads[0].slices.map { recording.names[Int($0.name)] }
      #expect(
        names == [namesEvents ? "EventDispatch (input)" : "EventDispatch", "HandlePostMessage"])
    }
    #expect(AppCalls.event(in: "EventDispatch (input)") == "input")
    #expect(AppCalls.event(in: "HandlePostMessage") == "message")
    #expect(AppCalls.withoutEvent("EventDispatch (input)") == "EventDispatch")
    for name in ["EventDispatch", "input (a.js:1)", "EventDispatch (a.js:1"] {
      #expect(AppCalls.event(in: name) == nil)
    }
    for (name, file) in [
      ("render (list.js:12)", "list.js"), ("f (a:b.js:1)", "a:b.js"), ("f (list.js)", "list.js"),
      ("f (a) (list(1).js:12)", "list(1).js"), ("render (list(1).js)", "list(1).js"),
      ("EventDispatch (input)", nil), ("Layout", nil),
    ] {
      #expect(AppCalls.file(in: name) == file)
    }
  }

  @Test func `contains the app's own measures under any of its names`() {
    for name in ["FunctionCall", "render (list.js:12)"] { #expect(AppCalls.contains(name)) }
    for name in ["render", "Layout", "(idle)"] { #expect(!AppCalls.contains(name)) }
  }
}
