/// The seconds of the run, under the columns in which they begin.
struct AxisLine {
  /// Of each column.
  let seconds: [Int?]
  /// The column that is inspected, from the left.
  var inspected: Int?

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let left = area.column + area.width - seconds.count
    let end = area.column + area.width
    var free = left
    for (offset, second) in seconds.enumerated() {
      guard let second else { continue }
      let x = left + offset
      screen.put("│", x, area.row, .quiet)
      let text = "\(second) s"
      guard x >= free, x + 1 + text.count <= end else { continue }
      screen.write(text, x + 1, area.row, width: text.count, .quiet)
      free = x + text.count + 3
    }
    if let inspected { screen.put("▲", left + inspected, area.row, Style(.mark, bold: true)) }
  }
}
