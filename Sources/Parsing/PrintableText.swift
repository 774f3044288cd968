extension StringProtocol {
  /// The text with every character escaped that would move a cursor, change colours, or turn the direction of
  /// writing: `\u{202E}`. A name from a file can then show itself as nothing that it is not.
  public var printable: String {
    guard unicodeScalars.contains(where: \.isDisruptive) else { return String(self) }
    return unicodeScalars.map { $0.isDisruptive ? $0.escape : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  /// Whether it is no text but a command to who shows it.
  public var isDisruptive: Bool {
    if (0x20...0x7E).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
    // Joiners are part of words and of emoji.
    case .format: return value != 0x200C && value != 0x200D
    default: return false
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
