/// Comma-separated values as RFC 4180 quotes them; lines end in a line feed alone, as Unix tools expect.
enum CSV {
  static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\n"
  }

  private static func quoted(_ field: String) -> String {
    // By scalar: to Swift a carriage return and a line feed are one character.
    guard field.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return field
    }
    let doubled = field.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"\(doubled.joined(separator: "\"\""))\""
  }

  /// The fields of one line; nil if a quoted one is not closed, or goes on behind its closing quote.
  static func fields(of line: some StringProtocol) -> [String]? {
    var fields: [String] = []
    var rest = Substring(line)
    while true {
      guard let field = rest.first == "\"" ? takeQuoted(from: &rest) : takePlain(from: &rest) else {
        return nil
      }
      fields.append(field)
      guard rest.popFirst() != nil else { return fields }
    }
  }

  private static func takePlain(from rest: inout Substring) -> String {
    let field = rest.prefix { $0 != "," }
    rest = rest[field.endIndex...]
    return String(field)
  }

  /// Leaves the comma behind the closing quote, or nothing.
  private static func takeQuoted(from rest: inout Substring) -> String? {
    var field = ""
    rest = rest.dropFirst()
    while let character = rest.popFirst() {
      if character != "\"" {
        field.append(character)
      } else if rest.first == "\"" {
        field.append(character)
        rest = rest.dropFirst()
      } else {
        return rest.isEmpty || rest.first == "," ? field : nil
      }
    }
    return nil
  }
}
