internal import CSQLite

/// A connection to the database in one file: opened by `init`, closed when the last reference goes.
///
/// ```swift
/// let database = try Database(path: "catalogue.sqlite")
/// try database.execute("create table if not exists file (name text primary key, digest blob)")
/// let insert = try database.prepare("insert or replace into file values (?, ?)")
/// try insert.run(.text(name), .blob(digest))
/// let rows = try database.prepare("select digest from file where name = ?").rows(.text(name))
/// ```
///
/// It is not `Sendable`: it lives with one thread or behind a lock. Statements are compiled once and used often.
@safe
public final class Database {
  private let connection: OpaquePointer

  /// Opens the database at `path`, and creates it where there is none; `:memory:` has no file.
  ///
  /// The journal is a write-ahead log. What was committed survives the end of the process at any moment; after a power
  /// failure the database is whole, but the last commits may be missing.
  public init(path: String) throws(SQLiteError) {
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

  /// Statements that still live keep the file open until they go.
  deinit { unsafe _ = sqlite3_close_v2(connection) }

  /// Runs one or several statements that have no parameters, and drops what they return.
  public func execute(_ sql: String) throws(SQLiteError) {
    try check(unsafe sqlite3_exec(connection, sql, nil, nil, nil))
  }

  /// Compiles a statement, to be run as often as wanted.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var compiled: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(connection, sql, -1, &compiled, nil))
    guard let handle = unsafe compiled else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "'\(sql)' holds no statement")
    }
    return unsafe Statement(handle, of: self)
  }

  /// Runs `body` as one change: all of it happens, or, if it throws, nothing.
  public func transaction<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try execute("begin immediate")
    do {
      let result = try body()
      try execute("commit")
      return result
    } catch {
      // Some errors have rolled back already; then there is nothing left to undo.
      if unsafe sqlite3_get_autocommit(connection) == 0 { try execute("rollback") }
      throw error
    }
  }

  /// Throws what SQLite says about its last call, unless that succeeded.
  func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  func lastError(_ code: Int32) -> SQLiteError {
    let text = unsafe sqlite3_errmsg(connection)
    let message = unsafe text.map { unsafe String(cString: $0) }
    return SQLiteError(code: code & 0xff, message: message ?? "error \(code)")
  }
}
