import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A list, under a strategy whose frames wait for rows that a lane binds.
struct `What waits for parts of drawing on a lane` {
  private static let text = """
    scenario: list
    display: {refresh: 60 Hz, render: 4 ms}
    duration: 1 s
    ui:
      frame:
        - {name: rows, cpu: 15 ms, ahead: 2}
    strategies:
      - as: waiting
        lanes: {layout: {}}
        frame: {rows: {prepare: {lane: layout}}}
      - as: preparing
        lanes: {layout: {}}
        frame: {rows: {prepare: {lane: layout, frames: 2}}}

    """

  @Test func `is in the words, the trace and the page`() throws {
    let scratch = try Scratch()
    try scratch.write(Self.text, to: "list.yaml")
    let run = try Performed(
      "run", scratch.path("list.yaml"), "--engine", "virtual", "-q", "-o", scratch.path("out"),
      "--trace", scratch.path("out/trace.json"))
    let output = run.output.replacing("\n", with: " ")
    #expect(
      output.contains(
        "preparing also takes memory, which no price counts: it draws rows on lane layout up to 2 frames early."
      ), "\(run.output)")
    #expect(!output.contains("waiting also takes memory"))
    let trace = try #require(scratch.text("out/trace.json"))
    #expect(trace.contains("\"name\":\"lock_wait\",\"cat\":\"lock\""))
    #expect(trace.contains("\"args\":{\"name\":\"rows\"}"))
    let page = try Performed("report", scratch.path("out"), "-o", scratch.path("page.html"))
    #expect(page.status == .success, "\(page.diagnostics)")
    let words = try #require(scratch.text("page.html"))
    #expect(words.contains("waiting for part rows"))
    #expect(words.contains("drawing"))
  }
}
