/// A grid of styled cells: all that the view shows, as a value.
public struct Screen: Hashable, Sendable {
  public struct Cell: Hashable, Sendable {
    public var character: Unicode.Scalar = " "
    public var style = Style.plain
  }

  public let columns: Int
  public let rows: Int
  private var cells: [Cell]
  /// What can be clicked on: widgets say so where they draw it, so that what is hit is what is seen.
  private var targets: [Place] = []

  private struct Place: Hashable {
    let area: Area
    let target: Target
  }

  public init(columns: Int, rows: Int) {
    precondition(columns >= 0 && rows >= 0, "a size")
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Cell(), count: columns * rows)
  }

  public var area: Area { Area(column: 0, row: 0, width: columns, height: rows) }

  public subscript(column: Int, row: Int) -> Cell {
    get { cells[row * columns + column] }
    set { cells[row * columns + column] = newValue }
  }

  /// Puts one character; outside of the screen nothing happens.
  public mutating func put(_ character: Unicode.Scalar, _ column: Int, _ row: Int, _ style: Style) {
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
    self[column, row] = Cell(character: character, style: style)
  }

  /// Writes `text` into at most `width` columns; one that does not fit ends with an ellipsis.
  ///
  /// Returns the column behind it.
  @discardableResult
  public mutating func write(
    _ text: String, _ column: Int, _ row: Int, width: Int, _ style: Style = .plain
  ) -> Int {
    guard width > 0 else { return column }
    let characters = text.unicodeScalars.compactMap(\.inOneColumn)
    let shown = characters.count <= width ? characters : characters.prefix(width - 1) + ["…"]
    for (offset, character) in shown.enumerated() { put(character, column + offset, row, style) }
    return column + shown.count
  }

  /// Writes `text` so that it ends at the end of the `width` columns from `column`.
  public mutating func writeTrailing(
    _ text: String, _ column: Int, _ row: Int, width: Int, _ style: Style = .plain
  ) {
    let room = max(0, width - text.unicodeScalars.count)
    write(text, column + room, row, width: width - room, style)
  }

  /// Lets clicks within `area` be on `target`.
  public mutating func place(_ target: Target, in area: Area) {
    targets.append(Place(area: area, target: target))
  }

  /// What a click there is on; of several what was placed last.
  public func target(_ column: Int, _ row: Int) -> Target? {
    targets.last { $0.area.contains(column, row) }?.target
  }

  /// The characters of each row, without the blanks at its end.
  public var lines: [String] {
    (0..<rows).map { row in
      var scalars = cells[(row * columns)..<((row + 1) * columns)].map(\.character)
      while scalars.last == " " { scalars.removeLast() }
      var line = String.UnicodeScalarView()
      line.append(contentsOf: scalars)
      return String(line)
    }
  }
}

extension Unicode.Scalar {
  /// This character if it takes one column of a terminal, a question mark if that is not sure, nil if it is a
  /// mark on the character before. Names come from people's files and could hold anything.
  var inOneColumn: Unicode.Scalar? {
    switch value {
    case 0x20...0x7e, 0xa1...0xac, 0xae...0x2ff, 0x370...0x482, 0x48a...0x52f: self
    case 0x300...0x36f, 0xad: nil
    case 0x2010...0x2027, 0x2190...0x2193, 0x2500...0x259f, 0x25b2...0x25bd: self
    default: "?"
    }
  }
}
