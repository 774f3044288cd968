internal import CLinux
internal import Glibc

/// Where a file or a folder grows until it is whole: beside its name, as `.NAME.PROCESS.unfinished`.
///
/// It goes with this value, and with the process if a signal ends that. Open and locked meanwhile, so that other
/// processes can tell it from what a killed one has left.
struct StagedOutput: ~Copyable {
  let path: String
  let descriptor: Int32
  private let place: Int32

  private static let ending = ".unfinished"

  /// Creates a file, or a folder, for what is to be `path`.
  init(beside path: String, isFolder: Bool = false) throws(SystemError) {
    let (folder, name) = Self.parts(of: path)
    self.path = "\(folder).\(name).\(getpid())\(Self.ending)"
    descriptor = try Self.created(self.path, isFolder: isFolder)
    place = unsafe clinux_unfinished(self.path)
  }

  deinit {
    // Once it has its name nothing is here any more.
    unsafe clinux_remove(path)
    clinux_finished(place)
    clinux_unlock_and_close(descriptor)
  }

  /// Gives what has grown its name; an error number of the system, 0 if all is well.
  func rename(to path: String) -> Int32 { unsafe clinux_rename_new(self.path, path) }

  private static func created(_ path: String, isFolder: Bool) throws(SystemError) -> Int32 {
    for _ in 1..<mostTries {
      let descriptor = try opened(path, isFolder: isFolder)
      if isAt(path, descriptor) { return descriptor }
      // Another process has taken it for a leftover, before it was locked.
      clinux_unlock_and_close(descriptor)
    }
    return try opened(path, isFolder: isFolder)
  }

  private static let mostTries = 3

  private static func opened(_ path: String, isFolder: Bool) throws(SystemError) -> Int32 {
    let descriptor = isFolder ? newFolder(path) : newFile(path)
    guard descriptor >= 0 else { throw .last }
    // Some file systems have no locks; there nobody else can take one, and remove this.
    _ = clinux_lock(descriptor)
    return descriptor
  }

  private static func newFile(_ path: String) -> Int32 {
    unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  }

  private static func newFolder(_ path: String) -> Int32 {
    guard unsafe mkdir(path, 0o777) == 0 else { return -1 }
    return unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Whether what is open is still what has the name.
  static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
    var (open, named) = (stat(), stat())
    return unsafe fstat(descriptor, &open) == 0 && lstat(path, &named) == 0
      && open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }

  private static func parts(of path: String) -> (folder: String, name: Substring) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return (String(path.dropLast(name.count)), name)
  }

  // MARK: Leftovers

  /// Removes what killed processes have left of what was to be `path`, and says so.
  static func removeLeftovers(of path: String, on console: Console) {
    let (folder, name) = parts(of: path)
    for found in names(in: folder.isEmpty ? "." : folder) where isHidden(found, of: name) {
      let leftover = folder + found
      if remove(leftover) {
        console.note("removed \(leftover), which a run that was killed has left")
      }
    }
  }

  private static func isHidden(_ found: String, of name: Substring) -> Bool {
    guard found.hasPrefix(".\(name)."), found.hasSuffix(ending) else { return false }
    let process = found.dropFirst(name.count + 2).dropLast(ending.count)
    return !process.isEmpty && process.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// False for what a process that lives has locked.
  private static func remove(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { clinux_unlock_and_close(descriptor) }
    guard clinux_lock(descriptor) == 0, isAt(path, descriptor) else { return false }
    unsafe clinux_remove(path)
    return unsafe access(path, F_OK) != 0
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { _ = unsafe closedir(stream) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // The system ends each name with a zero.
      let name = unsafe UnsafeRawPointer(entry).advanced(by: offset)
      names.append(unsafe String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    return names
  }
}
