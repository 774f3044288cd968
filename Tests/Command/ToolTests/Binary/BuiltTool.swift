import Foundation
import TestSupport
import Testing

/// The built program, started by a shell, for tests of a whole process.
struct BuiltTool {
  let status: Int32
  let output: String
  let diagnostics: String

  /// Runs `script`, in which `$tool` is the program.
  init(_ script: String, environment: [String: String] = [:]) throws {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script]
    var variables = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
    variables.merge(environment) { $1 }
    variables["tool"] = try Self.path
    variables["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = variables
    try scratch.write("", to: "output")
    try scratch.write("", to: "diagnostics")
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: scratch.path("output")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: scratch.path("diagnostics")))
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    output = scratch.text("output") ?? ""
    diagnostics = scratch.text("diagnostics") ?? ""
  }

  /// The path of the program, beside the one that runs the tests.
  private static var path: String {
    get throws {
      let tool = Project.products.appending(component: "framebudget")
      try #require(FileManager.default.isExecutableFile(atPath: tool.path), "\(tool.path) is built")
      return tool.path
    }
  }
}
