internal import Foundation

/// Writes jobs to a persister.
struct JobStore {
  let persister: any JobPersister
  let serializer: JobSerializer

  private func kept(_ record: JobRecord) throws -> KeptJob {
    KeptJob(
      sequence: record.sequence, id: record.job.id, text: try serializer.encode(record))
  }

  /// Stores a new job, and removes the one that it replaces.
  func keep(_ record: JobRecord, insteadOf replaced: Int64?) throws(JobError) {
    do {
      try persister.change(keeping: [try kept(record)], removing: replaced.map { [$0] } ?? [])
    } catch {
      throw .notKept(id: record.job.id, reason: "\(error)")
    }
  }

  /// Stores a job again, as it was before its start.
  func keepAgain(_ record: JobRecord) throws {
    try persister.change(keeping: [try kept(record)], removing: [])
  }

  /// Stores the changes of events.
  func apply(_ events: [JobEvent]) throws {
    var keeping: [KeptJob] = []
    var removing: [Int64] = []
    for event in events {
      switch event {
      case .repeating(let record), .retrying(let record, _): keeping.append(try kept(record))
      case .started(let record) where record.job.maximumStarts != nil:
        keeping.append(try kept(record))
      case .completed(let record), .failed(let record, _), .cancelled(let record),
        .expired(let record):
        removing.append(record.sequence)
      default: break
      }
    }
    if keeping.isEmpty && removing.isEmpty { return }
    try persister.change(keeping: keeping, removing: removing)
  }
}

/// A store for jobs that survives the end of the process.
///
/// A queue calls its persister under its lock: from one thread at a time, and never from two stores at once.
public protocol JobPersister: AnyObject {
  /// Opens the store and returns its jobs. Called once, before anything else. Must move a damaged store aside.
  ///
  /// Must throw if another persister has the store, in this process or another one, until that persister is released: two
  /// queues on one store would lose each other's jobs, and run them twice. See ``JobStoreLock``.
  func load() throws -> KeptJobs
  /// Adds or rewrites jobs, and removes others by their sequence numbers. If it throws, nothing has changed.
  ///
  /// After it returned, the change survives `kill -9`.
  func change(keeping: [KeptJob], removing: [Int64]) throws
}

/// Converts records to the text that a persister keeps, and back.
public struct JobSerializer: Sendable {
  /// Encodes a record as text of one or several lines, which `decode` turns into the same record.
  public let encode: @Sendable (JobRecord) throws -> String
  /// Decodes such a text; throws if it is invalid.
  public let decode: @Sendable (String) throws -> JobRecord

  /// - Parameters:
  ///   - encode: converts a record to text.
  ///   - decode: converts such a text to a record, or throws.
  public init(
    encode: @escaping @Sendable (JobRecord) throws -> String,
    decode: @escaping @Sendable (String) throws -> JobRecord
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// JSON, with one object for each job.
  public static let json = JobSerializer(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode(JobRecord.self, from: Data($0.utf8)) })
}

/// A job of a queue that cannot be run, because its record, its type or its parameters cannot be read.
public struct UnreadableJob: Hashable, Sendable {
  let kept: KeptJob
  /// What cannot be read, for people.
  public let reason: String

  init(_ kept: KeptJob, reason: String) {
    self.kept = kept
    self.reason = reason
  }

  /// The job's id, which another job may have since.
  public var id: String { kept.id }
  /// The job's record, as it is in the store.
  public var text: String { kept.text }
}

/// A job in a persister's store.
public struct KeptJob: Hashable, Sendable {
  /// The job's place in the order of adding, unique within a store.
  public var sequence: Int64
  /// The job's id.
  public var id: String
  /// The record, encoded by a ``JobSerializer``.
  public var text: String

  /// - Parameters:
  ///   - sequence: the job's place in the order of adding.
  ///   - id: the job's id.
  ///   - text: the encoded record.
  public init(sequence: Int64, id: String, text: String) {
    self.sequence = sequence
    self.id = id
    self.text = text
  }
}

/// The contents of an opened store.
public struct KeptJobs: Hashable, Sendable {
  /// The kept jobs, in the order of their sequence numbers.
  public var jobs: [KeptJob]
  /// The damaged store that was moved aside, if any.
  public var setAside: SetAside?

