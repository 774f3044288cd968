/// Pieces of text in one row: as many as fit whole; an ellipsis tells that some are missing.
struct PieceLine {
  struct Piece {
    let text: String
    let style: Style
    /// What a click on it is on.
    let target: Target?

    init(_ text: String, _ style: Style = .plain, target: Target? = nil) {
      self.text = text
      self.style = style
      self.target = target
    }
  }

  let pieces: [Piece]
  var gap = 2

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0, area.width > 0 else { return }
    var column = area.column
    let end = area.column + area.width
    for (index, piece) in pieces.enumerated() {
      let length = piece.text.unicodeScalars.count
      // The last one may use the room that an ellipsis would take.
      let needed = length + (index == pieces.count - 1 || index == 0 ? 0 : gap + 1)
      if index > 0 && column + needed > end {
        screen.write("…", min(column, end - 1), area.row, width: 1, .quiet)
        return
      }
      let first = column
      column = screen.write(piece.text, column, area.row, width: end - column, piece.style) + gap
      guard let target = piece.target else { continue }
      let cells = Area(column: first, row: area.row, width: column - gap - first, height: 1)
      screen.place(target, in: cells)
    }
  }
}
