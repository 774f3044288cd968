/// The colour of a piece of text.
public enum TextStyle: String, Sendable {
  case plain
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"

  /// `text` in this colour (ECMA-48, Select Graphic Rendition), or as it is where colours are not wanted.
  public func paint(_ text: String, _ isColored: Bool) -> String {
    guard isColored, self != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }
}
