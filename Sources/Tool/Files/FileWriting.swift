internal import Glibc
internal import Parsing

/// Writing bytes to where the system wants them.
enum FileWriting {
  /// Writes all of `bytes`, however many calls that takes; what went wrong, if something did.
  static func write(_ bytes: [UInt8], to file: Int32) -> SystemError? {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        return .last
      }
    }
    return nil
  }
}

/// An error number of the system, in its words.
struct SystemError: Error, Hashable, CustomStringConvertible {
  let number: Int32

  static var last: SystemError { SystemError(number: errno) }

  var description: String { InputFile.describe(number) }
}
