internal import FrameBudget
internal import FrameBudgetParsing

/// Columns of text: the first to the left, all others to the right.
package struct TextTable {
  package struct Cell {
    let text: String
    var style = TextStyle.plain

    /// Escapes characters that would affect the terminal, because names come from files.
    package init(text: String, style: TextStyle = .plain) {
      self.text = text.printable
      self.style = style
    }
  }

  package enum Line {
    case cells([Cell])
    /// Spans all columns.
    case words(Cell)
  }

  /// By column: two header lines.
  let titles: [[String]]
  package var lines: [Line] = []
  /// The heading above the newest lines.
  private(set) var heading = ""

  private static let gap = "  "

  package init(titles: [[String]], lines: [Line] = []) {
    self.titles = titles
    self.lines = lines
  }

  /// Puts `words` above the following lines, unless it is the current heading.
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
      // Padding is written only before text, so that no line ends in spaces.
      if !cell.text.isEmpty {
        line += padding + cell.style.paint(cell.text, isColored)
        padding = ""
      }
      if column == 0 { padding += missing }
    }
    return line
  }
}

/// The colour of a piece of text.
public enum TextStyle: String, Sendable {
  case plain
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"

  /// `text` in this colour (ECMA-48, Select Graphic Rendition), or unchanged unless colours are wanted.
  public func paint(_ text: String, _ isColored: Bool) -> String {
    guard isColored, self != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }
}

/// Aligns cells in columns that are as wide as their widest cell.
enum AlignedColumns {
  /// A line for each row; the columns at the places in `left` are left-aligned, all others to the right.
  static func lines(_ rows: [[String]], left: Set<Int>) -> [String] {
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return left.contains(column) ? row[column] + padding : padding + row[column]
      }.joined(separator: "  ")
    }
  }
}

/// Rows under named columns, for programs: as CSV, or as JSON with the columns as keys.
public struct RecordTable: Sendable {
  /// The name of the rows in JSON.
  let name: String
  /// The version of the columns, which are only added at the end and never renamed. The first column of CSV; once in JSON.
  let schema: Int
  private let columns: [String]
  /// Nil if a column does not apply.
  private let rows: [[MetricValue?]]
  /// The verdict on the rows, which is the first member in JSON; nil without one.
  var verdict: JSON?
  /// Its key in JSON.
  static let verdict = "verdict"

  package init<Row>(
    _ name: String, schema: Int = 1, _ columns: some Collection<Column<Row>>, _ rows: [Row]
  ) {
    self.name = name
    self.schema = schema
    self.columns = columns.map(\.name)
    self.rows = rows.map { row in columns.map { $0.value(row) } }
  }

  public var csv: String {
    let head = CSV.line(["schema"] + columns)
    return head
      + rows.map { CSV.line([String(schema)] + $0.map { $0?.description ?? "" }) }.joined()
  }

  public var json: String {
    let judged = verdict.map { [(name: Self.verdict, value: $0)] } ?? []
    return JSON.object([("schema", .number(String(schema)))] + judged + [member]).written() + "\n"
  }

  /// The rows and their name.
  var member: (name: String, value: JSON) {
    let objects = rows.map { row in JSON.object(zip(columns, row).map(JSON.member)) }
    return (name, .array(objects))
  }
}
