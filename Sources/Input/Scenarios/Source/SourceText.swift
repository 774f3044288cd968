/// A value of a scenario file with its position.
struct SourceNode: Sendable {
  var origin: Origin
  var content: Content

  enum Content: Sendable {
    /// `isPlain`: written without quotes; an empty plain scalar means that there is no value.
    case scalar(String, isPlain: Bool)
    case sequence([SourceNode])
    case mapping([Pair])
  }

  struct Pair: Sendable {
    var key: String
    var origin: Origin
    var value: SourceNode
  }

  /// Whether a key has no value.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return ["", "~", "null"].contains(text)
  }

  /// The kind of the value, in words that fit after `this is `.
  var kind: String {
    switch content {
    case .scalar: isNull ? "empty" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The pairs of a mapping; a key without a value counts as a mapping without keys.
  var pairs: [Pair]? {
    if case .mapping(let pairs) = content { return pairs }
    return isNull ? [] : nil
  }

  /// The name in an item of a list.
  var ownName: String? {
    pairs?.first { $0.key == "name" || $0.key == "as" }?.value.text
  }

  var text: String? {
    guard !isNull, case .scalar(let text, _) = content else { return nil }
    return text
  }
}

/// A scenario file as text, in lines as YAML counts them.
struct SourceText: Sendable {
  let file: String
  let text: String

  /// Checks size, encoding and characters, so that later code deals only with text.
  init(_ bytes: [UInt8], file: String) throws(ScenarioError) {
    self.file = file
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    text = String(decoding: content.prefix(Limits.fileBytes), as: UTF8.self)
    if bytes.count > Limits.fileBytes {
      throw error("this file is too large; allowed: \(Limits.fileBytes) bytes", at: .start)
    }
    if let fault = Self.firstFault(in: content) { throw error(fault.message, at: fault.position) }
  }

  func error(_ message: String, at position: Position) -> ScenarioError {
    ScenarioError([fault(message, at: position)])
  }

  /// `message` about `position`; a position beyond the text is moved to its end.
  func fault(_ message: String, at position: Position) -> ScenarioError.Fault {
    let lines = self.lines
    let number = min(max(position.line, 1), lines.count)
    let line = lines[number - 1]
    let column = position.line > lines.count ? line.count + 1 : position.column
    return ScenarioError.Fault(
      message,
      at: .file(
        file, line: number, column: min(max(column, 1), line.count + 1),
        text: String(String.UnicodeScalarView(line))))
  }

  /// A line break at the end of the text does not begin an empty line.
  private var lines: [[Unicode.Scalar]] {
    var lines = [[Unicode.Scalar]()]
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if Position.endsLine(scalar, after: previous) {
        lines.append([])
      } else if scalar != "\n" {
        lines[lines.count - 1].append(scalar)
      }
      previous = scalar
    }
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func firstFault(
    in bytes: ArraySlice<UInt8>
  ) -> (message: String, position: Position)? {
    var decoder = UTF8()
    var input = bytes.makeIterator()
    var position = Position.start
    var previous: Unicode.Scalar?
    while true {
      switch decoder.decode(&input) {
      case .emptyInput: return nil
      case .error: return ("this is not UTF-8; allowed: UTF-8 text", position)
      case .scalarValue(let scalar):
        if !isPrintable(scalar) { return (unprintable(scalar), position) }
        position.advance(over: scalar, after: previous)
        previous = scalar
      }
    }
  }

  /// YAML 1.1, section 4.1: the allowed characters of a file.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0x10000...: true
    case 0xE000...0xFFFD: scalar.value != 0xFEFF
    default: false
    }
  }

  private static func unprintable(_ scalar: Unicode.Scalar) -> String {
    let code = String(scalar.value, radix: 16, uppercase: true)
    return "a control character (U+\(code)) is here; allowed: printable ones"
  }
}

/// A position in a file: lines and columns from 1, columns in Unicode scalars, as in YAML.
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

  /// Advances past `scalar`.
  mutating func advance(over scalar: Unicode.Scalar, after previous: Unicode.Scalar?) {
    if Self.endsLine(scalar, after: previous) {
      self = Position(line: line + 1, column: 1)
    } else if scalar != "\n" {
      column += 1
    }
  }
}

/// The source of a value: a position in the file, or a flag that set it.
enum Origin: Hashable, Sendable {
  case file(Position)
  /// A key that an override added.
  case path(Override)
  /// A value from an override.
  case value(Override)

  /// Whether a fault here is reported rather than one at `other`: the file's order, then flags.
  func precedes(_ other: Origin) -> Bool {
    switch (self, other) {
    case (.file(let position), .file(let later)): position < later
    case (.file, _): true
    default: false
    }
  }
}

/// A line of a file, or the part of it around a column, with a caret below that column.
struct Excerpt: CustomStringConvertible {
  private var scalars: [Unicode.Scalar]
  private let caret: Int

  /// At most `width` scalars of `line`, so that one endless line does not flood a terminal.
  init(of line: String, column: Int, width: Int) {
    let all = Array(line.unicodeScalars)
    let position = min(max(column - 1, 0), all.count)
    let start = all.count <= width ? 0 : min(max(0, position - width / 2), all.count - width)
    scalars = Array(all[start...].prefix(width))
    if start > 0 { scalars[0] = "…" }
    if start + width < all.count { scalars[width - 1] = "…" }
    caret = position - start
  }

  var description: String {
    let text = String(String.UnicodeScalarView(scalars.map { shown($0) }))
    let margin = scalars[..<caret].map { padding(for: $0) }.joined()
    return "\(text)\n\(margin)^"
  }

  private func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar != "\t" && scalar.isControl ? "\u{FFFD}" : scalar
  }

  /// Padding as wide as `scalar` on a terminal: a tab for a tab, nothing for a combining character.
  private func padding(for scalar: Unicode.Scalar) -> String {
    if scalar == "\t" { return "\t" }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return ""
    case .format: return scalar.isControl ? " " : ""
    default: return Self.isWide(scalar) ? "  " : " "
    }
  }

  /// The wide blocks of UAX #11, without their few exceptions.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
