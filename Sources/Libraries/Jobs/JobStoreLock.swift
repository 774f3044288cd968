internal import SchedulableThreads
internal import Foundation

/// Reserves a store for one queue, in all processes, until it is released or the process ends.
///
/// It locks the file `<store>.lock` and writes there which process has the store. The file stays, because another process may
/// wait for it already. For persisters of an app: ``FilePersister`` and ``SQLitePersister`` use it themselves.
public final class JobStoreLock: Sendable {
  private let file: Int32

  /// Locks the store at `path`, which need not exist yet; its folder must.
  ///
  /// - Throws: ``JobStoreInUse`` if another queue has the store, or another error if the system refuses the file.
  public init(storeAt path: String) throws {
    let lockPath = path + ".lock"
    let file = Platform.openForLocking(lockPath)
    guard file >= 0 else { throw SystemFailure("open", lockPath) }
    let error = Platform.lock(file: file)
    guard error == 0 else {
      close(file)
      if error != EWOULDBLOCK {
        throw SystemFailure("cannot lock '\(lockPath)': \(Platform.describe(error: error))")
      }
      throw JobStoreInUse(path: path, owner: Self.owner(in: lockPath))
    }
    self.file = file
    writeOwner()
  }

  deinit { close(file) }

  /// For people, so an error is no reason to refuse the store.
  private func writeOwner() {
    let process = ProcessInfo.processInfo
    let text = Array("process \(process.processIdentifier) (\(process.processName))\n".utf8)
    guard ftruncate(file, 0) == 0 else { return }
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
  }

  private static func owner(in path: String) -> String {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return line.isEmpty ? "another process" : line
  }
}

/// The store of a queue belongs to another queue, of this process or another one.
public struct JobStoreInUse: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the store.
  public let path: String
  /// The process that has it: `process 4711 (PhotoApp)`.
  public let owner: String

  public var description: String {
    "'\(path)' belongs to a queue of \(owner); stop that queue, or use another store"
  }
}
