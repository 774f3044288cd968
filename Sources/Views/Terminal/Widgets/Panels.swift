internal import FrameBudget

/// The subject of the view, and the time of the run.
struct TitleBar {
  let model: LiveModel

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let state = self.state
    let right = state.text.unicodeScalars.count
    screen.writeTrailing(state.text, area.column, area.row, width: area.width, state.style)
    var left = area
    left.width = max(0, area.width - right - 2)
    StyledRow(pieces: pieces).draw(on: &screen, in: left)
  }

  private var pieces: [StyledRow.Piece] {
    let labels = model.panes.map(\.run.label).joined(separator: " | ")
    let engine =
      model.engine.map { "\($0.rawValue) engine" }
      ?? (model.session.attached == nil ? "recorded" : "attached")
    return [
      .init(labels, Style(.mark, bold: true)), .init(model.refresh.description),
      .init(model.session.scenario, .title), .init(engine), .init("framebudget live", .quiet),
    ]
  }

  private var state: StyledRow.Piece {
    guard let run = model.panes.first?.run, let now = run.now else {
      return .init("warming up", .quiet)
    }
    let time = "\(Number.fixed(max(0, now.sinceZero.inSeconds), places: 1)) s"
    if model.scrollPosition != nil {
      return .init("\(time)  looking back", Style(.fair, bold: true))
    }
    if model.isOver { return .init("\(time)  ended", Style(.fair, bold: true)) }
    if model.isPaused { return .init("\(time)  paused", Style(.fair, bold: true)) }
    if model.speed != 1 && model.canControlTime {
      return .init("\(time)  \(Decimal.text(model.speed, places: 2))x", .title)
    }
    return .init(time, .title)
  }
}

/// The strategies to choose from, with the digits that choose them.
struct StrategyBar {
  let names: [String]
  let chosen: [Int]

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let pieces = names.indices.map { index in
      StyledRow.Piece(
        index < 9 ? " \(index + 1) \(short(index)) " : " \(short(index)) ",
        chosen.contains(index) ? Style(.mark, bold: true, reversed: true) : .plain,
        target: .strategy(index))
    }
    let first = firstShown(pieces, width: area.width)
    var rest = area
    if first > 0 { screen.write("…", rest.column, rest.row, width: rest.takeLeft(2).width, .quiet) }
    StyledRow(pieces: Array(pieces[first...]), gap: 0).draw(on: &screen, in: rest)
  }

  /// The name without options, if it is unique.
  private func short(_ index: Int) -> String {
    func name(_ label: String) -> Substring { label.prefix { $0 != ":" } }
    let same = names.count { name($0) == name(names[index]) }
    return same == 1 ? String(name(names[index])) : names[index]
  }

  /// Omits strategies at the front until the chosen one fits.
  private func firstShown(_ pieces: [StyledRow.Piece], width: Int) -> Int {
    let wanted = chosen.first ?? 0
    var first = 0
    while first < wanted {
      let length = pieces[first...wanted].reduce(first > 0 ? 2 : 0) {
        $0 + $1.text.unicodeScalars.count
      }
      if length + 1 <= width { break }
      first += 1
    }
    return first
  }
}

/// The list of strategies, to choose one, or to tick two to four that run side by side.
struct StrategyPanel {
  let names: [String]
  let cursor: Int
  let ticked: [Int]

  func draw(on screen: inout Screen, in area: Area) {
    screen.write("STRATEGIES", area.column + 1, area.row, width: area.width - 1, .title)
    var body = area
    _ = body.takeTop(1)
    let first = max(0, min(cursor - body.height / 2, names.count - body.height))
    for (offset, index) in (first..<min(names.count, first + body.height)).enumerated() {
      draw(index, on: &screen, in: body, row: body.row + offset)
    }
    if first > 0 { screen.put("…", area.column, body.row, .quiet) }
    if first + body.height < names.count {
      screen.put("…", area.column, body.row + body.height - 1, .quiet)
    }
  }

