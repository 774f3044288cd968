internal import CFrameBudgetLinux
internal import Glibc

/// A file that appears complete or not at all, and replaces another one only by `replace`.
///
/// It is written under another name; `commit` renames it. Without that it is removed.
struct NewFile: ~Copyable {
  private let path: String
  private let place: StagedOutput

  /// Reports removed leftovers of a killed run on `console`.
  init(_ path: String, on console: Console? = nil) throws(ToolError) {
    if let console { StagedOutput.removeLeftovers(of: path, on: console) }
    try Self.requireAbsent(path)
    try self.init(inPlaceOf: path)
  }

  /// Beside a file that may exist.
  init(inPlaceOf path: String) throws(ToolError) {
    do {
      place = try StagedOutput(beside: path)
    } catch {
      throw ToolError(.cannotCreate, "cannot create \(path): \(error)")
    }
    self.path = path
  }

  func write(_ text: String) throws(ToolError) {
    if let error = FileWriting.write(Array(text.utf8), to: place.descriptor) {
      throw failure(error)
    }
  }

  /// Returns once its contents have reached the disk.
  func sync() throws(ToolError) {
    guard fsync(place.descriptor) == 0 else { throw failure(.last) }
  }

  /// Renames the file after its contents have reached the disk; to `hidden` if that is given, where its result is staged.
  consuming func commit(as hidden: String? = nil) throws(ToolError) {
    try sync()
    let error = place.rename(to: hidden ?? path)
    if error == EEXIST { throw Self.exists(path) }
    if error != 0 { throw failure(SystemError(number: error)) }
  }

  /// The same in the place of the file that is there.
  consuming func replace() throws(ToolError) {
    try sync()
    let error = place.replace(path)
    if error != 0 { throw failure(SystemError(number: error)) }
  }

  /// Checks before a long run that the name is free.
  static func requireAbsent(_ path: String) throws(ToolError) {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { throw exists(path) }
  }

  static func write(
    _ text: String, to path: String, on console: Console? = nil
  ) throws(ToolError) {
    let file = try NewFile(path, on: console)
    try file.write(text)
    try file.commit()
  }

  /// Writes to the first free name; returns it.
  static func write(
    _ text: String, toFirstFree prefix: String, _ ending: String
  ) throws(ToolError) -> String {
    let name = firstFree(prefix, ending)
    try write(text, to: name)
    return name
  }

  /// The first free name of `PREFIXENDING`, `PREFIX-2ENDING` ...
  static func firstFree(_ prefix: String, _ ending: String = "") -> String {
    var name = prefix + ending
    var number = 1
    var status = stat()
    while unsafe lstat(name, &status) == 0 {
      number += 1
      name = "\(prefix)-\(number)\(ending)"
    }
    return name
  }

  private static func exists(_ path: String) -> ToolError {
    ToolError(.cannotCreate, "\(path) exists already; choose another name, or move it away")
  }

  private func failure(_ error: SystemError) -> ToolError {
    ToolError(.cannotWrite, "cannot write \(path): \(error)")
  }
}

/// A folder that appears complete or not at all, and never replaces another one.
struct NewFolder: ~Copyable {
  private let path: String
  private let place: StagedOutput

  init(_ path: String, on console: Console? = nil) throws(ToolError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    if let console { StagedOutput.removeLeftovers(of: path, on: console) }
    try NewFile.requireAbsent(path)
    do {
      place = try StagedOutput(beside: path, isFolder: true)
    } catch {
      throw ToolError(.cannotCreate, "cannot create \(path): \(error)")
    }
    self.path = path
  }

  /// The path of its files until it is renamed.
  var hidden: String { place.path }

  func write(_ bytes: [UInt8], to name: String) throws(ToolError) {
    do { try place.write(bytes, to: name) } catch { throw failure(error) }
  }

  /// Opens a new file in it, which the caller closes.
  func open(_ name: String) throws(ToolError) -> Int32 {
    do { return try place.open(name) } catch { throw failure(error) }
  }

  /// Renames the folder.
  consuming func commit() throws(ToolError) {
    let error = place.rename(to: path)
    if error != 0 { throw failure(SystemError(number: error)) }
  }

  private func failure(_ error: SystemError) -> ToolError {
    ToolError(.cannotWrite, "cannot write \(path): \(error)")
  }
}

/// An unfinished file or folder, beside its name, as `.NAME.PROCESS.unfinished`.
///
/// Removed with this value, or when a signal ends the process. It is open and locked meanwhile, so that other processes can
/// distinguish it from the leftover of a killed one.
struct StagedOutput: ~Copyable {
  let path: String
  let descriptor: Int32
  private let place: Int32

  private static let ending = ".unfinished"

