import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A list whose rows take 18 ms in every sixth frame, in a loop of events.
struct `What it costs to show frames later` {
  private func run(_ strategies: String) throws -> (text: String, page: String) {
    let scratch = try Scratch()
    try scratch.write("bind_ms\n0\n0\n0\n0\n0\n18\n", to: "rows.csv")
    try scratch.write(
      """
      scenario: list
      display: {refresh: 60 Hz, render: 4 ms, main-loop: events}
      duration: 1 s
      ui:
        frame:
          - {name: rows, cpu: {recorded: rows.csv, column: bind_ms}, ahead: 2}
      strategies:
        - main-thread
        - {as: later, present: {later: 1}}
      \(strategies)

      """, to: "list.yaml")
    let run = try Performed(
      "run", scratch.path("list.yaml"), "--engine", "virtual", "-q", "-o", scratch.path("out"))
    let page = try Performed("report", scratch.path("out"), "-o", scratch.path("page.html"))
    #expect(page.status == .success, "\(page.diagnostics)")
    return (run.output.replacing("\n", with: " "), try #require(scratch.text("page.html")))
  }

  @Test func `is in the verdict and on the page`() throws {
    let (text, page) = try run("")
    let words = "each shown 16.7 ms later from 1 more buffer"
    #expect(text.contains("later: none of 59 frames dropped, \(words)."), "\(text)")
    #expect(page.contains("<small>\(words)</small>"))
  }

  @Test func `puts a strategy behind those that hand work over, and that show frames incomplete`()
    throws
  {
    let (prepared, _) = try run(
      "  - {as: preparing, lanes: {back: {}}, frame: {rows: {prepare: {lane: back, frames: 2}}}}")
    #expect(prepared.contains("preparing: none of 60 frames dropped"), "\(prepared)")
    #expect(!prepared.contains("later: none"), "\(prepared)")
    let (spread, _) = try run("  - {as: spreading, frame: {rows: {spread: {budget: 9 ms}}}}")
    #expect(spread.contains("spreading: none of 60 frames dropped"), "\(spread)")
    #expect(!spread.contains("later: none"), "\(spread)")
  }
}
