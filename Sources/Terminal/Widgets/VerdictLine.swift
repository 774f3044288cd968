/// How a run stands, in one row of words.
struct VerdictLine {
  let words: StandingWords?
  /// What harm is written in; plain where red stands for something else.
  var harm = Ink.poor

  /// How many rows it takes.
  var height: Int { words == nil ? 0 : 1 }

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0, let words else { return }
    let first = Style(words.isHarm ? harm : .good, bold: true)
    let pieces = words.pieces.enumerated().map { place, text in
      PieceLine.Piece(text, place == 0 ? first : .plain)
    }
    PieceLine(pieces: pieces).draw(on: &screen, in: area)
  }
}
