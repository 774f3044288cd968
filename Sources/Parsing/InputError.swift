internal import FrameBudget

/// Why an input could not be read: one line that says where, what is wrong and what is allowed.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// Its content is not what it should be.
    case malformed
  }

  public let kind: Kind
  public var file: String?
  /// Counted from 1; nil where no line is at fault.
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
    // Whatever an input holds, a name of several lines too, an error about it is one line.
    self.reason = reason.printable
  }

  public var description: String {
    let place = [file?.printable, line.map(String.init), column.map(String.init)].compactMap(\.self)
    return (place.isEmpty ? "" : place.joined(separator: ":") + ": ") + reason
  }

  /// The same error, said of `file`.
  public func of(_ file: String) -> Self {
    var error = self
    error.file = error.file ?? file
    return error
  }

  /// The beginning of a `text` from an input, fit to be shown on one line.
  public static func quoted(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars
    let beginning = String(String.UnicodeScalarView(scalars.prefix(40)))
    return "'" + beginning.printable + (scalars.count > 40 ? "…" : "") + "'"
  }
}

extension StringProtocol {
  /// The text with every character escaped that would move a cursor, change colours, or turn the direction of
  /// writing: `\u{202E}`. A name from a file can then show itself as nothing that it is not.
  public var printable: String { TextPlace.terminal.escaped(self) }

  /// The text in Markdown: printable, and nothing in it ends a cell, begins a tag, a link or code.
  public var markdown: String { TextPlace.markdown.escaped(self) }
}
