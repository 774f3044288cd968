internal import FrameBudget

extension StringProtocol {
  /// The text with every character escaped that would move a cursor, change colours, or turn the direction of
  /// writing: `\u{202E}`. A name from a file can then show itself as nothing that it is not.
  public var printable: String { TextPlace.terminal.escaped(self) }

  /// The text as it stands in Markdown: printable, and nothing in it ends a cell, begins a tag, a link or code.
  public var markdown: String { TextPlace.markdown.escaped(self) }
}
