/// Where a text from outside, such as a name in a file or a path, is put: the one place that says how it is escaped there.
///
/// Whatever the text is, it stays text: it ends no line, cell, quote or element, begins no link and no formula, and commands no
/// terminal.
package enum TextPlace: CaseIterable, Sendable {
  /// A line on a terminal or of a plain file.
  case terminal
  /// A cell of a table in Markdown, or a paragraph.
  case markdown
  /// HTML or XML: the inside of an element, or of an attribute in double quotes.
  case markup
  /// A field of comma-separated values, with quotes where it needs them.
  case csv
  /// A string of JSON, with its quotes.
  case json
  /// A scalar of YAML, with its quotes.
  case yaml
  /// The message of a GitHub annotation.
  case annotation
  /// A property of one, such as its title.
  case annotationProperty

  package func escaped(_ text: some StringProtocol) -> String {
    switch self {
    case .terminal: Self.printable(text)
    case .markdown: Self.markdown(text)
    case .markup: Self.markup(text)
    case .csv: Self.csv(String(text))
    case .json: Self.json(text)
    case .yaml: Self.yaml(text)
    case .annotation: Self.percentEncoded(text, "%")
    case .annotationProperty: Self.percentEncoded(text, "%:,")
    }
  }

  /// What would move a cursor, change colours, or turn the direction of writing is shown as its number: `\u{202E}`.
  private static func printable(_ text: some StringProtocol) -> String {
    guard text.unicodeScalars.contains(where: \.isDisruptive) else { return String(text) }
    return text.unicodeScalars.map { $0.isDisruptive ? $0.escape : String($0) }.joined()
  }

  private static func markdown(_ text: some StringProtocol) -> String {
    // By scalar: with an accent on it, a bracket is another character, and begins a link all the same.
    printable(text).unicodeScalars.map { scalar in
      "|<>\\[`".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
    }.joined()
  }

  private static func markup(_ text: some StringProtocol) -> String {
    // As most text is, which a long page has very much of.
    if text.utf8.allSatisfy(\.isPlainMarkup) { return String(text) }
    var escaped = ""
    for scalar in printable(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Between quotes, ends of lines are part of the text.
  private static func csv(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    let field = CSVText.guarded(isPlain ? text : printableLines(text))
    // By byte: to Swift a carriage return and a line feed are one character.
    guard field.utf8.contains(where: \.needsQuotes) else { return field }
    let doubled = field.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"\(doubled.joined(separator: "\"\""))\""
  }

  private static func printableLines(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      "\n\r\t".unicodeScalars.contains(scalar) ? String(scalar) : printable(String(scalar))
    }.joined()
  }

  private static func json(_ text: some StringProtocol) -> String {
    quoted(text) { scalar in
      String(scalar).utf16.map { "\\u" + digits(UInt32($0), 4) }.joined()
    }
  }

  private static func yaml(_ text: some StringProtocol) -> String {
    quoted(text) { "\\U" + digits($0.value, 8) }
  }

  /// In double quotes, with the escapes that JSON and YAML share, and `escape` for other disruptive characters.
  private static func quoted(
    _ text: some StringProtocol, escape: (Unicode.Scalar) -> String
  ) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where scalar.isDisruptive: quoted += escape(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// What would end a workflow command, or a property of it, as GitHub's toolkit writes it.
  private static func percentEncoded(_ text: some StringProtocol, _ special: String) -> String {
    printable(text).unicodeScalars.map { scalar in
      special.unicodeScalars.contains(scalar)
        ? "%" + digits(scalar.value, 2).uppercased() : String(scalar)
    }.joined()
  }

  private static func digits(_ value: UInt32, _ count: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

extension Unicode.Scalar {
  /// Whether it is no text but a command to who shows it.
  package var isDisruptive: Bool {
    if (0x20...0x7E).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
    // Joiners are part of words and of emoji.
    case .format: return value != 0x200C && value != 0x200D
    // XML and YAML know none of these.
    default: return properties.isNoncharacterCodePoint
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}

extension UInt8 {
  /// Whether it is ASCII that needs no escape in HTML, and moves no cursor.
  fileprivate var isPlainMarkup: Bool {
    switch self {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    default: (0x20...0x7E).contains(self)
    }
  }

  /// Whether a field of comma-separated values needs quotes for it.
  fileprivate var needsQuotes: Bool {
    self == UInt8(ascii: ",") || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\r")
      || self == UInt8(ascii: "\n")
  }
}
