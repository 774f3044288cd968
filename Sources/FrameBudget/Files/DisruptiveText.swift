extension Unicode.Scalar {
  /// Whether it is no text but a command to who shows it.
  package var isDisruptive: Bool {
    if (0x20...0x7E).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
    // Joiners are part of words and of emoji.
    case .format: return value != 0x200C && value != 0x200D
    default: return false
    }
  }
}

extension String {
  /// The text in double quotes as YAML has them, without what would end them or move a cursor.
  package var quotedForYAML: String {
    let shown = unicodeScalars.filter { !$0.isDisruptive && $0 != "\"" && $0 != "\\" }
    return "\"\(String(String.UnicodeScalarView(shown)))\""
  }
}
