internal import FrameBudget

/// One of several strategies side by side, with the numbers that matter most.
struct PaneHeader {
  let run: RunModel

  func draw(on screen: inout Screen, in area: Area) {
    let figures = run.figures
    var pieces = [
      PieceLine.Piece(run.label, Style(.mark, bold: true)),
      PieceLine.Piece("dropped \(figures.frames.dropped)", Style(figures.droppedInk, bold: true)),
      PieceLine.Piece(
        "hitch \(Number.text(figures.frames.hitchRatio)) \(figures.band?.rawValue ?? "")",
        Style(figures.band?.ink ?? .plain)),
      PieceLine.Piece("p99 \(Number.text(figures.frameTime(.p99))) ms"),
    ]
    if let done = figures.done, let pending = figures.pending {
      pieces += [PieceLine.Piece("done \(done)"), PieceLine.Piece("pending \(pending)")]
    }
    if figures.responses != nil {
      pieces.append(PieceLine.Piece("response p99 \(Number.text(figures.response(.p99))) ms"))
    }
    PieceLine(pieces: pieces).draw(on: &screen, in: area)
  }
}
