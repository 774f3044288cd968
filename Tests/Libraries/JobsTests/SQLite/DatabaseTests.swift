import Foundation
import SchedulableJobs
import TestSupport
import Testing

@Suite struct DatabaseTests {
  @Test func `values of every kind are read back`() throws {
    let database = try Database(path: ":memory:")
    try database.execute("create table thing (a, b, c, d, e, f)")
    let stored: [SQLiteValue] = [
      .null, .integer(.min), .real(0.1), .text("größer ' als \u{0} alles"), .blob([0, 255]),
      .blob([]),
    ]
    try database.prepare("insert into thing values (?, ?, ?, ?, ?, ?)")
      .run(stored[0], stored[1], stored[2], stored[3], stored[4], stored[5])
    #expect(try database.prepare("select * from thing").rows() == [stored])
  }

  @Test func `a statement runs as often as wanted`() throws {
    let database = try Database(path: ":memory:")
    try database.execute("create table number (n integer)")
    let insert = try database.prepare("insert into number values (?)")
    for n in 1...100 { try insert.run(.integer(Int64(n))) }
    let above = try database.prepare("select n from number where n > ? order by n")
    #expect(try above.rows(98) == [[99], [100]])
    #expect(try above.rows(99) == [[100]])
  }

  @Test func `a change that throws leaves nothing behind`() throws {
    let database = try Database(path: ":memory:")
    try database.execute("create table number (n integer primary key)")
    let insert = try database.prepare("insert into number values (?)")
    #expect(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in
        try insert.run(1)
        try insert.run(1)
      }
    }
    #expect(try database.prepare("select n from number").rows().isEmpty)
  }

  @Test func `the next connection finds the commits of the previous one`() throws {
    let scratch = try Scratch()
    let path = scratch.path("words")
    do {
      let database = try Database(path: path)
      try database.execute("create table word (w text); insert into word values ('kept')")
    }
    #expect(try Database(path: path).prepare("select w from word").rows() == [["kept"]])
    withExtendedLifetime(scratch) {}
  }

  @Test func `a file that is not a database is refused as corrupt`() throws {
    let scratch = try Scratch()
    try scratch.write(String(repeating: "A", count: 5000), to: "text")
    let error = #expect(throws: SQLiteError.self) { _ = try Database(path: scratch.path("text")) }
    #expect(error?.isCorruption == true)
  }

  @Test func `wrong SQL is an error in SQLite's words`() throws {
    let database = try Database(path: ":memory:")
    let error = #expect(throws: SQLiteError.self) { try database.execute("selekt 1") }
    #expect(error?.description.contains("selekt") == true)
    #expect(error?.isCorruption == false)
    #expect(throws: SQLiteError.self) { _ = try database.prepare(" ") }
  }
}
