import Foundation

/// Compiles a piece of code against the library as it was built for these tests.
///
/// Region isolation is checked late, so the compiler has to go as far as `-emit-sil`.
enum SnippetCompiler {
  /// What every snippet may use.
  static let prelude = """
    import SchedulableObjects

    final class Options {
      var isRich = false
    }
    final class Printer {
      var options: Options
      var width = 80
      init(_ options: Options) { self.options = options }
    }
    final class Box {
      var options: Options?
      var number = 0
    }

    """

  struct Outcome {
    let status: Int32
    let output: String
  }

  /// Where the C module is described that the library uses inside.
  private static var clinux: String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("Sources/CLinux/include").path
  }

  static func compile(_ code: String) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("snippet.swift")
    try (prelude + code).write(to: source, atomically: true, encoding: .utf8)
    return try run([
      "swiftc", "-emit-sil", "-swift-version", "6", "-parse-as-library",
      "-I", BuiltProducts.folder.appendingPathComponent("Modules").path,
      "-I", clinux,
      "-module-cache-path", BuiltProducts.folder.appendingPathComponent("ModuleCache").path,
      "-o", "/dev/null", source.path,
    ])
  }

  private static func run(_ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }
}
