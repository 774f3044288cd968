/// Protects text in comma-separated values from being interpreted as a spreadsheet formula.
///
/// Text that begins with `=`, `+`, `-` or `@` and is not a number gets an apostrophe before it, and so does text with
/// apostrophes before one of these. Removing one apostrophe restores the text.
package enum CSVText {
  /// The text for a file.
  package static func guarded(_ text: String) -> String {
    looksLikeFormula(text) && !isNumber(text) ? "'" + text : text
  }

  /// The text of `field` in a file.
  package static func plain(_ field: String) -> String {
    field.utf8.first == apostrophe && looksLikeFormula(field) ? String(field.dropFirst()) : field
  }

  private static let apostrophe = UInt8(ascii: "'")

  private static func looksLikeFormula(_ text: String) -> Bool {
    guard let first = text.utf8.first(where: { $0 != apostrophe }) else { return false }
    return "=+-@".utf8.contains(first)
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && Double(text) != nil
  }
}
