import FrameBudget
import FrameBudgetCaptures
import Testing

/// The inputs of a page, in recordings of tasks that dispatch events.
struct PageInputsTests {
  /// A task of 3 ms in which an event of `type` is dispatched after 1 ms. Instants are in milliseconds.
  private static func dispatching(_ type: String, at instant: Int) -> [String] {
    let place = #""ph": "X", "cat": "devtools.timeline", "pid": 7, "tid": 7"#
    return [
      #"{"name": "RunTask", \#(place), "ts": \#(instant * 1000), "dur": 3000, "args": {}}"#,
      """
      {"name": "EventDispatch", \(place), "ts": \(instant * 1000 + 1000), "dur": 1000, \
      "args": {"data": {"type": "\(type)"}}}
      """,
    ]
  }

  private static func inputs(
    _ types: [String], from: TimeSpan? = nil, to: TimeSpan? = nil
  ) throws -> [TimeSpan] {
    let thread =
      #"{"name": "thread_name", "ph": "M", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}}"#
    let first =
      #"{"name": "RunTask", "ph": "X", "pid": 7, "tid": 7, "ts": 0, "dur": 100, "args": {}}"#
    let events = types.enumerated().flatMap { dispatching($1, at: 10 * ($0 + 1)) }
    let text = "[\(([thread, first] + events).joined(separator: ",\n"))]"
    return try RecordingFile.read(
      Array(text.utf8), name: "page.json", choosing: RecordingChoice(from: from, to: to)
    ).inputs
  }

  @Test func `key presses, clicks and touches are inputs, other events are not`() throws {
    let types = ["keydown", "mousemove", "click", "keyup", "touchstart", "message", "pointerup"]
    #expect(try Self.inputs(types) == [11, 31, 51, 71].map(TimeSpan.milliseconds))
  }

  @Test func `of a part of a recording, those in it count, from its begin`() throws {
    let types = ["keydown", "keydown", "click", "click"]
    let part = try Self.inputs(types, from: .milliseconds(20), to: .milliseconds(35))
    #expect(part == [1, 11].map(TimeSpan.milliseconds))
  }
}
