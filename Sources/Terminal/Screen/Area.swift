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
