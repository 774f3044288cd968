/// The strategies to choose from, with the digits that choose them.
struct StrategyBar {
  let names: [String]
  let chosen: [Int]

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let pieces = names.indices.map { index in
      PieceLine.Piece(
        index < 9 ? " \(index + 1) \(short(index)) " : " \(short(index)) ",
        chosen.contains(index) ? Style(.mark, bold: true, reversed: true) : .plain,
        target: .strategy(index))
    }
    let first = firstShown(pieces, width: area.width)
    var rest = area
    if first > 0 { screen.write("…", rest.column, rest.row, width: rest.takeLeft(2).width, .quiet) }
    PieceLine(pieces: Array(pieces[first...]), gap: 0).draw(on: &screen, in: rest)
  }

  /// The name without options, where no other strategy has it.
  private func short(_ index: Int) -> String {
    func name(_ label: String) -> Substring { label.prefix { $0 != ":" } }
    let same = names.count { name($0) == name(names[index]) }
    return same == 1 ? String(name(names[index])) : names[index]
  }

  /// Leaves out as many at the front as it takes to show the chosen one.
  private func firstShown(_ pieces: [PieceLine.Piece], width: Int) -> Int {
    let wanted = chosen.first ?? 0
    var first = 0
    while first < wanted {
      let length = pieces[first...wanted].reduce(first > 0 ? 2 : 0) {
        $0 + $1.text.unicodeScalars.count
      }
      if length + 1 <= width { break }
      first += 1
    }
    return first
  }
}
