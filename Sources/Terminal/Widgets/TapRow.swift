internal import FrameBudget

/// Who waited for an answer, where they asked: in time, or late with a line to the answer.
struct TapRow {
  let taps: [Tap]
  let axis: SharedAxis
  let gutter: Int

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    screen.writeTrailing("taps ", area.column, area.row, width: gutter, .quiet)
    let shown = taps.map { (from: axis.place(of: $0.at), to: end(of: $0), isLate: $0.isLate) }
      .filter { $0.to >= 0 && $0.from < axis.count }
    let left = area.column + area.width - axis.count
    for tap in shown where tap.isLate {
      for column in max(0, tap.from)..<max(0, tap.from, min(tap.to + 1, axis.count)) {
        screen.put("─", left + column, area.row, .quiet)
      }
    }
    for tap in shown where tap.from >= 0 {
      screen.put(
        tap.isLate ? Self.late : Self.inTime, left + tap.from, area.row, Style(.plain, bold: true))
    }
  }

  static let inTime: Unicode.Scalar = "o"
  static let late: Unicode.Scalar = "x"

  private func end(of tap: Tap) -> Int { tap.answer.map(axis.place) ?? axis.count - 1 }
}
