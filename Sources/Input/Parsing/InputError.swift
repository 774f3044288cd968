internal import FrameBudget

/// An error in an input: the place, the problem and the allowed values, in one line.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// Its content is not what it should be.
    case malformed
  }

  public let kind: Kind
  public var file: String?
  /// Counted from 1; nil for errors without a line.
  public var line: Int?
  public var column: Int?
  public let reason: String

  public init(
    _ reason: String, kind: Kind = .malformed, file: String? = nil, line: Int? = nil,
    column: Int? = nil
  ) {
    self.kind = kind
    self.file = file
    self.line = line
    self.column = column
    // An error is one line, even if it quotes a name with line breaks.
    self.reason = reason.printable
  }

  public var description: String {
    let place = [file?.printable, line.map(String.init), column.map(String.init)].compactMap(\.self)
    return (place.isEmpty ? "" : place.joined(separator: ":") + ": ") + reason
  }

  /// The same error with the name of a file.
  public func of(_ file: String) -> Self {
    var error = self
    error.file = error.file ?? file
    return error
  }

  /// The beginning of a `text` from an input, safe to show on one line.
  public static func quoted(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars
    let beginning = String(String.UnicodeScalarView(scalars.prefix(40)))
    return "'" + beginning.printable + (scalars.count > 40 ? "…" : "") + "'"
  }
}

extension StringProtocol {
  /// The text with escapes for every character that would move a cursor, change colours, or change the direction of writing:
  /// `\u{202E}`. So a name from a file cannot disguise itself.
  public var printable: String { OutputContext.terminal.escaped(self) }

  /// The text for Markdown: printable, without characters that would end a cell, or begin a tag, a link or code.
  public var markdown: String { OutputContext.markdown.escaped(self) }
}
