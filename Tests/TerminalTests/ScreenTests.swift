import Testing

@testable import Terminal

@Suite struct `A screen` {
  @Test func `ends text that does not fit with an ellipsis`() {
    var screen = Screen(columns: 8, rows: 1)
    screen.write("abcdefgh", 1, 0, width: 5)
    #expect(screen.lines == [" abcd…"])
  }
}