  /// - Parameters:
  ///   - jobs: the kept jobs, in the order of their sequence numbers.
  ///   - setAside: the damaged store that was moved aside, if any.
  public init(_ jobs: [KeptJob], setAside: SetAside? = nil) {
    self.jobs = jobs
    self.setAside = setAside
  }

  /// A damaged store, which was moved aside so that nothing is lost.
  public struct SetAside: Hashable, Sendable {
    /// The store's new path.
    public var path: String
    /// The damage, for people.
    public var reason: String

    /// - Parameters:
    ///   - path: the store's new path.
    ///   - reason: the damage, for people.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }
}

/// Keeps all jobs in one file, a JSON dictionary that is rewritten at each change.
///
/// The file is readable by people, but the cost of a change grows with the number of kept jobs. The new file is written
/// beside the old one and renamed over it, so a complete file exists however the process ends. After a power failure the
/// last changes may be missing.
public final class FilePersister: JobPersister {
  private let path: String
  private var lock: JobStoreLock?
  private var contents = Contents()

  /// - Parameter path: the path of the file, which is created with the first kept job. Its folder must exist.
  public init(path: String) { self.path = path }

  public func load() throws -> KeptJobs {
    lock = try JobStoreLock(storeAt: path)
    guard FileManager.default.fileExists(atPath: path) else { return KeptJobs([]) }
    let data = try Data(contentsOf: URL(filePath: path))
    do {
      contents = try JSONDecoder().decode(Contents.self, from: data)
    } catch {
      let aside = try moveAside([path])
      return KeptJobs([], setAside: .init(path: aside, reason: "\(error)"))
    }
    return KeptJobs(contents.kept)
  }

  public func change(keeping: [KeptJob], removing: [Int64]) throws {
    guard lock != nil else { throw SystemFailure("'\(path)' is not open") }
    var changed = contents
    for sequence in removing { changed.jobs[Int(sequence)] = nil }
    for job in keeping {
      changed.jobs[Int(job.sequence)] = Contents.Entry(id: job.id, text: job.text)
    }
    let beside = path + ".new"
    try write(try JSONEncoder().encode(changed), to: beside)
    guard unsafe rename(beside, path) == 0 else { throw SystemFailure("rename", beside) }
    contents = changed
  }

  /// Does not wait for the disk, unlike Foundation's function. Waiting would survive a power failure, but takes milliseconds.
  private func write(_ data: Data, to path: String) throws {
    guard let file = unsafe fopen(path, "w") else { throw SystemFailure("open", path) }
    let written = unsafe data.withUnsafeBytes { bytes in
      unsafe fwrite(bytes.baseAddress, 1, bytes.count, file)
    }
    let isClosed = unsafe fclose(file) == 0
    if written < data.count || !isClosed { throw SystemFailure("write", path) }
  }

  private struct Contents: Codable {
    var jobs: [Int: Entry] = [:]

    struct Entry: Codable {
      let id: String
      let text: String
    }

    var kept: [KeptJob] {
      jobs.map { KeptJob(sequence: Int64($0.key), id: $0.value.id, text: $0.value.text) }
        .sorted { $0.sequence < $1.sequence }
    }
  }
}

/// A call of the system that failed.
struct SystemFailure: Error, CustomStringConvertible {
  let description: String

  init(_ text: String) { description = text }

  init(_ what: String, _ path: String) {
    description = "cannot \(what) '\(path)': system error \(errno)"
  }
}

/// Moves the files of a damaged store to unused names, and returns the first one.
func moveAside(_ paths: [String]) throws -> String {
  let files = FileManager.default
  var number = 1
  while files.fileExists(atPath: "\(paths[0]).damaged-\(number)") { number += 1 }
  for path in paths where files.fileExists(atPath: path) {
    try files.moveItem(atPath: path, toPath: "\(path).damaged-\(number)")
  }
  return "\(paths[0]).damaged-\(number)"
}

/// Keeps jobs in an SQLite database, one per row. A change costs the same for any number of kept jobs.
public final class SQLitePersister: JobPersister {
  private let path: String
  private var lock: JobStoreLock?
  private var table: Table?

  /// - Parameter path: the path of the database, which is created at the first use. Its folder must exist.
  public init(path: String) { self.path = path }

  public func load() throws -> KeptJobs {
    lock = try JobStoreLock(storeAt: path)
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
