import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A list, under strategies that keep rows in memory.
struct `What parts of drawing keep in memory` {
  private static let text = """
    scenario: list
    display: {refresh: 60 Hz, render: 4 ms}
    duration: 1 s
    ui:
      frame:
        - {name: rows, cpu: 15 ms, ahead: 2}
    strategies:
      - main-thread
      - as: prefetching
        frame: {rows: {prefetch: {frames: 2}}}
      - as: caching
        frame: {rows: {cache: {hits: 80 %}}}

    """

  @Test func `is told as a price by the run, and by its file`() throws {
    let scratch = try Scratch()
    try scratch.write(Self.text, to: "list.yaml")
    let run = try Performed(
      "run", scratch.path("list.yaml"), "--engine", "virtual", "-q", "-o", scratch.path("out"))
    let page = try Performed("report", scratch.path("out"), "-o", scratch.path("page.html"))
    #expect(page.status == .success, "\(page.diagnostics)")
    let words = try #require(scratch.text("page.html"))
    for (strategy, part) in [
      ("prefetching", "rows up to 2 frames early"),
      ("caching", "rows from memory in 80 % of frames, made earlier"),
    ] {
      let sentence = "\(strategy) also takes memory, which no price counts: it draws \(part)."
      #expect(run.output.replacing("\n", with: " ").contains(sentence), "\(run.output)")
      #expect(words.contains(sentence))
    }
    #expect(!words.contains("main-thread also takes memory"))
  }
}