  /// A hidden name beside `path`, of this process.
  static func hidden(_ path: String, _ ending: String) -> String {
    "\(FilePath.folder(of: path)).\(FilePath.name(of: path)).\(getpid())\(ending)"
  }

  /// Creates an unfinished file, or folder, for `path`.
  init(beside path: String, isFolder: Bool = false) throws(SystemError) {
    self.path = Self.hidden(path, Self.ending)
    // Noted first: a signal right behind the creation removes it, too.
    let noted = unsafe clinux_unfinished(self.path)
    do throws(SystemError) {
      descriptor = try Self.created(self.path, isFolder: isFolder)
    } catch {
      clinux_finished(noted)
      throw error
    }
    place = noted
  }

  deinit {
    // After a rename there is nothing to remove.
    unsafe clinux_remove(path)
    clinux_finished(place)
    clinux_unlock_and_close(descriptor)
  }

  /// Renames it; returns the system's error number, 0 for success.
  func rename(to path: String) -> Int32 { unsafe clinux_rename_new(self.path, path) }

  /// The same in the place of the file that is there.
  func replace(_ path: String) -> Int32 { unsafe Glibc.rename(self.path, path) == 0 ? 0 : errno }

  /// Writes a new file in an unfinished folder; returns once its contents have reached the disk if `synced`.
  func write(_ bytes: [UInt8], to name: String, synced: Bool = false) throws(SystemError) {
    let file = try open(name)
    defer { close(file) }
    if let error = FileWriting.write(bytes, to: file) { throw error }
    if synced, fsync(file) != 0 { throw .last }
  }

  /// Opens a new file in an unfinished folder, which the caller closes.
  func open(_ name: String) throws(SystemError) -> Int32 {
    let file = unsafe openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .last }
    return file
  }

  private static func created(_ path: String, isFolder: Bool) throws(SystemError) -> Int32 {
    for _ in 1..<maxTries {
      let descriptor = try opened(path, isFolder: isFolder)
      if isAt(path, descriptor) { return descriptor }
      // Another process took it for a leftover before it was locked, and removed it.
      clinux_unlock_and_close(descriptor)
    }
    return try opened(path, isFolder: isFolder)
  }

  private static let maxTries = 3

  private static func opened(_ path: String, isFolder: Bool) throws(SystemError) -> Int32 {
    let descriptor = isFolder ? newFolder(path) : newFile(path)
    guard descriptor >= 0 else { throw .last }
    // Some file systems have no locks; there no process removes leftovers.
    _ = clinux_lock(descriptor)
    return descriptor
  }

  private static func newFile(_ path: String) -> Int32 {
    unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  }

  private static func newFolder(_ path: String) -> Int32 {
    guard unsafe mkdir(path, 0o777) == 0 else { return -1 }
    return unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Whether the open file is still the one at `path`.
  static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
    var (open, named) = (stat(), stat())
    return unsafe fstat(descriptor, &open) == 0 && lstat(path, &named) == 0
      && open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }

  // MARK: Leftovers

  /// Removes the leftovers of killed processes for `path`, and reports it.
  static func removeLeftovers(of path: String, on console: Console) {
    forEach(of: path, ending) { leftover in
      guard Self.lock(leftover, { unsafe clinux_remove(leftover) }) else { return }
      if unsafe access(leftover, F_OK) != 0 {
        console.note("removed \(leftover), a leftover of a killed run")
      }
    }
  }

  /// Passes the paths that processes have made by `hidden(path, ending)`.
  static func forEach<Failure: Error>(
    of path: String, _ ending: String, _ body: (String) throws(Failure) -> Void
  ) throws(Failure) {
    let (folder, name) = (FilePath.folder(of: path), FilePath.name(of: path))
    for found in names(in: folder) where isHidden(found, of: name, ending) {
      try body(folder + found)
    }
  }

  private static func isHidden(_ found: String, of name: String, _ ending: String) -> Bool {
    guard found.hasPrefix(".\(name)."), found.hasSuffix(ending) else { return false }
    let process = found.dropFirst(name.count + 2).dropLast(ending.count)
    return !process.isEmpty && process.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Calls `body` with the file or folder at `path` locked. Returns false if a running process has locked it, or it is gone.
  static func lock<Failure: Error>(
    _ path: String, _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { clinux_unlock_and_close(descriptor) }
    guard clinux_lock(descriptor) == 0, isAt(path, descriptor) else { return false }
    try body()
    return true
  }

  /// The names in a folder, the current one if it is empty; none if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { _ = unsafe closedir(stream) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // The system ends each name with a zero.
      let name = unsafe UnsafeRawPointer(entry).advanced(by: offset)
      names.append(unsafe String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    return names.filter { $0 != "." && $0 != ".." }
  }
}
