internal import CLinux
internal import Foundation
internal import Glibc

/// A terminal that nobody looks at: another process reads what is written to it.
struct PseudoTerminal {
  private let slave: Int32
  private let reader: Process

  init(columns: UInt16, rows: UInt16) throws {
    var ends: [Int32] = [-1, -1]
    let error = unsafe ends.withUnsafeMutableBufferPointer {
      unsafe clinux_open_terminal(columns, rows, $0.baseAddress)
    }
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENODEV) }
    slave = ends[1]
    reader = Process()
    reader.executableURL = URL(filePath: "/bin/cat")
    reader.standardInput = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    reader.standardOutput = FileHandle.nullDevice
    try reader.run()
    _ = unsafe setenv("TERM", "xterm-256color", 1)
  }

  /// Runs `body` with this terminal as standard input and output.
  func attached<Result>(_ body: () throws -> Result) throws -> Result {
    fflush(nil)
    let (input, output) = (dup(STDIN_FILENO), dup(STDOUT_FILENO))
    dup2(slave, STDIN_FILENO)
    dup2(slave, STDOUT_FILENO)
    defer {
      dup2(input, STDIN_FILENO)
      dup2(output, STDOUT_FILENO)
      Glibc.close(input)
      Glibc.close(output)
    }
    return try body()
  }

  func close() {
    Glibc.close(slave)
    reader.terminate()
  }
}
