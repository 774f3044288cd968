/// What somebody did, above the vsync at which they did it.
struct MarkRow {
  let columns: ArraySlice<VsyncColumn>
  let marks: [Timeline.Mark]
  let gutter: Int

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let left = area.column + gutter
    let right = area.column + area.width
    let style = Style(.mark, bold: true)
    // A mark yields to the next one: what is newer is worth more.
    var limit = right
    for mark in marks.reversed() {
      guard let x = place(of: mark, right: right), x >= left, x < limit else { continue }
      screen.put("▼", x, area.row, style)
      let text = mark.text.unicodeScalars.count
      if x + 1 + text <= limit {
        screen.write(mark.text, x + 1, area.row, width: text, style)
        limit = x - 1
      } else if limit == right && x - text >= left {
        screen.write(mark.text, x - text, area.row, width: text, style)
        limit = x - text - 1
      } else {
        screen.write(mark.text, x + 1, area.row, width: limit - x - 1, style)
        limit = x - 1
      }
    }
  }

  private func place(of mark: Timeline.Mark, right: Int) -> Int? {
    guard let first = columns.first, let last = columns.last else { return nil }
    if mark.run == last.run && mark.vsync > last.vsync { return right - 1 }
    if mark.run < first.run || mark.run > last.run { return nil }
    let place = columns.firstIndex { $0.run == mark.run && $0.vsync >= mark.vsync }
    guard let place, columns[place].vsync == mark.vsync || place > columns.startIndex else {
      return nil
    }
    return right - columns.count + (place - columns.startIndex)
  }
}
