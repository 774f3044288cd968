internal import Foundation
internal import FrameBudgetTesting

/// One run of a package's tests that measure frames: built for release, one test at a time.
struct TestRun {
  let options: CommandOptions
  /// Where measurements leave theirs.
  let output: String

  /// Runs them; whether all passed.
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

  /// Tests may look into the modules that they test.
  private var building: [String] {
    ["-c", "release", "-Xswiftc", "-enable-testing"] + places + options.testArguments
  }

  /// A build folder of its own: the usual one is locked while a plug-in runs.
  private var places: [String] {
    ["--package-path", options.packagePath, "--scratch-path", "\(options.workFolder)/build"]
  }

  // MARK: Which tests

  /// The tagged ones; where there is none, all of the targets that can measure.
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
    else { throw CommandError(.badInput, "\(options.packagePath) is no package that can be read") }
    return package.targets.filter(\.canMeasure).map(\.name)
  }
}

/// What the package manager says of a package.
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
