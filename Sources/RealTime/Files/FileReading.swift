internal import Glibc

/// Asking about and reading files, by the system's own calls.
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
