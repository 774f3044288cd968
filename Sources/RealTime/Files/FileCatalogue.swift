internal import Concurrency
internal import Foundation
internal import SQLite

/// The database that steps insert into: in a folder of its own among the temporary ones, gone with the run.
final class FileCatalogue: Sendable {
  private struct Table {
    let database: Database
    let insert: Statement
  }

  let folder: TemporaryFolder
  private let table: Locked<Table>

  init() throws(FileProblem) {
    do {
      folder = try TemporaryFolder("catalogue")
      let database = try Database(path: folder.url.appending(component: "catalogue.sqlite").path)
      try database.execute("create table file (path text primary key, size integer, digest blob)")
      let insert = try database.prepare("insert or replace into file values (?, ?, ?)")
      table = Locked(Table(database: database, insert: insert))
    } catch {
      let place = FileManager.default.temporaryDirectory.path
      throw FileProblem("cannot make a database in \(place): \(error)")
    }
  }

  func insert(_ path: String, _ finding: FileFinding) throws(FileProblem) {
    let outcome = table.withLock { table in
      Result { () throws(SQLiteError) in
        try table.insert.run(
          .text(path), finding.size.map { .integer($0) } ?? .null,
          finding.digest.map { .blob($0) } ?? .null)
      }
    }
    if case .failure(let error) = outcome { throw FileProblem("cannot insert \(path): \(error)") }
  }

  /// What stands there about `path`; nil if nothing does.
  func finding(_ path: String) throws -> FileFinding? {
    try table.withLock { table in
      Result {
        let select = try table.database.prepare("select size, digest from file where path = ?")
        return try select.rows(.text(path)).first.map {
          FileFinding(size: $0[0].integer, digest: $0[1].blob)
        }
      }
    }.get()
  }
}

/// What steps have found out about a file.
struct FileFinding: Hashable, Sendable {
  var size: Int64?
  var digest: [UInt8]?
}
