internal import FrameBudget

/// What the keys do and what the signs mean.
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
      let (key, does) = index < left.count ? left[index] : ("", "")
      let (sign, means) = index < right.count ? right[index] : ("", "")
      let pad = String(repeating: " ", count: max(1, 30 - does.count))
      let signPad = String(repeating: " ", count: max(1, 4 - sign.count))
      return (key, does + pad + sign + signPad + means)
    }
  }

  private static var signs: [(String, String)] {
    [
      ("▅", "a frame, by its time"), ("▒", "a vsync without a new frame"),
      ("╌", "the frame's budget"), ("o x", "a tap in time, or late"),
    ]
      + Cause.allCases.map { ("\($0.traits.letter)", "\($0.name): \($0.traits.help)") }
      + [("\(Cause.lock.traits.smallLetter)", "a thread waits for a lock")]
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
    let keys: [(keys: String, does: String)] =
      switch model.overlay {
      case .help: back + [("tab", KeyBinding.page(model, of: pages))]
      case .strategies: back + [("enter", "run"), ("space", "tick to run side by side")]
      case nil: KeyBinding.hints(model, pages: pages)
      }
    let shown = keys.map { PieceLine.Piece("\($0.keys) \($0.does)", .quiet) }
    PieceLine(pieces: shown).draw(on: &screen, in: area)
  }
}
