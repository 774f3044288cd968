import Testing

@testable import FrameBudgetCLI

struct `What is drawn while a file is read` {
  @Test func `is not there without a terminal`() {
    var console = Console(environment: ["TERM": "xterm"])
    console.diagnostics = -1
    #expect(ReadingBar(on: console) == nil)
  }

  @Test(arguments: [
    (0, 120_500_000, "reading a.json: 0 % of 120.5 MB"),
    (60_250_000, 120_500_000, "reading a.json: 50 % of 120.5 MB"),
    (70, 70, "reading a.json: 70 % of 0 MB"), (5, 0, "reading a.json: 5 % of 0 MB"),
    (.max, 1, "reading a.json: 100 % of 0 MB"), (12_340_000, nil, "reading a.json: 12.3 MB"),
  ])
  func `says how much of it that is`(_ read: Int, _ size: Int?, _ line: String) {
    #expect(ReadingBar.line(of: "a.json", read: read, size: size, width: 80) == line)
  }

  @Test func `stays in its line, whatever the file is called`() {
    let line = ReadingBar.line(of: "\u{1B}[2J\nb", read: 1, size: nil, width: 20)
    #expect(line == "reading \\u{1B}[2J\\nb")
    #expect(ReadingBar.line(of: "a", read: 1, size: nil, width: 0) == "")
  }
}
