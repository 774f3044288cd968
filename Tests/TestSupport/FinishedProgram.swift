internal import Foundation

/// A program that was run to its end.
package struct FinishedProgram {
  package let status: Int32
  /// Its standard output and its standard error.
  package let output: String

  /// Runs the program that `arguments` begin with; `environment` is added to that of the tests.
  ///
  /// No backtrace is made of a program that traps: the tracer also holds its outputs, and can outlive it.
  package init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: said, as: UTF8.self)
  }
}
