internal import Foundation
internal import FrameBudgetTesting

/// Runs a package's tests that measure frames, as a release build, one test at a time.
struct TestRun {
  let options: CommandOptions
  /// The folder in which measurements write their records.
  let output: String

  /// Returns whether all tests passed.
  func run() throws(CommandError) -> Bool {
    var arguments = ["test", "--no-parallel"] + building
    var filters = options.filters
    if filters.isEmpty {
      filters = try chosenFilters()
      arguments.append("--skip-build")
    }
    arguments += filters.flatMap { ["--filter", $0] }
    var environment = [RecordedMeasurement.variable: output]
    if options.updatesBaseline { environment["FRAMEBUDGET_UPDATE_BASELINE"] = "1" }
    return try SwiftProcess(environment: environment).run(arguments)
  }

  /// Options of the build: tests may import modules as testable.
  private var building: [String] {
    ["-c", "release", "-Xswiftc", "-enable-testing"] + places + options.testArguments
  }

  /// Options for a build folder of its own, because the usual one is locked while a plug-in runs.
  private var places: [String] {
    ["--package-path", options.packagePath, "--scratch-path", "\(options.workFolder)/build"]
  }

  // MARK: Choice of tests

  /// The tagged tests; without tags, all targets that can measure.
  private func chosenFilters() throws(CommandError) -> [String] {
    let tagged = try TaggedTests(building: building, in: options.workFolder).filters
    if !tagged.isEmpty { return tagged }
    let targets = try targets()
    guard !targets.isEmpty else {
      throw CommandError(
        .noInput,
        "no test has the tag frameBudget, and no test target depends on FrameBudgetTesting")
    }
    return targets.map { "^\(NSRegularExpression.escapedPattern(for: $0))\\." }
  }

  private func targets() throws(CommandError) -> [String] {
    guard
      let data = try SwiftProcess().output(["package"] + places + ["describe", "--type", "json"]),
      let package = try? JSONDecoder().decode(PackageDescription.self, from: data)
    else { throw CommandError(.badInput, "\(options.packagePath) is not a readable package") }
    return package.targets.filter(\.canMeasure).map(\.name)
  }
}

/// The output of `swift package describe`.
private struct PackageDescription: Decodable {
  let targets: [Target]

  struct Target: Decodable {
    let name: String
    let type: String
    let products: [String]?
    let targets: [String]?

    enum CodingKeys: String, CodingKey {
      case name, type
      case products = "product_dependencies"
      case targets = "target_dependencies"
    }

    var canMeasure: Bool {
      type == "test" && ((products ?? []) + (targets ?? [])).contains("FrameBudgetTesting")
    }
  }
}

/// The tests with the tag `frameBudget`.
///
/// Swift Testing lists tags among the records of the tests. Up to version 6.3 it does so only if an environment variable
/// enables experimental features; only later versions have `swift test --filter tag:`. Without this list no test counts as
/// tagged.
struct TaggedTests {
  /// A pattern for each tagged test.
  let filters: [String]

  init(building arguments: [String], in folder: String) throws(CommandError) {
    let file = URL(filePath: folder).appending(component: "tests.jsonl")
    try? FileManager.default.removeItem(at: file)
    let swift = SwiftProcess(environment: ["SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED": "1"])
    let list = ["test", "list", "--event-stream-output-path", file.path] + arguments
    guard try swift.run(list) else { throw CommandError(.failed, "the tests do not build") }
    filters = Self.filters(in: (try? Data(contentsOf: file)) ?? Data())
  }

  /// A pattern for each tagged test in records of Swift Testing, one record per line.
  static func filters(in records: Data) -> [String] {
    records.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let record = try? JSONDecoder().decode(Record.self, from: Data(line)),
        let test = record.payload, let id = test.id,
        ((test.tags ?? []) + (test.earlyTags ?? [])).contains(where: marksMeasurement)
      else { return nil }
      return "^" + NSRegularExpression.escapedPattern(for: withoutPlace(id))
    }
  }

  private static func marksMeasurement(_ tag: String) -> Bool {
    tag.split(separator: ".").last == "frameBudget"
  }

  /// Removes the source location after a function's id; suites have none.
  private static func withoutPlace(_ id: String) -> String {
    guard let slash = id.lastIndex(of: "/"), id[slash...].contains(".swift:") else { return id }
    return String(id[..<slash])
  }

  private struct Record: Decodable {
    let payload: Test?

    struct Test: Decodable {
      let id: String?
      let tags: [String]?
      let earlyTags: [String]?

      enum CodingKeys: String, CodingKey {
        case id, tags
        case earlyTags = "_tags"
      }
    }
  }
}

/// Runs the package manager as another process.
struct SwiftProcess {
  var environment: [String: String] = [:]

  /// Runs `swift` with `arguments` and shows its output on standard error. Returns whether it succeeded.
  func run(_ arguments: [String]) throws(CommandError) -> Bool {
    let process = process(arguments)
    process.standardOutput = FileHandle.standardError
    try start(process)
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }

  /// The output of `swift`; nil if it fails.
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
