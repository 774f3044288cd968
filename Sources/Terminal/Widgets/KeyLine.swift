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
    if let look = model.look {
      keys.append(("esc", "newest"))
      if look.inspected != nil { keys.append(("←→", "inspect")) }
    }
    if pages > 1 { keys.append(page) }
    if model.isSideBySide { keys += sideBySide }
    if model.engine != nil {
      keys += [("s", "strategies")] + (model.isSideBySide ? [] : [("c", "compare")])
      keys += [
        ("d", "advise"), ("a", "add \(model.batch)"), ("+-", "batch"), ("f", "refresh"),
        ("e", "engine"),
      ]
    }
    if model.ownsTime { keys += [("space", "pause"), (".", "step"), ("<>", "speed")] }
    return keys + [("i", "inspect"), ("r", "restart"), ("w", "save CSV")]
  }

  private var sideBySide: [(key: String, does: String)] {
    let zoom = [("z", "zoom")]
    guard model.engine != nil else { return [("↑↓", "select")] + zoom }
    let label = model.panes[model.selected].run.label
    return [("↑↓", "select"), ("1-9", "in place of \(label)"), ("c", "it alone")] + zoom
  }
}