  private func draw(_ index: Int, on screen: inout Screen, in area: Area, row: Int) {
    let digit = index < 9 ? "\(index + 1)" : " "
    let tick = ticked.contains(index) ? "[x]" : "[ ]"
    let line = Area(column: area.column + 2, row: row, width: area.width - 2, height: 1)
    screen.place(.listed(index), in: line)
    screen.place(.tick(index), in: Area(column: line.column + 2, row: row, width: 3, height: 1))
    let style = index == cursor ? Style(.mark, bold: true, reversed: true) : .plain
    screen.write(
      "\(digit) \(tick) \(names[index]) ", area.column + 2, row, width: area.width - 2, style)
  }
}

/// The help: the keys and the signs.
struct HelpPanel {
  /// The number of times that the key was pressed; pages wrap around.
  let page: Int

  /// Draws the page; returns how many there are.
  func draw(on screen: inout Screen, in area: Area) -> Int {
    var body = area
    let title = body.takeTop(1)
    screen.write("HELP", title.column + 1, title.row, width: title.width - 1, .title)
    let keys = KeyBinding.all.compactMap(\.help)
    let lines = area.width >= 76 ? beside(keys, Self.signs) : keys + Self.signs
    let pages = max(1, (lines.count + body.height - 1) / max(1, body.height))
    let shown = lines.dropFirst(page % pages * body.height).prefix(body.height)
    for (offset, line) in shown.enumerated() {
      let row = body.row + offset
      screen.write(line.0, body.column + 1, row, width: 11)
      screen.write(line.1, body.column + 13, row, width: body.width - 13, .quiet)
    }
    return pages
  }

  private func beside(
    _ left: [(String, String)], _ right: [(String, String)]
  ) -> [(String, String)] {
    (0..<max(left.count, right.count)).map { index in
      let (key, action) = index < left.count ? left[index] : ("", "")
      let (sign, means) = index < right.count ? right[index] : ("", "")
      let pad = String(repeating: " ", count: max(1, 30 - action.count))
      let signPad = String(repeating: " ", count: max(1, 4 - sign.count))
      return (key, action + pad + sign + signPad + means)
    }
  }

  private static var signs: [(String, String)] {
    [
      ("▅", "a frame; height: its time"), ("▒", "a vsync without a new frame"),
      ("╌", "the frame's budget"), ("o x", "a tap in time, or late"),
    ]
      + Cause.allCases.map { ("\($0.traits.letter)", "\($0.name): \($0.traits.help)") }
      + [
        ("\(Cause.lock.traits.smallLetter)", "a thread waits for a lock"),
        ("1-9", "items suspended at a step's end"),
      ]
  }
}

/// What was learned of an attached app, in pages.
struct AdvicePanel {
  let lines: [String]
  /// The number of times that the key was pressed; pages wrap around.
  let page: Int

  /// Draws the page; returns how many there are.
  func draw(on screen: inout Screen, in area: Area) -> Int {
    var body = area
    let title = body.takeTop(1)
    screen.write("ADVICE", title.column, title.row, width: title.width, .title)
    let pages = max(1, (lines.count + body.height - 1) / max(1, body.height))
    for (row, line) in lines.dropFirst(page % pages * body.height).prefix(body.height).enumerated()
    {
      screen.write(line, body.column, body.row + row, width: body.width)
    }
    return pages
  }
}

/// The keys, most important first, or a notice.
struct KeyLine {
  let model: LiveModel
  /// The number of pages of numbers.
  let pages: Int

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    if let notice = model.notice {
      screen.write(notice, area.column, area.row, width: area.width, Style(.fair, bold: true))
      return
    }
    let back = [("q", "quit"), ("esc", "back")]
    let keys: [(keys: String, action: String)] =
      switch model.overlay {
      case .help: back + [("tab", KeyBinding.page(model.helpPage, of: pages))]
      case .strategies: back + [("enter", "run"), ("space", "mark for side by side")]
      case nil: KeyBinding.hints(model, pages: pages)
      }
    let shown = keys.map { StyledRow.Piece("\($0.keys) \($0.action)", .quiet) }
    StyledRow(pieces: shown).draw(on: &screen, in: area)
  }
}
