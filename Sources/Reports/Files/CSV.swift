internal import Parsing

/// Comma-separated values as RFC 4180 quotes them; lines end in a line feed alone, as Unix tools expect.
enum CSV {
  static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    let field = CSVText.guarded(text)
    // By scalar: to Swift a carriage return and a line feed are one character.
    guard field.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return field
    }
    let doubled = field.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"\(doubled.joined(separator: "\"\""))\""
  }
}
