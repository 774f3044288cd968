internal import CFrameBudgetCrypto
internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import SchedulableJobs

/// The real work of a run: the files of its workloads, the findings of steps in them, and the costs.
final class FileWork: Sendable {
  private struct ItemKey: Hashable {
    let workload: WorkloadIndex
    let number: Int
  }

  private struct State {
    /// By item, until they are in the database.
    var findings: [ItemKey: FileFinding] = [:]
    /// By step.
    var costs: PerWorkload<[[TimeSpan]]>
    /// The first error.
    var problem: FileProblem?
  }

  /// Nil for a workload without files.
  private let folders: PerWorkload<FileFolder?>
  let catalogue: FileCatalogue
  private let state: Locked<State>

  /// Nil if no step of `plan` does real work.
  init?(_ plan: RunPlan) throws(FileProblem) {
    let workloads = plan.scenario.workloads
    guard workloads.contains(where: { $0.files != nil }) else { return nil }
    folders = PerWorkload(
      try workloads.map { workload throws(FileProblem) in
        try workload.files.map { path throws(FileProblem) in try FileFolder(path) }
      })
    catalogue = try FileCatalogue()
    state = Locked(
      State(costs: workloads.mapValues { $0.steps.map { _ in [] } }))
  }

  /// Performs the task of the item's next step.
  func perform(_ task: FileTask, for item: LiveItem) {
    let began = TimeSpan.usedByThisThread
    do {
      try work(task, for: item)
    } catch {
      state.withLock { state in
        if state.problem == nil { state.problem = error }
      }
    }
    let cost = TimeSpan.usedByThisThread - began
    state.withLock { $0.costs[item.workload][item.step].append(cost) }
  }

  /// The first error of a step.
  var problem: FileProblem? { state.withLock { $0.problem } }

  var measurements: [StepMeasurement] {
    let costs = state.withLock { $0.costs }
    return costs.indices.flatMap { workload in
      costs[workload].indices.map {
        StepMeasurement(workload: workload, step: $0, costs: costs[workload][$0])
      }
    }.filter { !$0.costs.isEmpty }
  }

  private func work(_ task: FileTask, for item: LiveItem) throws(FileProblem) {
    guard let path = folders[item.workload]?.file(item.number) else {
      preconditionFailure("a workload with real work has files")
    }
    let key = ItemKey(workload: item.workload, number: item.number)
    switch task {
    case .stat:
      let size = try FileReading.size(of: path)
      state.withLock { $0.findings[key, default: FileFinding()].size = size }
    case .readFile: try unsafe FileReading.read(path) { _ in }
    case .sha256:
      let digest = try SHA256.digest(of: path)
      state.withLock { $0.findings[key, default: FileFinding()].digest = digest }
    case .sqliteInsert:
      let finding = state.withLock { $0.findings.removeValue(forKey: key) }
      try catalogue.insert(path, finding ?? FileFinding())
    }
  }
}

/// The regular files of one folder, without its subfolders.
struct FileFolder: Sendable {
  /// Sorted by name, so that each item has the same file in every run.
  let files: [String]

  /// Lists `path` and reads every file once: errors appear before the run, and all strategies of a comparison find the files in
  /// the page cache.
  init(_ path: String) throws(FileProblem) {
    var files: [String] = []
    for name in try Self.names(in: path) {
      let file = "\(path)/\(name)"
      if try FileReading.isRegular(file) { files.append(file) }
    }
    self.files = files
    if files.isEmpty {
      throw FileProblem(
        "there are no files in \(path); 'framebudget make-files DIR' makes a folder with some")
    }
    for file in files { try unsafe FileReading.read(file) { _ in } }
  }

  func file(_ item: Int) -> String { files[item % files.count] }

  private static func names(in path: String) throws(FileProblem) -> [String] {
    guard let folder = unsafe opendir(path) else {
      let isMissing = errno == ENOENT
      let problem = FileProblem(last: path)
      throw isMissing
        ? FileProblem("\(problem); 'framebudget make-files \(path)' makes one") : problem
    }
    defer { unsafe _ = closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      // The name is the entry's last field and ends with a zero.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

enum FileReading {
  private static let blockSize = 1 << 16

  static func size(of path: String) throws(FileProblem) -> Int64 {
    var status = Glibc.stat()
    guard unsafe stat(path, &status) == 0 else { throw FileProblem(last: path) }
    return Int64(status.st_size)
  }

  static func isRegular(_ path: String) throws(FileProblem) -> Bool {
    var status = Glibc.stat()
    guard unsafe stat(path, &status) == 0 else { throw FileProblem(last: path) }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Reads the file block by block into one buffer.
  static func read(
    _ path: String, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(FileProblem) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileProblem(last: path) }
    defer { close(file) }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
    defer { unsafe block.deallocate() }
    while true {
      let count = unsafe Glibc.read(file, block.baseAddress, blockSize)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileProblem(last: path) }
      if count == 0 { return }
      unsafe body(UnsafeRawBufferPointer(rebasing: block[..<count]))
    }
  }
}

/// The database that steps insert into, in a temporary folder of this run.
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
      let folder = FileManager.default.temporaryDirectory.path
      throw FileProblem("cannot make a database in \(folder): \(error)")
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

  /// The row of `path`; nil if there is none.
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

/// The results of steps on a file.
struct FileFinding: Hashable, Sendable {
  var size: Int64?
  var digest: [UInt8]?
}

/// An incremental SHA-256, by OpenSSL.
@safe
struct SHA256: ~Copyable {
  private let context: OpaquePointer

  init() {
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else { preconditionFailure("OpenSSL has SHA-256, and memory for it") }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  func update(_ block: UnsafeRawBufferPointer) {
    let outcome = unsafe EVP_DigestUpdate(context, block.baseAddress, block.count)
    precondition(outcome == 1, "OpenSSL takes every block")
  }

  consuming func digest() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let outcome = unsafe EVP_DigestFinal_ex(context, &digest, nil)
    precondition(outcome == 1, "OpenSSL ends what it began")
    return digest
  }

  static func digest(of path: String) throws(FileProblem) -> [UInt8] {
    let hash = SHA256()
    try unsafe FileReading.read(path) { block in unsafe hash.update(block) }
    return hash.digest()
  }
}

/// A temporary folder, removed with this object and when a signal ends the process.
final class TemporaryFolder: Sendable {
  let url: URL
  private let registration: Int32

  /// - Parameter kind: part of the folder's name.
  /// - Throws: Foundation's error if the folder cannot be created.
  init(_ kind: String) throws {
    url = FileManager.default.temporaryDirectory
      .appending(component: "framebudget-\(kind)-\(UUID())")
    registration = unsafe clinux_unfinished(url.path(percentEncoded: false))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
    clinux_finished(registration)
  }
}

/// Why a file or a folder cannot be used.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  /// The error of the last system call, which was about `path`.
  init(last path: String) {
    self.init(unsafe "cannot read \(path): \(String(cString: strerror(errno)))")
  }
}
