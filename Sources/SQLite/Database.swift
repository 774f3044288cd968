internal import CSQLite

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
public final class Database {
  private let connection: OpaquePointer

  /// Opens the database at `path`, and creates it if it does not exist; `:memory:` has no file.
  ///
  /// The journal is a write-ahead log. Commits survive the end of the process at any moment; after a power failure the
  /// database is consistent, but the last commits may be missing.
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

  /// Remaining statements keep the file open until they are released.
  deinit { unsafe _ = sqlite3_close_v2(connection) }

  /// Runs one or several statements without parameters, and ignores their results.
  public func execute(_ sql: String) throws(SQLiteError) {
    try check(unsafe sqlite3_exec(connection, sql, nil, nil, nil))
  }

  /// Compiles a statement, which can run any number of times.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var compiled: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(connection, sql, -1, &compiled, nil))
    guard let handle = unsafe compiled else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "'\(sql)' holds no statement")
    }
    return unsafe Statement(handle, of: self)
  }

  /// Runs `body` as one transaction, which is rolled back if `body` throws.
  public func transaction<Result>(
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
