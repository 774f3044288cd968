internal import FrameBudget

/// What is being watched, and how far it has come.
struct TitleBar {
  let model: LiveModel

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let state = self.state
    let right = state.text.unicodeScalars.count
    screen.writeTrailing(state.text, area.column, area.row, width: area.width, state.style)
    var left = area
    left.width = max(0, area.width - right - 2)
    PieceLine(pieces: pieces).draw(on: &screen, in: left)
  }

  private var pieces: [PieceLine.Piece] {
    let labels = model.panes.map(\.run.label).joined(separator: " | ")
    let engine = model.engine.map { "\($0.rawValue) engine" } ?? "recorded"
    return [
      .init(labels, Style(.mark, bold: true)), .init(model.refresh.description),
      .init(model.session.scenario, .title), .init(engine), .init("framebudget live", .quiet),
    ]
  }

  private var state: PieceLine.Piece {
    guard let run = model.panes.first?.run, let now = run.now else {
      return .init("warming up", .quiet)
    }
    let time = "\(Number.fixed(max(0, now.sinceZero.inSeconds), places: 1)) s"
    if model.look != nil { return .init("\(time)  looking back", Style(.fair, bold: true)) }
    if model.isOver { return .init("\(time)  ended", Style(.fair, bold: true)) }
    if model.isPaused { return .init("\(time)  paused", Style(.fair, bold: true)) }
    if model.speed != 1 && model.ownsTime {
      return .init("\(time)  \(Decimal.text(model.speed, places: 2))x", .title)
    }
    return .init(time, .title)
  }
}
