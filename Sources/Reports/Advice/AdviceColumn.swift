/// The columns of `advice.csv`, `moves.csv` and what `explain` writes that the page reads back, beside metrics.
package enum AdviceColumn: String, Sendable {
  case scenario, arrangement
  // Of advice.
  case role, moves, change, places, demand, capacity, variants
  case meetsAims = "meets_aims"
  case handOff = "handoff_ms"
  case copying = "copying_ms"
  case waiting = "waiting_ms"
  case margin = "margin_pct"
  case drawingAlone = "drawing_alone_dropped"
  case variantsMet = "variants_met"
  case marginEnds = "margin_ends"
  case proven
  // Of moves.
  case move
  case droppedWithout = "without_dropped"
  case lateWithout = "without_late"
  case pendingWithout = "without_pending"
  case droppedAlone = "alone_dropped"
  case lateAlone = "alone_late"
  case pendingAlone = "alone_pending"
  // Of parts of an app.
  case part, frames, error, before, after, dropped, without, alone

  /// Of an arrangement in advice.
  package enum Role: String, Sendable {
    case today, advice, nearest
  }

  /// Between services in `places`, and between moves.
  package static var separator: String { ";" }
}
