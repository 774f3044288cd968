import TestSupport
import Testing

@testable import FrameBudgetCLI

@Suite struct `A user flow` {
  private func flow(_ steps: String) throws -> UserFlow {
    try UserFlow(parsing: Array(#"{"title": "flow", "timeout": 700, "steps": [\#(steps)]}"#.utf8))
  }

  @Test func `has the steps that DevTools' Recorder exports`() throws {
    let flow = try flow(
      #"""
      {"type": "setViewport", "width": 800, "height": 600, "deviceScaleFactor": 1},
      {"type": "navigate", "url": "http://localhost/", "assertedEvents": [{"type": "navigation"}]},
      {"type": "click", "target": "main", "selectors": [["aria/Save"], ["#outer", "#inner"]], "offsetX": 3, "offsetY": 4.5},
      {"type": "doubleClick", "selectors": ["#word"], "button": "secondary"},
      {"type": "hover", "selectors": [["#menu"]]},
      {"type": "change", "selectors": [["#name"]], "value": "Grüße"},
      {"type": "keyDown", "key": "Enter"},
      {"type": "keyUp", "key": "Enter"},
      {"type": "scroll", "x": 0, "y": 900},
      {"type": "waitForElement", "selectors": [["li"]], "count": 3},
      {"type": "waitForExpression", "expression": "ready"},
      {"type": "navigate", "url": "http://localhost/next"}
      """#)
    #expect(flow.viewport?.width == 800 && flow.viewport?.height == 600)
    #expect(flow.largestViewport?.width == 800 && flow.largestViewport?.height == 600)
    #expect(flow.addresses.map(\.url) == ["http://localhost/next"])
    #expect(flow.steps.allSatisfy { $0.patience == .milliseconds(700) })
    let target = UserFlow.Target.init
    #expect(
      flow.steps.map(\.action) == [
        .click(
          on: target([["aria/Save"], ["#outer", "#inner"]]), offset: .init(x: 3, y: 4.5), count: 1,
          button: "left"),
        .click(on: target([["#word"]]), offset: nil, count: 2, button: "right"),
        .hover(over: target([["#menu"]])), .change(of: target([["#name"]]), to: "Grüße"),
        .key("Enter", isDown: true), .key("Enter", isDown: false),
        .scroll(nil, to: .init(x: 0, y: 900)),
        .waitForElement(target([["li"]]), comparison: ">= 3"),
        .waitForExpression("ready"), .navigate(url: "http://localhost/next"),
      ])
  }

  @Test func `that is too large is said to be that`() throws {
    let scratch = try Scratch()
    let step = #"{"type": "waitForExpression", "expression": "ready"}"#
    let steps = Array(repeating: step, count: 25_000).joined(separator: ",")
    try scratch.write("{\"steps\": [\(steps)]}", to: "flow.json")
    do {
      _ = try UserFlow(scratch.path("flow.json"))
      Issue.record("it was read")
    } catch {
      #expect(error.status == .badInput)
      #expect(error.message.hasSuffix("is too large for a flow; allowed: 1048576 bytes"))
    }
  }

  @Test(arguments: [
    ("", ">= 1"), (#", "count": 4"#, ">= 4"), (#", "operator": "==""#, "== 1"),
    (#", "operator": "<=", "count": 0"#, "<= 0"), (#", "operator": "==", "count": 2"#, "== 2"),
    (#", "operator": ">=", "count": 7, "target": "main", "frame": []"#, ">= 7"),
  ])
  func `waits for as many elements as the operator says`(_ members: String, _ comparison: String)
    throws
  {
    let flow = try flow(#"{"type": "waitForElement", "selectors": [["li"]]\#(members)}"#)
    #expect(
      flow.steps.map(\.action) == [
        .waitForElement(.init(selectors: [["li"]]), comparison: comparison)
      ])
  }

  @Test(arguments: [
    ("", 700), (#", "timeout": null"#, 700), (#", "timeout": 1"#, 1), (#", "timeout": 9000"#, 9000),
    (#", "timeout": 0"#, 1), (#", "timeout": 9000000"#, 60_000),
  ])
  func `waits as long as the step says, or else as the flow does`(
    _ member: String, _ milliseconds: Int
  ) throws {
    let flow = try flow(#"{"type": "waitForExpression", "expression": "ready"\#(member)}"#)
    #expect(flow.steps.map(\.patience) == [.milliseconds(milliseconds)])
  }

  @Test func `without a time limit waits for five seconds`() throws {
    let flow = try UserFlow(parsing: Array(#"{"steps": [{"type": "keyUp", "key": "a"}]}"#.utf8))
    #expect(flow.steps.map(\.patience) == [.seconds(5)])
  }

  @Test func `needs a window for the largest of its sizes`() throws {
    let flow = try flow(
      """
      {"type": "setViewport", "width": 800, "height": 900}, {"type": "keyDown", "key": "a"},
      {"type": "setViewport", "width": 1920, "height": 600}
      """)
    #expect(flow.viewport?.width == 800)
    #expect(flow.largestViewport?.width == 1920 && flow.largestViewport?.height == 900)
  }

  @Test(arguments: [
    (
      #"{"type": "customStep"}"#,
      "step 1: 'customStep' is not supported; allowed: setViewport"
    ),
    (#"{"type": "klick"}"#, "step 1: 'klick' is not supported"),
    (#"{"type": "hover", "selectors": [["a"]]}, {}"#, "step 2: '' is not supported"),
    (#"{"type": "click"}"#, "step 1: 'selectors' is missing"),
    (#"{"type": "click", "selectors": [[]]}"#, "step 1: 'selectors' is missing"),
    (
      #"{"type": "click", "selectors": ["a"], "button": "fourth"}"#,
      "'fourth' is not a mouse button"
    ),
    (#"{"type": "change", "selectors": ["a"], "value": 3}"#, "step 1: 'value' is missing"),
    (#"{"type": "keyDown"}"#, "step 1: 'key' is missing"),
    (
      #"{"type": "keyUp", "key": "a", "timeout": "long"}"#,
      "step 1: 'timeout' is not a number of milliseconds"
    ),
    (
      #"{"type": "setViewport", "width": 0, "height": 1}"#,
      "step 1: 'width' is not a number of pixels"
    ),
    (
      #"{"type": "click", "selectors": ["a"], "offsetX": 1e308, "offsetY": 1}"#,
      "step 1: 'offsetX' is not a number of pixels"
    ),
    (#"{"type": "scroll", "x": 0, "y": 1e999}"#, "step 1: 'y' is not a number of pixels"),
    (#"{"type": "scroll", "y": "far"}"#, "step 1: 'y' is not a number of pixels"),
    (
      #"{"type": "waitForElement", "selectors": ["a"], "count": 9223372036854775808}"#,
      "step 1: 'count' is not a number from 1 to 10000"
    ),
    (
      #"{"type": "click", "selectors": ["a"], "frame": [0, 1]}"#,
      "step 1: 'frame' is not supported: steps act on the page itself"
    ),
    (
      #"{"type": "keyUp", "key": "a", "target": "https://ads.example/"}"#,
      "step 1: 'target' is not supported: steps act on the page itself"
    ),
    (
      #"{"type": "waitForElement", "selectors": ["a"], "operator": "<"}"#,
      "step 1: '<' is not an operator; use >=, == or <="
    ),
    (
      #"{"type": "waitForElement", "selectors": ["a"], "visible": false}"#,
      "step 1: 'visible' is not supported"
    ),
    (
      #"{"type": "waitForElement", "selectors": ["a"], "attributes": {"b": "c"}}"#,
      "step 1: 'attributes' is not supported"
    ),
    ("", "has no steps"),
  ])
  func `names the step that cannot be replayed`(steps: String, reason: String) throws {
    let scratch = try Scratch()
    try scratch.write(#"{"steps": [\#(steps)]}"#, to: "flow.json")
    try scratch.write("", to: "page.html")
    let recorded = try Performed(
      "record", "chrome", scratch.path("page.html"), "--flow", scratch.path("flow.json"), "-o",
      scratch.path("app"))
    #expect(recorded.status == .badInput, "\(recorded.diagnostics)")
    #expect(recorded.diagnostics.contains("flow.json: "), "\(recorded.diagnostics)")
    #expect(recorded.diagnostics.contains(reason), "\(recorded.diagnostics)")
    #expect(recorded.diagnostics.split(separator: "\n").count == 1, "\(recorded.diagnostics)")
  }

  @Test(arguments: [
    "", "[]", "{\"steps\": 3}", "{\"steps\": [{\"type\": \"click\"", "<html>", "\0",
  ])
  func `is not a file of another kind`(text: String) throws {
    let scratch = try Scratch()
    try scratch.write(text, to: "flow.json")
    let error = #expect(throws: ToolError.self) { try UserFlow(scratch.path("flow.json")) }
    #expect(error?.status == .badInput)
    #expect(error?.message.contains("\n") == false)
  }
}
