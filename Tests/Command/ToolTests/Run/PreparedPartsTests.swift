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
    let output = run.output.replacing(/\n */, with: " ")
    #expect(
      output.contains("hitches of one frame each, caused by waiting for parts of drawing."),
      "\(run.output)")
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

  /// Of 18 ms in every third frame, 12 ms go to a lane, and the main thread waits for up to 12 ms.
  private static let late = """
    scenario: list
    display: {refresh: 60 Hz, render: 3 ms}
    duration: 1 s
    services: {app: {keep: true}}
    workloads:
      - {name: save, arrival: {every: 50 ms}, steps: [{service: app, cpu: 3 ms}]}
    ui:
      frame:
        - {name: rows, cpu: 12 ms}
    strategies:
      - main-thread
      - as: waiting
        lanes: {layout: {}}
        frame: {rows: {prepare: {lane: layout}}}
      - as: locking
        lanes: {layout: {}}
        locks: {app: {}}
        services: {app: {lock: app}}
        frame: {rows: {prepare: {lane: layout}}}

    """

  @Test func `is no wait for a lock in verdicts, files and pages`() throws {
    let scratch = try Scratch()
    try scratch.write(Self.late, to: "list.yaml")
    let run = try Performed(
      "run", scratch.path("list.yaml"), "--engine", "virtual", "-q", "-o", scratch.path("out"))
    let output = run.output.replacing(/\n */, with: " ")
    #expect(output.contains("price: the UI waits 660 ms for parts of drawing."), "\(run.output)")
    #expect(output.contains("the UI waited 660 ms for parts of drawing, up to 12 ms at once"))
    let summary = try #require(scratch.text("out/summary.csv"))
    let cells = summary.split(separator: "\n").map { $0.split(separator: ",").last }
    #expect(cells.suffix(2) == ["parts of drawing", "locks and parts of drawing"], "\(cells)")
    let page = try Performed("report", scratch.path("out"), "-o", scratch.path("page.html"))
    #expect(page.status == .success, "\(page.diagnostics)")
    let words = try #require(scratch.text("page.html"))
    #expect(words.contains("the UI waits 660 ms for parts of drawing"))
    #expect(words.contains("<small>660 ms waits for locks and parts of drawing</small>"))
  }

  @Test func `is no wait for a lock in advice`() throws {
    let scratch = try Scratch()
    try scratch.write(Self.late, to: "list.yaml")
    let advice = try Performed("advise", scratch.path("list.yaml"), "--format", "csv")
    #expect(advice.output.contains(",parts of drawing,"), "\(advice.output)")
    let told = try Performed("advise", scratch.path("list.yaml")).output.replacing("\n", with: " ")
    #expect(told.contains("The price: 660 ms of waiting for parts of drawing,"), "\(told)")
  }
}
