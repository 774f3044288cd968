import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetTerminal

/// The whole view on the virtual engine at fixed times, byte by byte.
@Suite struct `The live view` {
  static let sizes = [(40, 12), (80, 24), (120, 40), (200, 60)]

  @Test(arguments: sizes)
  func `shows a hang that is still running`(_ size: (Int, Int)) throws {
    var session = try Watched("main-thread")
    session.go(to: 1900)
    try Golden.check(session.screen(size.0, size.1), "hang-under-way-\(size.0)x\(size.1)")
  }

  @Test(arguments: sizes)
  func `shows what a hang was, beside the strategy that replaced it`(_ size: (Int, Int)) throws {
    var session = try Watched("main-thread")
    session.go(to: 2400)
    session.press("6")
    session.go(to: 600)
    session.press("a")
    session.go(to: 1300)
    try Golden.check(session.screen(size.0, size.1), "switched-\(size.0)x\(size.1)")
  }

  @Test(arguments: sizes)
  func `shows threads that wait for locks`(_ size: (Int, Int)) throws {
    var session = try Watched("threads-and-locks")
    session.go(to: 1600)
    try Golden.check(session.screen(size.0, size.1), "locks-\(size.0)x\(size.1)")
  }

  @Test(arguments: sizes + [(140, 45)])
  func `shows how many items are suspended, by step`(_ size: (Int, Int)) throws {
    var session = try Watched("threads-and-locks", scenario: .downloads)
    session.go(to: 900)
    try Golden.check(session.screen(size.0, size.1), "suspended-\(size.0)x\(size.1)")
  }

  @Test func `shows suspended items of strategies side by side, and in the log of a dumb terminal`()
    throws
  {
    var session = try Watched("main-thread", "threads-and-locks", scenario: .downloads)
    session.go(to: 900)
    let lines = session.screen(140, 45).lines
    #expect(lines.count { $0.contains("fetch") } == 2 && lines.count { $0.contains("store") } == 2)
    #expect(lines.contains { $0.contains("n items suspended") })
    #expect(PlainView(session.model).lines.allSatisfy { $0.contains("suspended in fetch") })
  }

  @Test(arguments: sizes)
  func `shows four strategies side by side`(_ size: (Int, Int)) throws {
    var session = try Watched("main-thread", "time-sliced", "threads-and-locks", "schedulable")
    session.go(to: 1700)
    try Golden.check(session.screen(size.0, size.1), "four-\(size.0)x\(size.1)")
  }

  @Test(arguments: sizes)
  func `compares two strategies on one time axis`(_ size: (Int, Int)) throws {
    let session = try Watched.compared(at: 1700)
    try Golden.check(session.screen(size.0, size.1), "compared-\(size.0)x\(size.1)")
  }

  @Test(arguments: sizes)
  func `shows what both did at one instant`(_ size: (Int, Int)) throws {
    var session = try Watched.compared(at: 1900)
    session.press("zi")
    session.press(.left)
    session.press(.left)
    try Golden.check(session.screen(size.0, size.1), "inspected-\(size.0)x\(size.1)")
  }

  @Test(arguments: sizes)
  func `looks back at a hang that is over`(_ size: (Int, Int)) throws {
    var session = try Watched("main-thread")
    session.go(to: 2600)
    session.press(.wheelUp)
    session.press(.pageUp)
    session.press("i")
    session.go(to: 3000)
    try Golden.check(session.screen(size.0, size.1), "looking-back-\(size.0)x\(size.1)")
  }

  @Test(arguments: sizes)
  func `shows help`(_ size: (Int, Int)) throws {
    var session = try Watched("schedulable")
    session.press("?")
    try Golden.check(session.screen(size.0, size.1), "help-\(size.0)x\(size.1)")
  }

  @Test(arguments: sizes)
  func `shows the list of strategies`(_ size: (Int, Int)) throws {
    var session = try Watched("schedulable")
    session.press("s")
    session.press(.up)
    session.press(" ")
    try Golden.check(session.screen(size.0, size.1), "list-\(size.0)x\(size.1)")
  }

  @Test func `turns pages where not all numbers fit`() throws {
    var session = try Watched("schedulable")
    session.go(to: 1500)
    for page in 1...4 {
      try Golden.check(session.screen(40, 12), "page-\(page)-40x12")
      session.press(.tab)
    }
    try Golden.check(session.screen(40, 12), "page-1-40x12")
  }

  @Test func `shows a run before its first frame`() throws {
    var model = try Watched("schedulable").model
    model.begin(
      [RunModel(label: "schedulable", refresh: RefreshRate(60), engine: .real)], chosen: [5])
    try Golden.check(LiveView(model).screen(columns: 80, rows: 24), "warming-up-80x24")
  }

  @Test(arguments: [(0, 0), (1, 1), (12, 3), (39, 12), (40, 11), (7, 200)])
  func `states the needed size in a terminal that is too small`(_ size: (Int, Int)) throws {
    let session = try Watched("schedulable")
    let screen = session.screen(size.0, size.1)
    #expect(screen.columns == size.0 && screen.rows == size.1)
    if size == (39, 12) { try Golden.check(screen, "too-small-39x12") }
  }

  @Test func `draws in every size without leaving the screen`() throws {
    var single = try Watched("threads-and-locks")
    single.go(to: 1500)
    var several = try Watched("main-thread", "schedulable", "time-sliced")
    several.go(to: 1500)
    var compared = try Watched.compared(at: 1500)
    compared.press("zi")
    for columns in stride(from: 40, through: 220, by: 9) {
      for rows in stride(from: 12, through: 70, by: 5) {
        for session in [single, several, compared] {
          let screen = session.screen(columns, rows)
          #expect(screen.lines[rows - 1].contains("q quit"))
        }
      }
    }
  }
}
