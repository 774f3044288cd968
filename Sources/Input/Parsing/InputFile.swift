#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Opens files for reading without blocking on a pipe that has no writer.
public enum InputFile {
  /// Returns the file descriptor, or the negative error number of the system: `-ESPIPE` for a named pipe.
  public static func open(_ path: String) -> Int32 {
    let file = openForReading(path)
    guard file >= 0 else { return -errno }
    guard !isNamedPipe(file) else {
      close(file)
      return -ESPIPE
    }
    let flags = fcntl(file, F_GETFL)
    _ = fcntl(file, F_SETFL, flags & ~O_NONBLOCK)
    return file
  }

  /// The number of bytes in a file; nil for a stream or an invalid descriptor.
  static func size(of file: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Explains an error number of `open` to the user who named the file.
  public static func describe(_ error: Int32) -> String {
    switch error {
    case EISDIR: "it is a folder"
    case ESPIPE: "it is a named pipe, which may block forever; use - and standard input"
    default: unsafe String(cString: strerror(error))
    }
  }

  /// An unnamed pipe, as a shell passes it for `<(...)`, has a writer.
  private static func isNamedPipe(_ file: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return false }
    var target = [CChar](repeating: 0, count: 6)
    let count = unsafe readlink("/proc/self/fd/\(file)", &target, 6)
    return count < 6 || target != "pipe:[".utf8.map { CChar(bitPattern: $0) }
  }
}

/// Outside the type, which has a function of the same name.
private func openForReading(_ path: String) -> Int32 {
  unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
}
