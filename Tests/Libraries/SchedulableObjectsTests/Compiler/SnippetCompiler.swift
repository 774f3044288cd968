import Foundation
import Glibc
import TestSupport

/// Compiles a piece of code against the library as it was built for these tests.
///
/// Region isolation is checked late, so the compiler has to go as far as `-emit-sil`.
enum SnippetCompiler {
  /// Declarations that every snippet may use.
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

  /// The folder of the module map of the C module that the library uses internally.
  private static let clinux = Project.folder.appending(path: "Sources/System/CLinux/include").path

  static func compile(_ code: String, _ flags: [String] = []) throws -> FinishedProgram {
    try withSource(prelude + code, named: "snippet.swift") { source in
      try run(
        compiler + flags + ["-emit-sil", "-parse-as-library", "-o", "/dev/null", source.path],
        in: source.deletingLastPathComponent())
    }
  }

  /// Builds a program against the library, and runs it; one without `@main` as a `main.swift`.
  static func runProgram(_ code: String) throws -> FinishedProgram {
    let hasEntry = code.contains("@main")
    return try withSource(code, named: hasEntry ? "program.swift" : "main.swift") { source in
      let folder = source.deletingLastPathComponent()
      let program = folder.appending(component: "program").path
      let built = try run(
        compiler + sanitizer + (hasEntry ? ["-parse-as-library"] : [])
          + ["-o", program, source.path] + objects(), in: folder)
      guard built.status == 0 else { return built }
      // Each line is written at once, so that both outputs are in the order of events.
      return try run(["stdbuf", "--output=L", "timeout", "\(Int(patience))", program], in: folder)
    }
  }

  private static let compiler = [
    "swiftc", "-swift-version", "6",
    "-I", Project.products.appendingPathComponent("Modules").path,
    "-I", clinux,
    "-module-cache-path", Project.products.appendingPathComponent("ModuleCache").path,
  ]

  /// The object files of the library's present sources. A build's folder also keeps those of files
  /// that no longer exist.
  private static func objects() throws -> [String] {
    let folders = [
      "SchedulableObjects": "Libraries/SchedulableObjects",
      "SchedulableThreads": "Libraries/Concurrency", "CFrameBudgetLinux": "System/CLinux",
    ]
    return try folders.flatMap { target, folder in
      let build = Project.products.appendingPathComponent("\(target).build").path
      let sources = Project.folder.appendingPathComponent("Sources/\(folder)").path
      let names = try FileManager.default.subpathsOfDirectory(atPath: sources)
        .map { "\(($0 as NSString).lastPathComponent).o" }
      return try FileManager.default.subpathsOfDirectory(atPath: build)
        .filter { names.contains(($0 as NSString).lastPathComponent) }.map { "\(build)/\($0)" }
    }
  }

  /// The sanitizer with which these tests are built, which the library then needs too.
  private static let sanitizer: [String] = {
    for (mark, name) in [("__tsan_init", "thread"), ("__asan_init", "address")]
    where unsafe dlsym(dlopen(nil, RTLD_NOW), mark) != nil { return ["-sanitize=\(name)"] }
    return []
  }()

  private static func withSource<R>(
    _ code: String, named name: String, _ body: (URL) throws -> R
  ) throws -> R {
    let scratch = try Scratch()
    try scratch.write(code, to: name)
    return try withExtendedLifetime(scratch) {
      try body(scratch.folder.appending(component: name))
    }
  }

  /// Runs a program whose own temporary files are in `folder`: the compiler leaves some.
  private static func run(_ arguments: [String], in folder: URL) throws -> FinishedProgram {
    try FinishedProgram(arguments, environment: ["TMPDIR": folder.path])
  }
}
