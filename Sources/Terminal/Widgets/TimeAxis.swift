/// The seconds of the run, under the columns in which they begin.
struct TimeAxis {
  let columns: ArraySlice<Column>

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let end = area.column + area.width
    for (offset, column) in columns.enumerated() {
      guard let second = column.second else { continue }
      let x = end - columns.count + offset
      screen.put("│", x, area.row, .quiet)
      let text = "\(second) s"
      if x + 1 + text.count <= end { screen.write(text, x + 1, area.row, width: 12, .quiet) }
    }
  }
}
