internal import Foundation

/// Keeps all jobs in one file, a JSON dictionary that is rewritten at each change.
///
/// The file is readable by people, but the cost of a change grows with the number of kept jobs. The new file is written
/// beside the old one and renamed over it, so a complete file exists however the process ends. After a power failure the
/// last changes may be missing.
public final class FilePersister: JobPersister {
  private let path: String
  private var contents = Contents()

  /// - Parameter path: the path of the file, which is created with the first kept job. Its folder must exist.
  public init(path: String) { self.path = path }

  public func load() throws -> KeptJobs {
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
    var changed = contents
    for sequence in removing { changed.jobs[Int(sequence)] = nil }
    for job in keeping {
      changed.jobs[Int(job.sequence)] = Contents.Entry(id: job.id, text: job.text)
    }
    let beside = path + ".new"
    try write(try JSONEncoder().encode(changed), to: beside)
    guard unsafe rename(beside, path) == 0 else { throw SystemFailure(doing: "rename", beside) }
    contents = changed
  }

  /// Does not wait for the disk, unlike Foundation's function. Waiting would survive a power failure, but takes milliseconds.
  private func write(_ data: Data, to path: String) throws {
    guard let file = unsafe fopen(path, "w") else { throw SystemFailure(doing: "open", path) }
    let written = unsafe data.withUnsafeBytes { bytes in
      unsafe fwrite(bytes.baseAddress, 1, bytes.count, file)
    }
    let isClosed = unsafe fclose(file) == 0
    if written < data.count || !isClosed { throw SystemFailure(doing: "write", path) }
  }

  private struct SystemFailure: Error, CustomStringConvertible {
    let description: String

    init(doing what: String, _ path: String) {
      description = "cannot \(what) '\(path)': system error \(errno)"
    }
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
