internal import Foundation
internal import FrameBudgetTesting
internal import FrameBudgetReports

/// The entry point of `swift package frame-budget` and `swift run frame-budget`.
@main
struct FrameBudgetCommand {
  private let options: CommandOptions

  static func main() {
    let status: CommandStatus
    do throws(CommandError) {
      let options = try CommandOptions(Array(CommandLine.arguments.dropFirst()))
      status = try FrameBudgetCommand(options: options).run()
    } catch {
      complain(error.message)
      status = error.status
    }
    exit(status.rawValue)
  }

  private func run() throws(CommandError) -> CommandStatus {
    if options.wantsHelp {
      Self.print(CommandOptions.help)
      return .success
    }
    let baseline = options.baseline.map(BaselineFolder.init)
    if !options.updatesBaseline { try baseline?.requirePresence() }
    let folder = try preparedFolder()
    let havePassed = try TestRun(options: options, output: folder.absoluteURL.path).run()
    let measurements = try measurements(in: folder)
    guard !measurements.isEmpty else { throw Self.nothing(havePassed) }
    try MeasuredResults(measurements).write(to: folder)
    let checks = try checks(of: measurements, beside: baseline)
    Self.print(text(checks, measurements))
    Self.note("the results are in \(folder.path); frames.html shows them")
    return Self.status(checks, havePassed)
  }

  // MARK: Measurements

  private func preparedFolder() throws(CommandError) -> URL {
    let manager = FileManager.default
    let path = options.output ?? "\(options.workFolder)/results"
    let folder = URL(filePath: path)
    do {
      if options.output == nil {
        if manager.fileExists(atPath: path) { try manager.removeItem(at: folder) }
      } else if let names = try? manager.contentsOfDirectory(atPath: path), !names.isEmpty {
        throw CommandError(.cannotCreate, "\(path) exists already, and is never overwritten")
      }
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(.cannotCreate, "cannot create the folder \(path): \(error)")
    }
    return folder
  }

  private func measurements(in folder: URL) throws(CommandError) -> [RecordedMeasurement] {
    do {
      return try RecordedMeasurement.all(in: folder)
    } catch {
      throw CommandError(.badInput, "the records in \(folder.path) cannot be read: \(error)")
    }
  }

  private static func nothing(_ havePassed: Bool) -> CommandError {
    havePassed
      ? CommandError(.noInput, "no test measured frames; choose others with --filter")
      : CommandError(.failed, "the tests failed, and none measured frames")
  }

  private func checks(
    of measurements: [RecordedMeasurement], beside baseline: BaselineFolder?
  ) throws(CommandError) -> FrameChecks {
    if options.updatesBaseline {
      try baseline?.update(measurements)
      Self.note("baselines were written to \(baseline?.path ?? "")")
    }
    var checks: [FrameCheck] = []
    for measurement in measurements {
      var own = measurement.checks
      if let baseline, !options.updatesBaseline { own += try baseline.checks(measurement) }
      checks += own.map { FrameCheck($0, of: measurement.name) }
    }
    return FrameChecks(checks)
  }

  // MARK: Verdicts

  private func text(_ checks: FrameChecks, _ measurements: [RecordedMeasurement]) -> String {
    switch options.format {
    case .table: checks.table(measurements.map { ($0.name, $0.file.summary) })
    case .json: checks.json
    case .markdown: checks.markdown
    case .junit: checks.junit
    case .github: checks.github
    }
  }

  /// The exit status. A test that requires `met` also fails for an unsure verdict, which alone is not a failure of the command.
  static func status(_ checks: FrameChecks, _ havePassed: Bool) -> CommandStatus {
    switch checks.outcome {
    case .missed: return .failed
    case .unsure where !checks.checks.isEmpty:
      if !havePassed {
        note("tests failed, because they require a verdict that is unsure")
      }
      return .inconclusive
    case .met, .unsure:
      guard havePassed else {
        complain("tests failed for reasons other than frames")
        return .failed
      }
      return checks.outcome == .met ? .success : .inconclusive
    }
  }

  // MARK: Streams

  private static func print(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  private static func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  private static func complain(_ text: String) { note("frame-budget: \(text)") }
}

extension FrameCheck {
  init(_ check: RecordedCheck, of test: String) {
    let outcome: Outcome =
      switch check.verdict.outcome {
      case .met: .met
      case .missed: .missed
      case .unsure: .unsure
      }
    self.init(
      test: test, name: check.name, value: check.value, outcome: outcome, word: check.word,
      note: check.note)
  }
}

/// The parsed command line.
struct CommandOptions {
  enum Format: String, CaseIterable { case table, json, markdown, junit, github }

