internal import CFrameBudgetSQLite

/// A connection to the database in one file, opened by `init` and closed with the last reference.
///
/// ```swift
/// let database = try Database(path: "catalogue.sqlite")
/// try database.execute("create table if not exists file (name text primary key, digest blob)")
/// let insert = try database.prepare("insert or replace into file values (?, ?)")
/// try insert.run(.text(name), .blob(digest))
/// let rows = try database.prepare("select digest from file where name = ?").rows(.text(name))
/// ```
///
/// It is not `Sendable`: use it from one thread, or behind a lock. Compile statements once and reuse them.
@safe
package final class Database {
  private let connection: OpaquePointer

  /// Opens the database at `path`, and creates it if it does not exist; `:memory:` has no file.
  ///
  /// The journal is a write-ahead log. Commits survive the end of the process at any moment; after a power failure the
  /// database is consistent, but the last commits may be missing.
  package init(path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let connection = unsafe opened else {
      throw SQLiteError(code: code, message: "no memory to open '\(path)'")
    }
    unsafe self.connection = connection
    try check(code)
    unsafe sqlite3_busy_timeout(connection, 5000)
    try execute("pragma journal_mode = wal; pragma synchronous = normal")
  }

  /// Remaining statements keep the file open until they are released.
  deinit { unsafe _ = sqlite3_close_v2(connection) }

  /// Runs one or several statements without parameters, and ignores their results.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(unsafe sqlite3_exec(connection, sql, nil, nil, nil))
  }

  /// Compiles a statement, which can run any number of times.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var compiled: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(connection, sql, -1, &compiled, nil))
    guard let handle = unsafe compiled else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "'\(sql)' holds no statement")
    }
    return unsafe Statement(handle, of: self)
  }

  /// Runs `body` as one transaction, which is rolled back if `body` throws.
  package func transaction<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try execute("begin immediate")
    do {
      let result = try body()
      try execute("commit")
      return result
    } catch {
      // Some errors have rolled back already.
      if unsafe sqlite3_get_autocommit(connection) == 0 { try execute("rollback") }
      throw error
    }
  }

  /// Throws the error of SQLite's last call, unless `code` is success.
  func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  func lastError(_ code: Int32) -> SQLiteError {
    let text = unsafe sqlite3_errmsg(connection)
    let message = unsafe text.map { unsafe String(cString: $0) }
    return SQLiteError(code: code & 0xff, message: message ?? "error \(code)")
  }
}

/// A compiled statement of a ``Database``.
@safe
package final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe _ = sqlite3_finalize(handle) }

  /// Runs the statement with `values` for its parameters, in order, and ignores its rows.
  package func run(_ values: SQLiteValue...) throws(SQLiteError) {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  /// Runs the statement with `values` for its parameters and returns its rows, each with one value per column.
  package func rows(_ values: SQLiteValue...) throws(SQLiteError) -> [[SQLiteValue]] {
    defer { reset() }
    try bind(values)
    var rows: [[SQLiteValue]] = []
    let columns = unsafe sqlite3_column_count(handle)
    while try step() { rows.append((0..<columns).map(value)) }
    return rows
  }

  private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    let expected = unsafe Int(sqlite3_bind_parameter_count(handle))
    precondition(values.count == expected, "\(expected) parameters, but \(values.count) values")
    for (place, value) in zip(Int32(1)..., values) {
      try database.check(bind(value, at: place))
    }
  }

  private func bind(_ value: SQLiteValue, at place: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(handle, place)
    case .integer(let value): return unsafe sqlite3_bind_int64(handle, place, value)
    case .real(let value): return unsafe sqlite3_bind_double(handle, place, value)
    case .text(let value):
      return unsafe csqlite_bind_text(handle, place, value, Int32(clamping: value.utf8.count))
    case .blob(let bytes):
      return unsafe bytes.withUnsafeBytes {
        unsafe csqlite_bind_blob(handle, place, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  /// Moves to the next row. Returns false after the last one.
  private func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.lastError(code)
    }
  }

  private func value(_ column: Int32) -> SQLiteValue {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return unsafe .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: return .text(String(decoding: bytes(column), as: UTF8.self))
    case SQLITE_BLOB: return .blob(bytes(column))
    default: return .null
    }
  }

  /// Copies, because SQLite's bytes are valid only until the next step.
  private func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func reset() {
    // Returns the error of the step again, which was thrown there.
    unsafe _ = sqlite3_reset(handle)
    unsafe _ = sqlite3_clear_bindings(handle)
  }
}

/// A value that SQLite stores.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  package var blob: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
}

/// An error of SQLite, with SQLite's message.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The primary result code: 5 for a busy database, 11 for a corrupt one, 26 for a file that is not a database.
  package let code: Int32
  package let message: String

  package init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "SQLite error \(code): \(message)" }

  /// Whether the file is damaged, or not a database.
  package var isCorruption: Bool { code == 11 || code == 26 }
}
