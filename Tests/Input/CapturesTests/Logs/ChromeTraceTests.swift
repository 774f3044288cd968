import FrameBudget
import FrameBudgetCaptures
import Testing

struct ChromeTraceTests {
  /// A trace of one renderer, beside it a browser's own frames; a letter for each vsync's frame.
  ///
  /// `a` all shown; `p` a part; `d` dropped; `f` shown late, its fork dropped; `b` shown, its fork a part;
  /// `n` nothing to show; `m` nothing to show for main, all shown for the fork.
  static func trace(_ frames: String) -> String {
    let states: [Character: [String]] = [
      "a": ["PRESENTED_ALL"], "p": ["PRESENTED_PARTIAL"], "d": ["DROPPED"],
      "f": ["PRESENTED_ALL", "DROPPED"], "b": ["PRESENTED_ALL", "PRESENTED_PARTIAL"],
      "n": ["NO_UPDATE_DESIRED"], "m": ["NO_UPDATE_DESIRED", "PRESENTED_ALL"],
    ]
    var events = [
      #"{"name":"process_name","ph":"M","pid":7,"args":{"name":"Renderer"}}"#,
      #"{"name":"process_name","ph":"M","pid":2,"args":{"name":"Browser"}}"#,
      reporter(process: 2, frame: 1, state: "DROPPED", at: 0),
    ]
    for (place, letter) in frames.enumerated() {
      let at = 1_000_000 + place * 16_667
      for state in states[letter] ?? [] {
        events.append(reporter(process: 7, frame: place, state: state, at: at))
      }
      let frame = #""pid":7,"args":{"layerTreeId":1,"frameSeqId":\#(place)"#
      if letter != "n" {
        events.append(#"{"name":"BeginFrame","ts":\#(at),\#(frame)}}"#)
        events.append(#"{"name":"BeginFrame","ts":\#(at),\#(frame)}}"#)
      }
      if "apfbm".contains(letter) {
        events.append(#"{"name":"DrawFrame","ts":\#(at + 5000),\#(frame)}}"#)
      }
      if "dpf".contains(letter) {
        events.append(
          #"{"name":"DroppedFrame","ts":\#(at + 5000),\#(frame),"hasPartialUpdate":true}}"#)
      }
    }
    return #"{"traceEvents":[\#(events.joined(separator: ",\n"))]}"#
  }

  private static func reporter(process: Int, frame: Int, state: String, at: Int) -> String {
    """
    {"name":"PipelineReporter","ph":"b","cat":"cc","pid":\(process),"tid":1,"ts":\(at),"id2":{"local":"0x1"},\
    "args":{"chrome_frame_reporter":{"frame_sequence":\(frame),"frame_source":4294967296,\
    "layer_tree_host_id":1,"state":"STATE_\(state)"}}}
    """
  }

  @Test func `a reporter's dropped frames count, vsyncs with nothing to show do not`()
    throws
  {
    let streams = try log(Self.trace("aanndddabpafmnddda")).streams
    let stream = try #require(streams.first)
    #expect(streams.map(\.process) == ["Renderer"])
    // dropped: d d d, f, d d d; shown: a a a b p a m a; not wanted: n n n
    #expect(stream.count("dropped_frames") == 7)
    #expect(stream.count("presented_frames") == 8)
    #expect(stream.count("expected_frames") == 15)
    #expect(stream.count("longest_gap_vsyncs") == 3)
    #expect(stream.count("hitch_count") == 3)
    #expect(stream.partialFrames == 1)
    #expect(stream.values["frame_ms_p50"]?.number == 5)
    let low = try #require(stream.values["low_1pct_fps"]?.number)
    #expect(abs(low - 15) < 0.01)
  }

  @Test func `the newer name of the reporter is read too`() throws {
    let older = Self.trace("aanddab")
    let newer = older.replacing("chrome_frame_reporter", with: "frame_reporter")
    #expect(newer != older)
    let streams = try [older, newer].map { try #require(try log($0).streams.first) }
    #expect(streams[0].count("dropped_frames") == 2)
    #expect(streams[0].values == streams[1].values)
  }

  @Test func `without reporters, an id that was also drawn is not dropped`() throws {
    func event(_ name: String, _ frame: Int, _ at: Int) -> String {
      #"{"name":"\#(name)","ts":\#(at),"pid":7,"args":{"layerTreeId":1,"frameSeqId":\#(frame)}}"#
    }
    let events = [
      event("BeginFrame", 1, 0), event("DrawFrame", 1, 5000), event("BeginFrame", 2, 16_667),
      event("DroppedFrame", 2, 33_000), event("DrawFrame", 2, 40_000),
      event("BeginFrame", 3, 33_334), event("DroppedFrame", 3, 50_000),
      event("DroppedFrame", 3, 50_000), event("BeginFrame", 4, 50_001),
      event("DrawFrame", 4, 60_000),
    ]
    let stream = try #require(
      try log(#"{"traceEvents":[\#(events.joined(separator: ","))]}"#).streams.first)
    #expect(stream.count("dropped_frames") == 1)
    #expect(stream.count("presented_frames") == 3)
  }

  @Test func `a trace without information on drops reports none`() throws {
    let text = """
      {"traceEvents": [
        {"name": "BeginFrame", "ts": 0, "pid": 7, "args": {"layerTreeId": 1, "frameSeqId": 1}},
        {"name": "DrawFrame", "ts": 5000, "pid": 7, "args": {"layerTreeId": 1, "frameSeqId": 1}}]}
      """
    let stream = try #require(try log(text, hz: 60).streams.first)
    #expect(stream.displayChanges == 1)
    #expect(stream.values["dropped_frames"] == nil)
    #expect(stream.warnings.contains { $0.contains("dropped") })
  }

  @Test(arguments: ["1e400", "99999999999999999999999", "9223372036854775807"])
  func `an instant that overflows is an error with its place`(_ number: String) {
    let message = failure(
      Array(
        """
        {"traceEvents": [
          {"name": "BeginFrame", "ts": 0, "pid": 7, "args": {"layerTreeId": 1, "frameSeqId": 1}},
          {"name": "DrawFrame", "ts": \(number), "pid": 7, "args": {"layerTreeId": 1, "frameSeqId": 1}}]}
        """.utf8))
    #expect(message?.hasPrefix("log:3:") == true, "\(message ?? "")")
  }

  @Test(.enabled(if: SharedData.folder != nil, SharedData.missing))
  func `a recorded janky page drops 40 of 83 frames`() throws {
    let stream = try #require(try SharedData.read("traces/chrome_lr_60hz.json.gz").streams.last)
    #expect(stream.count("dropped_frames") == 40)
    #expect(stream.count("expected_frames") == 83)
    #expect(stream.partialFrames == 12)
  }

  @Test(.enabled(if: SharedData.folder != nil, SharedData.missing))
  func `a recorded smooth animation drops 1 of 280 frames`() throws {
    let stream = try #require(
      try SharedData.read("traces/chrome_animation_120hz.json.gz").streams.last)
    #expect(stream.count("dropped_frames") == 1)
    #expect(stream.count("expected_frames") == 280)
  }
}
