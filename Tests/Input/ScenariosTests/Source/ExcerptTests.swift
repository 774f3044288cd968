import Testing

@testable import FrameBudgetScenarios

struct ExcerptTests {
  private func excerpt(_ line: String, _ column: Int, width: Int = 160) -> String {
    Excerpt(of: line, column: column, width: width).description
  }

  @Test func `the caret is below the column`() {
    #expect(excerpt("abc", 1) == "abc\n^")
    #expect(excerpt("abc", 3) == "abc\n  ^")
    #expect(excerpt("abc", 4) == "abc\n   ^")
    #expect(excerpt("", 1) == "\n^")
  }

  @Test func `a tab is a tab below as well`() {
    #expect(excerpt("\ta\tb", 4) == "\ta\tb\n\t \t^")
  }

  @Test func `wide characters take two columns, and what combines none`() {
    #expect(excerpt("写真: x", 5) == "写真: x\n      ^")
    #expect(excerpt("e\u{301}x", 3) == "e\u{301}x\n ^")
    #expect(excerpt("📷x", 2) == "📷x\n  ^")
  }

  @Test func `of a long line the part around the column is shown`() {
    let line = String(repeating: "a", count: 50) + "b" + String(repeating: "c", count: 50)
    #expect(excerpt(line, 51, width: 11) == "…aaaabcccc…\n     ^")
    #expect(excerpt(line, 1, width: 11) == "aaaaaaaaaa…\n^")
    #expect(excerpt(line, 101, width: 11) == "…cccccccccc\n          ^")
  }

  @Test func `nothing that moves the cursor reaches the terminal`() {
    #expect(excerpt("a\u{1B}[2Jb", 2) == "a\u{FFFD}[2Jb\n ^")
    #expect(excerpt("a\u{202E}b", 3) == "a\u{FFFD}b\n  ^")
  }
}
