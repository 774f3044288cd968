internal import CSQLite

/// A compiled statement of a ``Database``.
@safe
public final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe _ = sqlite3_finalize(handle) }

  /// Runs the statement with `values` for its parameters, in order, and ignores its rows.
  public func run(_ values: SQLiteValue...) throws(SQLiteError) {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  /// Runs the statement with `values` for its parameters and returns its rows, each with one value per column.
  public func rows(_ values: SQLiteValue...) throws(SQLiteError) -> [[SQLiteValue]] {
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
