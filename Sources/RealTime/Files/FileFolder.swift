internal import Glibc

/// The regular files of one folder, those in folders within it not included.
struct FileFolder: Sendable {
  /// In the order of their names, so that every run gives every item the same file.
  let files: [String]

  /// Lists `path`, and reads every file once: what cannot be read is found before the run, and the first strategy of
  /// a comparison is not the only one to wait for the disk.
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
      // The name is the entry's last field and as long as its terminator says.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
