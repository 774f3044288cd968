public import FrameBudget

/// A grid of styled cells: all that the view shows, as a value.
public struct Screen: Hashable, Sendable {
  public struct Cell: Hashable, Sendable {
    public var character: Unicode.Scalar = " "
    public var style = Style.plain
  }

  public let columns: Int
  public let rows: Int
  private var cells: [Cell]
  /// Targets of clicks. Widgets add them where they draw, so that a click hits what is shown.
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

  /// Writes `text` into at most `width` columns; text that does not fit ends with an ellipsis.
  ///
  /// Returns the column after it.
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

  /// Makes clicks within `area` hit `target`.
  public mutating func place(_ target: Target, in area: Area) {
    targets.append(Place(area: area, target: target))
  }

  /// The target of a click there; if there are several, the one placed last.
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

/// A rectangle of a screen, for one widget.
public struct Area: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public var width: Int
  public var height: Int

  public init(column: Int, row: Int, width: Int, height: Int) {
    self.column = column
    self.row = row
    self.width = max(0, width)
    self.height = max(0, height)
  }

  public func contains(_ column: Int, _ row: Int) -> Bool {
    (self.column..<self.column + width).contains(column)
      && (self.row..<self.row + height).contains(row)
  }

  /// Takes `rows` off the top and returns them.
  public mutating func takeTop(_ rows: Int) -> Area {
    let taken = min(max(0, rows), height)
    defer {
      row += taken
      height -= taken
    }
    return Area(column: column, row: row, width: width, height: taken)
  }

  /// Takes `rows` off the bottom and returns them.
  public mutating func takeBottom(_ rows: Int) -> Area {
    let taken = min(max(0, rows), height)
    height -= taken
    return Area(column: column, row: row + height, width: width, height: taken)
  }

  /// Takes `columns` off the left and returns them.
  public mutating func takeLeft(_ columns: Int) -> Area {
    let taken = min(max(0, columns), width)
    defer {
      column += taken
      width -= taken
    }
    return Area(column: column, row: row, width: taken, height: height)
  }
}

/// The target of a click on a cell.
public enum Target: Hashable, Sendable {
  /// A strategy, by its place in the list; in the bar, in the list, and the box before it there.
  case strategy(Int)
  case listed(Int)
  case tick(Int)
  /// One of several strategies side by side.
  case pane(Int)
  /// A vsync, by its distance to the newest.
  case vsync(back: Int)
}

/// The ASCII replacement of a character, for terminals without Unicode.
public enum Glyphs {
  public static func ascii(_ character: Unicode.Scalar) -> Unicode.Scalar {
    switch character.value {
    case 0x20...0x7e: character
    case 0x2581...0x2583: "_"
    case 0x2584...0x2586: "="
    case 0x2587, 0x2588: "#"
    case 0x2591...0x2593: "x"
    case 0x2500, 0x254c, 0x2013: "-"
    case 0x2502, 0x2506: "|"
    case 0x25b2: "^"
    case 0x25bc: "v"
    case 0x25b6: ">"
    case 0x2026: "~"
    case 0xb7: "."
    case 0xb5: "u"
    case 0x2190...0x2193: "+"
    case 0x2500...0x257f: "+"
    default: "?"
    }
  }

  /// Blocks of zero to eight eighths of a row, from the bottom.
  static let eighths: [Unicode.Scalar] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

/// How a cell looks: what it means, and emphasis. The terminal decides which colour a meaning has.
public struct Style: Hashable, Sendable {
  public var role: ColorRole
  public var isBold: Bool
  public var isReversed: Bool

  public init(_ role: ColorRole = .plain, bold: Bool = false, reversed: Bool = false) {
    self.role = role
    isBold = bold
    isReversed = reversed
  }

  public static let plain = Style()
  public static let quiet = Style(.quiet)
  public static let title = Style(bold: true)
}

/// What the colour of a cell means.
public enum ColorRole: Hashable, CaseIterable, Sendable {
  case plain, quiet, mark
  /// A frame shown on time, a busy thread, a good number.
  case good
  case fair, poor
  /// The cause of dropped frames: a phase of the main thread's time.
  case cause(Cause)

  public static let allCases: [ColorRole] =
    [.plain, .quiet, .mark, .good, .fair, .poor] + Cause.allCases.map(ColorRole.cause)

  /// The number of its colour pair in the terminal; 0 is the terminal's own.
  var number: Int {
    switch self {
    case .plain: 0
    case .quiet: 1
    case .mark: 2
    case .good: 3
    case .fair: 4
    case .poor: 5
    case .cause(let cause): 6 + Int(cause.rawValue)
    }
  }
}

/// The look of each role, by the number of colours of a terminal. Only bad values and dropped frames are red.
struct TerminalPalette: Sendable {
  private let colors: Int

  init(colors: Int) { self.colors = colors }

  /// The terminal's number for the colour of `ink`; nil where that is the terminal's own.
  func color(of role: ColorRole) -> Int32? {
    let color: (among256: Int32, among8: Int32?)? =
      switch role {
      case .plain: nil
      case .quiet: (245, nil)
      case .mark: (81, 6)
      case .good: (71, 2)
      case .fair: (179, 3)
      case .poor: (203, 1)
      case .cause(let cause): cause.traits.color
      }
    return colors >= 256 ? color?.among256 : colors >= 8 ? color?.among8 : nil
  }

  /// Whether `ink` is shown dimmed: where its colour cannot be.
  func isDim(_ role: ColorRole) -> Bool { role == .quiet && colors < 256 }
}
