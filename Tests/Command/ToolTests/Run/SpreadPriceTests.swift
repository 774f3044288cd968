import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A list whose rows are spread over frames: 15 ms in every sixth frame.
struct `What parts of drawing that are spread leave out` {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("bind_ms\n0\n0\n0\n0\n0\n15\n", to: "rows.csv")
  }

  private func run(_ strategies: String) throws -> (text: String, page: String) {
    try scratch.write(
      """
      scenario: list
      display: {refresh: 60 Hz, render: 4 ms}
      duration: 1 s
      ui:
        frame:
          - {name: rows, cpu: {recorded: rows.csv, column: bind_ms}, ahead: 2, unit: 5 ms}
      strategies:
        - main-thread
      \(strategies)

      """, to: "list.yaml")
    let run = try Performed(
      "run", scratch.path("list.yaml"), "--engine", "virtual", "-q", "-o", scratch.path("out"))
    let page = try Performed(
      "report", scratch.path("out"), "-o", scratch.path("page.html"))
    #expect(page.status == .success, "\(page.diagnostics)")
    return (
      run.output.replacing("\n", with: " "), try #require(scratch.text("page.html"))
    )
  }

  private static let spreading = "  - {as: spreading, frame: {rows: {spread: {budget: 6 ms}}}}"

  @Test func `is the price in the verdict, the table and the page`() throws {
    let (text, page) = try run(Self.spreading)
    let words = "none of 60 frames dropped, 19 of 60 frames incomplete, for up to 33.3 ms"
    #expect(text.contains("spreading: \(words)."), "\(text)")
    #expect(text.contains("incom-") && text.contains("plete"))
    #expect(page.contains(words))
    #expect(page.contains("<small>19 of 60 frames incomplete, for up to 33.3 ms</small>"))
  }

  @Test func `puts a strategy behind one whose frames are complete`() throws {
    let (text, _) = try run(
      "\(Self.spreading)\n  - {as: prefetching, frame: {rows: {prefetch: {frames: 2}}}}")
    #expect(text.contains("prefetching: none of 60 frames dropped."), "\(text)")
    #expect(!text.contains("spreading: none of 60 frames dropped"), "\(text)")
  }

  @Test func `does not count as smooth where it falls behind`() throws {
    let (text, page) = try run("  - {as: spreading, frame: {rows: {spread: {budget: 2 ms}}}}")
    #expect(text.contains("No strategy that ran is smooth."), "\(text)")
    #expect(
      page.contains(
        "55 of 60 frames incomplete, for up to 267 ms, and 10 ms of drawing left at the end"))
  }
}
