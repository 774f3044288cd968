internal import FrameBudget

extension StringProtocol {
  /// The text with every character escaped that would move a cursor, change colours, or turn the direction of
  /// writing: `\u{202E}`. A name from a file can then show itself as nothing that it is not.
  public var printable: String {
    guard unicodeScalars.contains(where: \.isDisruptive) else { return String(self) }
    return unicodeScalars.map { $0.isDisruptive ? $0.escape : String($0) }.joined()
  }
}

extension StringProtocol {
  /// The text as it stands in Markdown: printable, and nothing in it ends a cell, begins a tag, a link or code.
  public var markdown: String {
    printable.map { "|<>\\[`".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
