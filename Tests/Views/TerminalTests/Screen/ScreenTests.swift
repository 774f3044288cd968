import Testing

@testable import FrameBudgetTerminal

@Suite struct `A screen` {
  @Test func `ends text that does not fit with an ellipsis`() {
    var screen = Screen(columns: 8, rows: 1)
    screen.write("abcdefgh", 1, 0, width: 5)
    #expect(screen.lines == [" abcd…"])
    screen.write("xyz", 1, 0, width: 0)
    screen.write("xyz", 1, 0, width: 1)
    #expect(screen.lines == [" …bcd…"])
  }

  @Test func `writes text that ends at a column`() {
    var screen = Screen(columns: 8, rows: 1)
    screen.writeTrailing("12", 2, 0, width: 5)
    #expect(screen.lines == ["     12"])
    screen.writeTrailing("1234567", 2, 0, width: 5)
    #expect(screen.lines == ["  1234…"])
  }

  @Test func `ignores what lies outside`() {
    var screen = Screen(columns: 2, rows: 1)
    for (column, row) in [(-1, 0), (2, 0), (0, -1), (0, 1)] { screen.put("x", column, row, .plain) }
    #expect(screen == Screen(columns: 2, rows: 1))
  }

  @Test func `shows only characters that surely take one column`() {
    var screen = Screen(columns: 20, rows: 1)
    screen.write("a\u{1b}[2Jü日e\u{301}\u{202e}я\n", 0, 0, width: 20)
    #expect(screen.lines == ["a?[2Jü?e?я?"])
  }

  @Test func `knows what was placed last in a cell`() {
    var screen = Screen(columns: 10, rows: 2)
    screen.place(.pane(1), in: screen.area)
    screen.place(.strategy(3), in: Area(column: 2, row: 1, width: 3, height: 1))
    #expect(screen.target(2, 1) == .strategy(3))
    #expect(screen.target(4, 1) == .strategy(3))
    #expect(screen.target(5, 1) == .pane(1))
    #expect(screen.target(10, 1) == nil)
  }

  @Test func `is divided into areas that never overlap`() {
    var area = Screen(columns: 10, rows: 6).area
    let top = area.takeTop(2)
    let bottom = area.takeBottom(3)
    #expect(top == Area(column: 0, row: 0, width: 10, height: 2))
    #expect(bottom == Area(column: 0, row: 3, width: 10, height: 3))
    #expect(area == Area(column: 0, row: 2, width: 10, height: 1))
    #expect(area.takeTop(5).height == 1)
    #expect(area.takeBottom(1).height == 0)
  }

  @Test func `has an ASCII shape for every character that the view uses`() throws {
    var used: Set<Unicode.Scalar> = []
    var session = try Watched("main-thread")
    session.go(to: 2500)
    session.press("5")
    session.go(to: 1500)
    for key in ["", "?", "s"] {
      session.press(key)
      for line in session.screen(200, 60).lines { used.formUnion(line.unicodeScalars) }
      session.press(.escape)
    }
    let compared = try Watched.compared(at: 1900)
    for line in compared.screen(200, 60).lines { used.formUnion(line.unicodeScalars) }
    var inspected = compared
    inspected.press("i")
    for line in inspected.screen(200, 60).lines { used.formUnion(line.unicodeScalars) }
    #expect(used.count > 40)
    for character in used { #expect(Glyphs.ascii(character).isASCII) }
    #expect(used.filter { Glyphs.ascii($0) == "?" && $0 != "?" } == [])
  }
}
