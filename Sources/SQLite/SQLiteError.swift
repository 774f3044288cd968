/// An error of SQLite, with SQLite's message.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The primary result code: 5 for a busy database, 11 for a corrupt one, 26 for a file that is not a database.
  public let code: Int32
  public let message: String

  public init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "SQLite error \(code): \(message)" }

  /// Whether the file is damaged, or not a database.
  public var isCorruption: Bool { code == 11 || code == 26 }
}
