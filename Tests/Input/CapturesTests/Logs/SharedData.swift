import FrameBudget
import Foundation
import FrameBudgetCaptures
import FrameBudgetParsing
import TestSupport
import Testing

/// Recordings of other tools that are not part of the repository: in a folder `shared/data` at or above it.
enum SharedData {
  static let folder = Project.shared("data")

  static let missing: Comment = "no folder shared/data at or above the package: recordings skipped"

  /// The output of a program that must succeed.
  static func output(of program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return data
  }

  static func read(_ file: String, hz: Int64? = nil) throws -> ImportedLog {
    let folder = try #require(folder)
    return try ImportedLog(
      ByteSource(path: "\(folder)/\(file)"), refresh: hz.map { RefreshRate($0) })
  }
}
