internal import Foundation

/// The package manager, as another process.
struct SwiftProcess {
  var environment: [String: String] = [:]

  /// Runs `swift` with `arguments` and shows on standard error what it prints; whether it succeeded.
  func run(_ arguments: [String]) throws(CommandError) -> Bool {
    let process = process(arguments)
    process.standardOutput = FileHandle.standardError
    try start(process)
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }

  /// What `swift` prints; nil if it fails.
  func output(_ arguments: [String]) throws(CommandError) -> Data? {
    let process = process(arguments)
    let pipe = Pipe()
    process.standardOutput = pipe
    try start(process)
    let data = try? pipe.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data ?? Data() : nil
  }

  private func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return process
  }

  private func start(_ process: Process) throws(CommandError) {
    do {
      try process.run()
    } catch {
      throw CommandError(.unavailable, "swift cannot be run: \(error.localizedDescription)")
    }
  }
}
