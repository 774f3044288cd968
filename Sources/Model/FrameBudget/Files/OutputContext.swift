/// The kinds of output into which untrusted text, such as a name in a file or a path, is inserted; this is the only place that
/// defines how it is escaped there.
///
/// Escaped text stays text: it cannot end a line, cell, quote or element, begin a link or a formula, or control a terminal.
package enum OutputContext: CaseIterable, Sendable {
  /// A line on a terminal or of a plain file.
  case terminal
  /// A cell of a Markdown table, or a paragraph.
  case markdown
  /// HTML or XML: the content of an element, or of an attribute in double quotes.
  case markup
  /// A field of comma-separated values, with quotes if needed.
  case csv
  /// A string of JSON, with its quotes.
  case json
  /// A scalar of YAML, with its quotes.
  case yaml
  /// The message of a GitHub annotation.
  case annotation
  /// A property of an annotation, such as its title.
  case annotationProperty

  package func escaped(_ text: some StringProtocol) -> String {
    switch self {
    case .terminal: Self.logged(text)
    case .markdown: Self.markdown(text)
    case .markup: Self.markup(text)
    case .csv: Self.csv(String(text))
    case .json: Self.json(text)
    case .yaml: Self.yaml(text)
    case .annotation: Self.percentEncoded(text, "%")
    case .annotationProperty: Self.percentEncoded(text, "%:,")
    }
  }

  /// Appends the escaped text to text in UTF-8.
  package func append(_ text: String, to bytes: inout [UInt8]) {
    // Most texts need no escape.
    switch self {
    case .json where text.utf8.allSatisfy(\.isPlainInQuotes):
      bytes.append(UInt8(ascii: "\""))
      bytes += text.utf8
      bytes.append(UInt8(ascii: "\""))
    case .csv where text.utf8.allSatisfy(\.isPlainInField): bytes += text.utf8
    default: bytes += escaped(text).utf8
    }
  }

  /// Characters that would move a cursor, change colours, or change the direction of writing become their numbers: `\u{202E}`.
  static func printable(_ text: some StringProtocol) -> String {
    guard text.unicodeScalars.contains(where: \.isDisruptive) else { return String(text) }
    return text.unicodeScalars.map { $0.isDisruptive ? $0.escape : String($0) }.joined()
  }

  /// A log of GitHub's or Azure's jobs runs commands in it: `::error::` at the begin of a line, and `##[add-mask]` anywhere.
  private static func logged(_ text: some StringProtocol) -> String {
    let text = printable(text)
    let rest = text.drop { $0 == " " }
    let line =
      rest.hasPrefix("::")
      ? "\(text[..<rest.startIndex])\\u{3A}\(rest.dropFirst())" : text
    return line.contains("##[") ? line.replacing("##[", with: "##\\u{5B}") : line
  }

  /// Bare addresses begin no link, and names mention nobody: an empty space is behind each `@`, which a backslash would not
  /// disarm.
  private static func markdown(_ text: some StringProtocol) -> String {
    // By scalar, because a bracket with a combining accent is another character, but still begins a link.
    printable(text).unicodeScalars.map { scalar in
      if scalar == "@" { return "@&#8203;" }
      return "|<>\\[`&".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
    }.joined().replacing("://", with: "\\://").replacing("www.", with: "www\\.")
  }

  private static func markup(_ text: some StringProtocol) -> String {
    // The fast path for most text, because a long page has a lot of it.
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

  /// Between quotes, line ends are part of the text.
  private static func csv(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    let field = CSVText.guarded(isPlain ? text : printableLines(text))
    // By byte, because a carriage return and a line feed are one Swift character.
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

  /// Escapes characters that would end a workflow command or a property of it, as GitHub's toolkit does.
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
  /// Whether it controls the output instead of being text.
  package var isDisruptive: Bool {
    if (0x20...0x7E).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
    // Joiners are part of words and of emoji.
    case .format: return value != 0x200C && value != 0x200D
    // Characters that XML and YAML do not allow.
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
  /// Whether it is ASCII that needs no escape in HTML and does not move a cursor.
  fileprivate var isPlainMarkup: Bool {
    switch self {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    default: (0x20...0x7E).contains(self)
    }
  }

  /// Whether it is ASCII that needs no escape in the quotes of JSON.
  fileprivate var isPlainInQuotes: Bool {
    (0x20...0x7E).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }

  /// Whether it is ASCII that needs no quotes in comma-separated values, and that begins no formula.
  fileprivate var isPlainInField: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: " "):
      true
    default: false
    }
  }

  /// Whether a field of comma-separated values needs quotes because of it.
  fileprivate var needsQuotes: Bool {
    self == UInt8(ascii: ",") || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\r")
      || self == UInt8(ascii: "\n")
  }
}