  private(set) var packagePath = "."
  private(set) var scratch: String?
  private(set) var output: String?
  private(set) var baseline: String?
  private(set) var updatesBaseline = false
  private(set) var filters: [String] = []
  private(set) var format = Format.table
  /// Arguments for `swift test`.
  private(set) var testArguments: [String] = []
  private(set) var wantsHelp = false

  init(_ arguments: [String]) throws(CommandError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        testArguments = Array(rest)
        break
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try read(String(parts[0]), given: parts.count == 2 ? String(parts[1]) : nil, &rest)
    }
    if updatesBaseline && baseline == nil {
      throw CommandError(.usage, "--update-baseline needs --baseline DIR, the folder to write to")
    }
  }

  private mutating func read(
    _ name: String, given: String?, _ rest: inout ArraySlice<String>
  ) throws(CommandError) {
    func value() throws(CommandError) -> String {
      guard let value = given ?? rest.popFirst(), !value.isEmpty else {
        throw CommandError(.usage, "\(name) needs a value; see --help")
      }
      return value
    }
    switch name {
    case "--package-path": packagePath = try value()
    case "--scratch-path": scratch = try value()
    case "-o", "--output": output = try value()
    case "--baseline": baseline = try value()
    case "--filter": filters.append(try value())
    case "--format": format = try Self.format(try value())
    case "--update-baseline" where given == nil: updatesBaseline = true
    case "-h" where given == nil, "--help" where given == nil: wantsHelp = true
    default:
      throw CommandError(
        .usage,
        "'\(name)' is not an option; see --help, and use -- for arguments of swift test")
    }
  }

  private static func format(_ word: String) throws(CommandError) -> Format {
    guard let format = Format(rawValue: word) else {
      let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(.usage, "'\(word)' is not a format; allowed: \(names)")
    }
    return format
  }

  /// The folder for builds, and for results without `-o`.
  var workFolder: String { scratch ?? "\(packagePath)/.build/frame-budget" }

  static let help = """
    Runs the tests of a package that measure frames, in release mode, and prints their verdicts.

    USAGE: swift package frame-budget [OPTIONS] [-- ARGUMENTS OF swift test]
           swift run frame-budget [OPTIONS] [-- ARGUMENTS OF swift test]

    Runs tests with the tag frameBudget or, if there are none, those of all test targets that depend on
    FrameBudgetTesting. Results are in .build/frame-budget/results: summary.csv, workloads.csv, frames.csv, run.json,
    trace.json, the page frames.html, and for each measurement its scenario.

      --filter REGEX       run these tests instead, as in swift test; may be repeated
      --baseline DIR       compare closures with the baselines in a folder, a file for each test
      --update-baseline    write the baselines instead
      --format FORMAT      table (default), json, markdown, junit, github
      -o, --output DIR     write the results to a folder, which must be new or empty
      --package-path DIR   the package; by default the working directory
      --scratch-path DIR   the build folder; by default .build/frame-budget

    Exit status 0: all limits are met, nothing became slower. 1: a limit is missed, a closure became slower, or a test failed.
    2: a verdict is unsure because of noise. 64: wrong usage. 65, 66: bad or missing input. 73, 74: results cannot be
    written. 'swift package' turns every status other than 0 into 1; 'swift run frame-budget' does not.

    """
}

/// The exit status of the command, with the numbers of `framebudget compare`.
enum CommandStatus: Int32, CaseIterable {
  case success = 0
  case failed = 1
  case inconclusive = 2
  case usage = 64
  case badInput = 65
  case noInput = 66
  case unavailable = 69
  case cannotCreate = 73
  case cannotWrite = 74
}

/// An error that ends the command.
struct CommandError: Error {
  let status: CommandStatus
  /// The problem and its remedy, in one line.
  let message: String

  init(_ status: CommandStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// A folder with a baseline for each measurement.
struct BaselineFolder {
  let path: String

  /// Makes the measurements the new baselines.
  func update(_ measurements: [RecordedMeasurement]) throws(CommandError) {
    do {
      for measurement in measurements { try measurement.file.baseline.write(to: file(measurement)) }
    } catch {
      throw CommandError(.cannotWrite, "baselines cannot be written to \(path): \(error)")
    }
  }

  /// Compares each closure with its baseline.
  func checks(_ measurement: RecordedMeasurement) throws(CommandError) -> [RecordedCheck] {
    do {
      return try measurement.file.baseline.checked(besides: file(measurement))
    } catch {
      throw CommandError(.badInput, "\(file(measurement)) is not a baseline: \(error)")
    }
  }

  func requirePresence() throws(CommandError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError(
        .noInput, "the baseline \(path) does not exist; --update-baseline writes it")
    }
  }

  private func file(_ measurement: RecordedMeasurement) -> String {
    "\(path)/\(measurement.name).json"
  }
}
