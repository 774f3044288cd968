/// The keys, most needed first, or what the view has to say instead.
struct KeyLine {
  let model: LiveModel
  /// How many pages the numbers take; a key turns them.
  let pages: Int

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    if let notice = model.notice {
      screen.write(notice, area.column, area.row, width: area.width, Style(.fair, bold: true))
      return
    }
    let keys: [(key: String, does: String)] =
      switch model.overlay {
      case .help: [("q", "quit"), ("esc", "back"), page]
      case .strategies:
        [("q", "quit"), ("esc", "back"), ("enter", "run"), ("space", "tick to run side by side")]
      case nil: self.keys
      }
    let shown = keys.map { PieceLine.Piece("\($0.key) \($0.does)", .quiet) }
    PieceLine(pieces: shown).draw(on: &screen, in: area)
  }

  private var page: (key: String, does: String) {
    ("tab", "page \(model.page % pages + 1)/\(pages)")
  }

  private var keys: [(key: String, does: String)] {
    var keys = [("q", "quit"), ("?", "help")]
    if pages > 1 { keys.append(page) }
    if model.engine != nil {
      keys += [("s", "strategies"), ("a", "add \(model.batch)"), ("+-", "batch")]
      keys += [("f", "refresh"), ("e", "engine")]
    }
    if model.ownsTime { keys += [("space", "pause"), (".", "step"), ("<>", "speed")] }
    return keys + [("r", "restart"), ("w", "save CSV")]
  }
}
