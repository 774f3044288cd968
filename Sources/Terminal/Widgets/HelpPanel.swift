internal import FrameBudget

/// What the keys do and what the signs mean.
struct HelpPanel {
  /// Counted on by a key for ever.
  let page: Int

  /// Draws the page; returns how many there are.
  func draw(on screen: inout Screen, in area: Area) -> Int {
    var body = area
    let title = body.takeTop(1)
    screen.write("HELP", title.column + 1, title.row, width: title.width - 1, .title)
    let lines = area.width >= 76 ? beside(Self.keys, Self.signs) : Self.keys + Self.signs
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

  private static let keys = [
    ("1 … 9", "run that strategy"), ("s", "choose, or run side by side"),
    ("c", "compare with the one before"), ("up, down", "which of these to replace"),
    ("d", "find what helps, and run it"), ("z", "more time in a column"),
    ("i", "inspect: left, right, esc"),
    ("pgup, pgdn", "look back and forward"), ("m", "mouse: here or the terminal's"),
    ("a", "add a batch of items now"), ("+ -", "larger, smaller batch"),
    ("f", "60, 90 or 120 Hz"), ("e", "real or virtual engine"), ("r", "restart"),
    ("space", "pause (virtual, recorded)"), (". or n", "go on by one frame"),
    ("< >", "slower, faster"), ("tab", "next page of numbers"), ("w", "save frames as CSV"),
    ("q", "quit"),
  ]

  private static var signs: [(String, String)] {
    [
      ("▅", "a frame, by its time"), ("▒", "a vsync without a new frame"),
      ("╌", "the frame's budget"), ("o x", "a tap in time, or late"),
    ]
      + Cause.allCases.map { ("\($0.letter)", meaning(of: $0)) }
      + [("k", "a thread waits for a lock")]
  }

  private static func meaning(of cause: Cause) -> String {
    switch cause {
    case .wakeup: "wakeup: main woke late"
    case .preempted: "preempted: own threads ran"
    case .machine: "machine: other processes"
    case .compositor: "compositor: second stage"
    case .stuffed: "stuffed: no buffer was free"
    case .lock: "lock: waiting for one"
    case .logic: "logic: items on main"
    case .drain: "drain: results of items"
    case .post: "post: handing items over"
    case .reads: "reads: UI looks at state"
    case .render: "render: drawing"
    }
  }
}
