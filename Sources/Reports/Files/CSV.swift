internal import Parsing

/// Comma-separated values as RFC 4180 quotes them; lines end in a line feed alone, as Unix tools expect. What would move a
/// terminal's cursor is escaped, other than the ends of lines that are part of a text.
enum CSV {
  static func line(_ fields: [String]) -> String {
    var line = ""
    for (place, field) in fields.enumerated() {
      if place > 0 { line += "," }
      line += quoted(field)
    }
    return line + "\n"
  }

  private static func quoted(_ text: String) -> String {
    let field = CSVText.guarded(text.utf8.allSatisfy(isPlain) ? text : printable(text))
    // By byte: to Swift a carriage return and a line feed are one character.
    guard field.utf8.contains(where: needsQuotes) else { return field }
    let doubled = field.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"\(doubled.joined(separator: "\"\""))\""
  }

  private static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

  private static func printable(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      "\n\r\t".unicodeScalars.contains(scalar) ? String(scalar) : String(scalar).printable
    }.joined()
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
      || byte == UInt8(ascii: "\n")
  }
}
