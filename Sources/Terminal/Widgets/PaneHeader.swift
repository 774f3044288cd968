internal import FrameBudget

/// One of several strategies side by side, with the numbers that matter most, or with what else is `told` of it.
///
/// Without the colours of good and bad: red is for the frames below.
struct PaneHeader {
  let run: RunModel
  /// Whether keys put another strategy in its place.
  var isSelected = false
  var told: [PieceLine.Piece]?

  func draw(on screen: inout Screen, in area: Area) {
    let name = PieceLine.Piece(
      "\(isSelected ? "▶" : " ") \(run.label)", Style(isSelected ? .mark : .plain, bold: true))
    PieceLine(pieces: [name] + (told ?? numbers)).draw(on: &screen, in: area)
  }

  private var numbers: [PieceLine.Piece] {
    let figures = run.figures
    var texts = ["dropped \(figures.frames.dropped)"]
    if let responses = figures.responses {
      texts.append("late \(figures.responsesLate) of \(responses.endedCount + responses.openCount)")
    }
    texts += [
      "hitch \(Number.text(figures.frames.hitchRatio)) \(figures.band?.rawValue ?? "")",
      "p99 \(Number.text(figures.frameTime(.p99))) ms",
    ]
    if let done = figures.done, let pending = figures.pending {
      texts += ["done \(done)", "pending \(pending)"]
    }
    if figures.responses != nil {
      texts.append("response p99 \(Number.text(figures.response(.p99))) ms")
    }
    return texts.enumerated().map { .init($1, Style(bold: $0 == 0)) }
  }
}
