internal import Parsing

/// Columns of text: the first to the left, all others to the right.
package struct TextTable {
  package struct Cell {
    let text: String
    var style = TextStyle.plain

    /// What a name from a file would do to a terminal is escaped.
    package init(text: String, style: TextStyle = .plain) {
      self.text = text.printable
      self.style = style
    }
  }

  package enum Line {
    case cells([Cell])
    /// Goes over all columns.
    case words(Cell)
  }

  /// By column: two lines of header.
  let titles: [[String]]
  package var lines: [Line] = []
  /// What stands over the lines that came last.
  private(set) var heading = ""

  private static let gap = "  "

  package init(titles: [[String]], lines: [Line] = []) {
    self.titles = titles
    self.lines = lines
  }

  /// Puts `words` over the lines that come, unless they stand there already.
  mutating func head(_ words: String) {
    guard words != heading else { return }
    heading = words
    lines.append(.words(Cell(text: words, style: .bold)))
  }

  package func text(isColored: Bool) -> [String] {
    let widths = titles.indices.map(width)
    let headers = [0, 1].map { line in
      let cells = titles.map { Cell(text: $0[line], style: .bold) }
      return row(cells, widths, isColored)
    }
    return headers.filter { !$0.isEmpty }
      + lines.map { line in
        switch line {
        case .cells(let cells): row(cells, widths, isColored)
        case .words(let cell): cell.style.paint(cell.text, isColored)
        }
      }
  }

  var width: Int {
    titles.indices.reduce(0) { $0 + width($1) } + Self.gap.count * (titles.count - 1)
  }

  private func width(_ column: Int) -> Int {
    let cells = lines.map { line in
      if case .cells(let cells) = line { cells[column].text.count } else { 0 }
    }
    return max(titles[column].map(\.count).max() ?? 0, cells.max() ?? 0)
  }

  private func row(_ cells: [Cell], _ widths: [Int], _ isColored: Bool) -> String {
    var line = ""
    var padding = ""
    for (column, cell) in cells.enumerated() {
      let missing = String(repeating: " ", count: widths[column] - cell.text.count)
      if column > 0 { padding += Self.gap + missing }
      // Padding is written only before text: no line ends in spaces.
      if !cell.text.isEmpty {
        line += padding + cell.style.paint(cell.text, isColored)
        padding = ""
      }
      if column == 0 { padding += missing }
    }
    return line
  }
}
