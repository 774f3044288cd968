import FrameBudget
import Testing

@testable import FrameBudgetTerminal

@Suite struct `The mouse` {
  private let size = (80, 24)

  @Test func `runs the strategy of the bar that is clicked on`() throws {
    var session = try Watched("main-thread")
    session.click("4 time-sliced", on: size)
    #expect(session.model.chosen == [3])
  }

  @Test func `selects in the list, ticks, and runs what is selected already`() throws {
    var session = try Watched("main-thread")
    session.press("s")
    session.click("4 [ ] time-sliced", plus: 6, on: size)
    #expect(session.model.overlay == .strategies(cursor: 3, ticked: []))
    session.click("1 [ ] main-thread", plus: 3, on: size)
    #expect(session.model.overlay == .strategies(cursor: 0, ticked: [0]))
    session.press(.wheelDown)
    #expect(session.model.overlay == .strategies(cursor: 1, ticked: [0]))
    session.press(.wheelUp)
    session.click("1 [x] main-thread", plus: 3, on: size)
    session.click("4 [ ] time-sliced", plus: 6, on: size)
    session.click("4 [ ] time-sliced", plus: 6, on: size)
    #expect(session.model.overlay == nil)
    #expect(session.model.chosen == [3])
  }

  @Test func `inspects the frame that is clicked on, until it is clicked on again`() throws {
    var session = try Watched("main-thread")
    session.go(to: 1900)
    session.click(70, 8, on: size)
    #expect(session.screen(80, 24).lines[2].contains("no new frame  frame 60 at work"))
    let column = session.screen(80, 24).lines.firstIndex { $0.contains("▲") }
    #expect(column != nil)
    session.click(70, 8, on: size)
    #expect(session.model.scrollPosition == nil)
  }

  @Test func `inspects any column of a hang under way that is longer than all before it`() throws {
    var session = try Watched("main-thread")
    session.go(to: 2200)
    for column in [11, 30, 79] {
      session.click(column, 8, on: size)
      // The last of two: the sentence above the chart begins with the same sign.
      let line = try #require(session.screen(80, 24).lines.last { $0.contains("▲") })
      #expect(line.prefix { $0 != "▲" }.count == column)
      session.press(.escape)
    }
  }

  @Test func `selects a strategy side by side, which the bar then replaces`() throws {
    var session = try Watched.compared(at: 500)
    #expect(session.model.selected == 1)
    session.click("main-thread  dropped", on: size)
    #expect(session.model.selected == 0)
    session.click("4 time-sliced", on: size)
    #expect(session.model.chosen == [3, 6])
  }

  @Test func `looks back by its wheel, no further than there is something to see`() throws {
    var session = try Watched("main-thread")
    session.go(to: 900)
    session.press(.wheelDown)
    #expect(session.model.scrollPosition == nil)
    session.press(.wheelUp)
    #expect(session.model.scrollPosition == ScrollPosition(back: 15))
    for _ in 0..<20 { session.press(.wheelUp) }
    #expect(session.model.scrollPosition?.back ?? 99 <= 54)
    for _ in 0..<20 { session.press(.wheelDown) }
    #expect(session.model.scrollPosition == nil)
  }

  @Test func `has no effect on empty areas`() throws {
    let session = try Watched("main-thread")
    #expect(session.screen(80, 24).target(79, 0) == nil)
    #expect(session.screen(80, 24).target(-1, 99) == nil)
  }

  @Test func `is left to the terminal by a key, where there is one`() throws {
    var session = try Watched("main-thread")
    session.press("m")
    #expect(session.model.pointer == .absent)
    #expect(session.model.notice == "this terminal reports no mouse")
    session.model.pointer = .taken
    session.press("m")
    #expect(session.model.pointer == .left)
    session.press("m")
    #expect(session.model.pointer == .taken)
  }
}

@Suite struct `Looking back` {
  @Test func `keeps its position while the run continues`() throws {
    var session = try Watched("main-thread")
    session.go(to: 900)
    session.press(.wheelUp)
    let before = session.screen(80, 24).lines
    session.go(to: 1000)
    let after = session.screen(80, 24).lines
    let chart = 2..<14
    #expect(before[chart] == after[chart])
    session.press(.escape)
    #expect(session.screen(80, 24).lines[chart] != before[chart])
  }

  @Test func `keeps what is inspected on the screen`() throws {
    var session = try Watched.compared(at: 1900)
    session.press("i")
    for _ in 0..<100 { session.press(.left) }
    #expect(session.model.scrollPosition?.inspected == 101)
    #expect(SharedAxis(session.model, columns: 69).inspected == 0)
    for _ in 0..<300 { session.press(.right) }
    #expect(session.model.scrollPosition?.inspected == 0)
    #expect(SharedAxis(session.model, columns: 69).inspected == 68)
    session.press("i")
    #expect(session.model.scrollPosition == nil)
  }

  @Test func `ends where another run begins`() throws {
    var session = try Watched("main-thread")
    session.go(to: 900)
    session.press("i")
    session.press("3")
    #expect(session.model.scrollPosition == nil)
  }
}
