internal import Glibc

/// Reading a file that somebody names.
enum FileReading {
  /// All of the text at `path`, which is refused if it is larger than `limit` bytes.
  static func text(of path: String, limit: Int) throws(ToolError) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw ToolError(.noInput, "cannot open \(path): \(SystemError.last)") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while bytes.count <= limit {
      let count = unsafe block.withUnsafeMutableBytes { block in
        unsafe read(file, block.baseAddress, block.count)
      }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      if count > 0 {
        bytes += block[..<count]
      } else if errno != EINTR {
        throw ToolError(.noInput, "cannot read \(path): \(SystemError.last)")
      }
    }
    throw ToolError(.badInput, "\(path) is larger than the \(limit >> 20) MB allowed here")
  }
}
