internal import SQLite

/// Keeps jobs in an SQLite database, one per row. A change costs the same for any number of kept jobs.
public final class SQLitePersister: JobPersister {
  private let path: String
  private var table: Table?

  /// - Parameter path: the path of the database, which is created at the first use. Its folder must exist.
  public init(path: String) { self.path = path }

  public func load() throws -> KeptJobs {
    do {
      return KeptJobs(try open())
    } catch {
      guard error.isCorruption else { throw error }
      table = nil
      let aside = try moveAside([path, path + "-wal", path + "-shm"])
      return KeptJobs(try open(), setAside: .init(path: aside, reason: "\(error)"))
    }
  }

  private func open() throws(SQLiteError) -> [KeptJob] {
    let table = try Table(path: path)
    self.table = table
    return try table.all()
  }

  public func change(keeping: [KeptJob], removing: [Int64]) throws {
    guard let table else { throw SQLiteError(code: 14, message: "'\(path)' is not open") }
    if keeping.count + removing.count == 1 {
      try table.change(keeping, removing)
    } else {
      try table.database.transaction { () throws(SQLiteError) in
        try table.change(keeping, removing)
      }
    }
  }

  /// The open database and its statements.
  private final class Table {
    let database: Database
    private let put: Statement
    private let delete: Statement

    init(path: String) throws(SQLiteError) {
      database = try Database(path: path)
      try database.execute(
        "create table if not exists job (sequence integer primary key, id text, record text)")
      put = try database.prepare("insert or replace into job values (?, ?, ?)")
      delete = try database.prepare("delete from job where sequence = ?")
    }

    func all() throws(SQLiteError) -> [KeptJob] {
      let rows = try database.prepare("select sequence, id, record from job order by sequence")
        .rows()
      // A row without text becomes a job that the serializer reports as unreadable.
      return rows.map { row in
        KeptJob(sequence: row[0].integer ?? 0, id: row[1].text ?? "", text: row[2].text ?? "")
      }
    }

    func change(_ keeping: [KeptJob], _ removing: [Int64]) throws(SQLiteError) {
      for job in keeping { try put.run(.integer(job.sequence), .text(job.id), .text(job.text)) }
      for sequence in removing { try delete.run(.integer(sequence)) }
    }
  }
}
