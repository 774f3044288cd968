import Testing

@testable import FrameBudgetScenarios

struct SourceTextTests {
  private func text(_ text: String) throws -> SourceText {
    try SourceText(Array(text.utf8), file: "a.yaml")
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"])
  func `every line break of YAML ends a line`(ending: String) throws {
    let error = try text("one\(ending)two\(ending)").error(
      "wrong", at: Position(line: 2, column: 3))
    #expect(error.description == "a.yaml:2:3: wrong\ntwo\n  ^")
  }

  @Test func `a place beyond the text becomes its end`() throws {
    let source = try text("one\ntwo\n")
    #expect(
      source.error("wrong", at: Position(line: 9, column: 1)).description
        == "a.yaml:2:4: wrong\ntwo\n   ^")
    #expect(
      source.error("wrong", at: Position(line: 1, column: 99)).description
        == "a.yaml:1:4: wrong\none\n   ^")
    #expect(
      source.error("wrong", at: Position(line: 0, column: 0)).description
        == "a.yaml:1:1: wrong\none\n^")
  }

  @Test func `a byte order mark is not part of the text`() throws {
    #expect(try text("\u{FEFF}one").text == "one")
  }

  @Test func `the first byte that is not UTF-8 is pointed at`() {
    let error = #expect(throws: ScenarioError.self) {
      try SourceText(Array("é\r\nab".utf8) + [0xFF, 0x61], file: "a.yaml")
    }
    #expect(
      error?.description
        == "a.yaml:2:3: this is not UTF-8; allowed: UTF-8 text\nab\u{FFFD}a\n  ^")
  }

  @Test func `a file's name cannot write to the terminal`() {
    let error = ScenarioError(
      "wrong", at: .file("a\u{1B}[31m\n.yaml", line: 1, column: 1, text: "x"))
    #expect(error.description == "a\u{FFFD}[31m\u{FFFD}.yaml:1:1: wrong\nx\n^")
  }
}
