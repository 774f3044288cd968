import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetTerminal

/// Each widget alone at three sizes, byte by byte.
@Suite struct `A widget` {
  private let session: Watched

  init() throws {
    var session = try Watched("main-thread")
    session.go(to: 2400)
    session.press("5")
    session.go(to: 1300)
    session.press("a")
    session.go(to: 1600)
    self.session = session
  }

  private var model: LiveModel { session.model }
  private var pane: Pane { session.model.panes[0] }

  @Test(arguments: [(12, 3), (48, 6), (130, 14)])
  func `shows frames as a chart`(_ size: (Int, Int)) throws {
    try check("chart", size) { screen in
      FrameChart(pane, width: size.0, gutter: size.0 < 20 ? 0 : 11)
        .draw(on: &screen, in: screen.area)
    }
  }

  @Test(arguments: [(12, 1), (48, 2), (130, 5)])
  func `shows what threads did`(_ size: (Int, Int)) throws {
    let chart = FrameChart(pane, width: size.0, gutter: 11)
    try check("lanes", size) { screen in
      LaneStrips(pane, chart.columns, gutter: 11).draw(on: &screen, in: screen.area)
    }
  }

  @Test(arguments: [(12, 1), (48, 1), (130, 1)])
  func `shows seconds`(_ size: (Int, Int)) throws {
    let chart = FrameChart(pane, width: size.0, gutter: 0)
    try check("axis", size) {
      AxisLine(seconds: chart.columns.map(\.second)).draw(on: &$0, in: $0.area)
    }
  }

  @Test(arguments: [(20, 5), (44, 12), (150, 16)])
  func `shows numbers`(_ size: (Int, Int)) throws {
    try check("numbers", size) { screen in
      _ = NumberPanel(figures: pane.run.figures, runs: model.sessionRuns, page: 0)
        .draw(on: &screen, in: screen.area)
    }
  }

  @Test(arguments: [(24, 2), (60, 3), (160, 6)])
  func `shows the runs of a session`(_ size: (Int, Int)) throws {
    try check("tried", size) { SessionTable(runs: model.sessionRuns).draw(on: &$0, in: $0.area) }
  }

  @Test(arguments: [(20, 1), (60, 1), (140, 1)])
  func `shows what is watched, the strategies, and the keys`(_ size: (Int, Int)) throws {
    try check("title", size) { TitleBar(model: model).draw(on: &$0, in: $0.area) }
    try check("header", size) { PaneHeader(run: pane.run).draw(on: &$0, in: $0.area) }
    try check("keys", size) { KeyLine(model: model, pages: 3).draw(on: &$0, in: $0.area) }
    try check("strategies", size) {
      StrategyBar(names: model.session.strategies, chosen: [4]).draw(on: &$0, in: $0.area)
    }
  }

  @Test(arguments: [(24, 4), (60, 8), (100, 20)])
  func `shows help and the list of strategies`(_ size: (Int, Int)) throws {
    try check("help", size) { _ = HelpPanel(page: 1).draw(on: &$0, in: $0.area) }
    try check("list", size) {
      StrategyPanel(names: model.session.strategies, cursor: 5, ticked: [0, 5])
        .draw(on: &$0, in: $0.area)
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `draws nothing outside of the room it is given`(_ room: Int) {
    var screen = Screen(columns: 20, rows: 8)
    let area = Area(column: 5, row: 3, width: 3 * room, height: room)
    FrameChart(pane, width: area.width, gutter: 0).draw(on: &screen, in: area)
    TitleBar(model: model).draw(on: &screen, in: area)
    SessionTable(runs: model.sessionRuns).draw(on: &screen, in: area)
    for column in 0..<20 {
      for row in 0..<8 where !(5..<(5 + 3 * room) ~= column && 3..<(3 + room) ~= row) {
        #expect(screen[column, row] == Screen.Cell())
      }
    }
  }

  private func check(
    _ name: String, _ size: (Int, Int), draw: (inout Screen) -> Void
  ) throws {
    var screen = Screen(columns: size.0, rows: size.1)
    draw(&screen)
    try Golden.check(screen, "widget-\(name)-\(size.0)x\(size.1)")
  }
}
