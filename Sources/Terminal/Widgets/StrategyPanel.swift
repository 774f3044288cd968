/// The list of strategies, to choose one, or to tick two to four that run side by side.
struct StrategyPanel {
  let names: [String]
  let cursor: Int
  let ticked: [Int]

  func draw(on screen: inout Screen, in area: Area) {
    screen.write("STRATEGIES", area.column + 1, area.row, width: area.width - 1, .title)
    var body = area
    _ = body.takeTop(1)
    let first = max(0, min(cursor - body.height / 2, names.count - body.height))
    for (offset, index) in (first..<min(names.count, first + body.height)).enumerated() {
      draw(index, on: &screen, in: body, row: body.row + offset)
    }
    if first > 0 { screen.put("…", area.column, body.row, .quiet) }
    if first + body.height < names.count {
      screen.put("…", area.column, body.row + body.height - 1, .quiet)
    }
  }

  private func draw(_ index: Int, on screen: inout Screen, in area: Area, row: Int) {
    let digit = index < 9 ? "\(index + 1)" : " "
    let tick = ticked.contains(index) ? "[x]" : "[ ]"
    let line = Area(column: area.column + 2, row: row, width: area.width - 2, height: 1)
    screen.place(.listed(index), in: line)
    screen.place(.tick(index), in: Area(column: line.column + 2, row: row, width: 3, height: 1))
    let style = index == cursor ? Style(.mark, bold: true, reversed: true) : .plain
    screen.write(
      "\(digit) \(tick) \(names[index]) ", area.column + 2, row, width: area.width - 2, style)
  }
}
