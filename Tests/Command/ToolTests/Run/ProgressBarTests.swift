import Testing

@testable import FrameBudgetCLI

struct `The progress bar` {
  @Test func `is not there without a terminal`() throws {
    var console = Console(environment: ["TERM": "xterm"])
    console.diagnostics = -1
    #expect(console.progressWidth == nil)
    #expect(ProgressBar(on: console) == nil)
  }
}
