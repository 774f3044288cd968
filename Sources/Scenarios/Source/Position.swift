/// A place in a file: lines and columns from 1, columns in Unicode scalars, as in YAML.
struct Position: Hashable, Comparable, Sendable {
  var line: Int
  var column: Int

  static let start = Position(line: 1, column: 1)

  static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  /// Whether `scalar` ends a line (YAML 1.1, section 4.2): not a line feed after a carriage return.
  static func endsLine(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
    switch scalar {
    case "\n": previous != "\r"
    case "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Moves on to what follows `scalar`.
  mutating func advance(over scalar: Unicode.Scalar, after previous: Unicode.Scalar?) {
    if Self.endsLine(scalar, after: previous) {
      self = Position(line: line + 1, column: 1)
    } else if scalar != "\n" {
      column += 1
    }
  }
}
