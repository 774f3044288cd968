internal import Glibc
internal import Parsing
internal import Scenarios

/// Bytes from outside: a file's, or a stream's.
enum InputBytes {
  static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let file = InputFile.open(path)
    guard file >= 0 else { throw SystemError(number: -file) }
    defer { close(file) }
    return try read(from: file)
  }

  /// Reads one byte more than allowed at most: the parser then says that it is too large.
  static func read(from file: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Limits.fileBytes {
      let count = unsafe block.withUnsafeMutableBytes { block in
        unsafe Glibc.read(file, block.baseAddress, block.count)
      }
      if count == 0 { break }
      if count > 0 {
        bytes += block[..<count]
      } else if errno != EINTR {
        throw .last
      }
    }
    return bytes
  }
}
