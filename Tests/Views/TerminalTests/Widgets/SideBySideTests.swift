import FrameBudget
import Testing

@testable import FrameBudgetTerminal

@Suite struct `Strategies side by side` {
  @Test(arguments: [0, 1, 2, 3, 4], [0, 31])
  func `have the same instant in the same column`(zooms: Int, back: Int) throws {
    var session = try Watched.compared(at: 1900)
    for _ in 0..<zooms { session.press("z") }
    if back > 0 { session.model.scrollPosition = ScrollPosition(back: back) }
    let axis = SharedAxis(session.model, columns: 69)
    let zoom = 1 << zooms
    #expect(axis.seconds.count == axis.count)
    for pane in session.model.panes {
      let columns = axis.columns(of: pane)
      #expect(columns.count == axis.count)
      let first = axis.place(of: .zero)
      for (place, column) in columns.enumerated() {
        #expect(column.vsync / zoom == place - first)
        #expect(axis.place(of: pane.run.refresh.vsync(column.vsync)) == place)
      }
    }
  }

  @Test func `have it there too where their displays differ`() {
    let model = recorded([RefreshRate(60), RefreshRate(120), RefreshRate(30)])
    let axis = SharedAxis(model, columns: 100)
    // A hang from 200 ms to 400 ms in each.
    let dropped = model.panes.map { pane in
      axis.columns(of: pane).indices.filter { axis.columns(of: pane)[$0].shape.isDropped }
    }
    for places in dropped {
      #expect(abs((places.first ?? 0) - axis.place(of: .zero + .milliseconds(200))) <= 2)
      #expect(abs((places.last ?? 0) - axis.place(of: .zero + .milliseconds(400))) <= 1)
      #expect(places.count == (places.last ?? 0) - (places.first ?? 0) + 1)
    }
  }

  @Test func `lose no dropped frame between others in a column`() throws {
    var session = try Watched.compared(at: 1900)
    let pane = session.model.panes[0]
    let dropped = (0...pane.run.expected).filter {
      pane.run.column(at: $0, run: pane.timeline.run).shape.isDropped
    }
    #expect(dropped.count > 50)
    for _ in 0..<4 { session.press("z") }
    let axis = SharedAxis(session.model, columns: 69)
    let columns = axis.columns(of: session.model.panes[0])
    for vsync in dropped {
      #expect(columns[axis.place(of: pane.run.refresh.vsync(vsync))].shape.isDropped)
    }
  }

  @Test(arguments: [(40, 12), (80, 24), (120, 40), (200, 60)])
  func `have frames without a new picture in red, and nothing else`(_ size: (Int, Int)) throws {
    let session = try Watched.compared(at: 1900)
    let screen = session.screen(size.0, size.1)
    let gutter = size.0 >= 60 ? 11 : 0
    let axis = SharedAxis(session.model, columns: size.0 - gutter)
    let dropped = session.model.panes.map { axis.columns(of: $0).map(\.shape.isDropped) }
    let legend = try #require(screen.lines.firstIndex { $0.hasPrefix("▒ no") })
    #expect(dropped[0].contains(true) && !dropped[1].contains(true))
    var red = 0
    for row in 0..<size.1 {
      for column in 0..<size.0 where screen[column, row].style.role == .poor {
        let place = column - (size.0 - axis.count)
        let isLegend = row == legend && column == 0
        #expect(isLegend || place >= 0 && dropped[0][place], "red at \(column), \(row)")
        red += 1
      }
    }
    #expect(red > 20)
  }

  @Test(arguments: [8, 16, 256])
  func `have a red that no other role has`(_ colors: Int) {
    let palette = TerminalPalette(colors: colors)
    let reds: Set<Int32?> = [1, 9, 124, 160, 196, 203, palette.color(of: .poor)]
    for role in ColorRole.allCases where role != .poor {
      #expect(!reds.contains(palette.color(of: role)))
    }
    #expect(palette.color(of: .poor) != nil)
  }

  @Test func `show who waited for an answer, and for how long`() throws {
    let session = try Watched.compared(at: 1900)
    let rows = session.screen(80, 24).lines.filter { $0.hasPrefix("      taps ") }
    #expect(rows.count == 2)
    // Those at 1.25 s and 1.75 s wait on while main hangs.
    #expect(rows[0].contains("x────"))
    #expect(rows[0].filter { $0 == "x" }.count == 2)
    #expect(!rows[1].contains("x"))
    #expect(rows[1].filter { $0 == "o" }.count == 2)
  }

  @Test(arguments: [(40, 12), (80, 24), (120, 40), (200, 60)])
  func `have a legend that fits`(_ size: (Int, Int)) throws {
    let session = try Watched.compared(at: 1900)
    let lines = session.screen(size.0, size.1).lines
    let legend = try #require(lines.first { $0.hasPrefix("▒ no") })
    #expect(legend.contains("L logic"))
    #expect(!legend.contains("…"))
  }

  /// Runs of a second on such displays, each with a hang from 200 ms to 400 ms.
  private func recorded(_ rates: [RefreshRate]) -> LiveModel {
    var model = LiveModel(
      LiveModel.Session(
        scenario: "test", strategies: [], engines: [], refresh: rates[0], batch: 1))
    model.begin(rates.map { RunModel(label: $0.description, refresh: $0) })
    for (pane, rate) in rates.enumerated() {
      var observation = RunObservation()
      observation.now = .zero + .seconds(1)
      var vsync = 0
      while vsync < rate.vsyncs(through: .zero + .seconds(1)) {
        let begin = rate.vsync(vsync)
        let isHang = begin.sinceZero == .milliseconds(200)
        let end = isHang ? .zero + .milliseconds(400) : begin + .milliseconds(1)
        let shown = rate.firstVsync(atOrAfter: end)
        observation.frames.append(
          FrameRecord(
            beginVsync: vsync, presentVsync: shown, begin: begin, workEnd: end,
            cause: isHang ? .logic : nil, items: 0, queueDepth: 0, spans: PhaseSpans()))
        vsync = shown
      }
      model.take(observation, pane: pane)
    }
    return model
  }
}
