internal import FrameBudget

/// Who waits for whom for ever, in a run that has come to that.
struct DeadlockLine {
  let deadlocks: [Deadlock]
  var ink = Ink.poor

  /// How many rows it takes.
  var height: Int { deadlocks.isEmpty ? 0 : 1 }

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let style = Style(ink, bold: true)
    PieceLine(pieces: deadlocks.map { PieceLine.Piece($0.line, style) })
      .draw(on: &screen, in: area)
  }
}

extension Deadlock {
  /// `DEADLOCK since 1.2 s: import waits for gallery, share for catalogue`
  var line: String {
    let waits = zip(threads, locks).enumerated().map { place, wait in
      "\(wait.0)\(place == 0 ? " waits" : "") for \(wait.1)"
    }
    let instant = Number.fixed(since.sinceZero.inSeconds, places: 1)
    return "DEADLOCK since \(instant) s: \(waits.joined(separator: ", "))"
  }
}
