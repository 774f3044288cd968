internal import Foundation
internal import FrameBudgetTesting
internal import Reports

/// The entry: what `swift package frame-budget` and `swift run frame-budget` run.
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

  // MARK: What was measured

  private func preparedFolder() throws(CommandError) -> URL {
    let manager = FileManager.default
    let path = options.output ?? "\(options.workFolder)/results"
    let folder = URL(filePath: path)
    do {
      if options.output == nil {
        if manager.fileExists(atPath: path) { try manager.removeItem(at: folder) }
      } else if let names = try? manager.contentsOfDirectory(atPath: path), !names.isEmpty {
        throw CommandError(.cannotCreate, "\(path) is there already, and is never overwritten")
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
      throw CommandError(.badInput, "what tests left in \(folder.path) cannot be read: \(error)")
    }
  }

  private static func nothing(_ havePassed: Bool) -> CommandError {
    havePassed
      ? CommandError(.noInput, "no test that was run measured frames; --filter chooses others")
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

  // MARK: What it comes to

  private func text(_ checks: FrameChecks, _ measurements: [RecordedMeasurement]) -> String {
    switch options.format {
    case .table: checks.table(measurements.map { ($0.name, $0.file.summary) })
    case .json: checks.json
    case .markdown: checks.markdown
    case .junit: checks.junit
    case .github: checks.github
    }
  }

  /// A test fails, too, where it asks for `met` and the verdict is unsure: that alone is no failure.
  static func status(_ checks: FrameChecks, _ havePassed: Bool) -> CommandStatus {
    switch checks.outcome {
    case .missed: return .failed
    case .unsure where !checks.checks.isEmpty:
      if !havePassed {
        note("tests failed, as they do where a verdict is unsure and has to be met")
      }
      return .inconclusive
    case .met, .unsure:
      guard havePassed else {
        complain("tests failed for other reasons than their frames")
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
      switch check.verdict {
      case .met: .met
      case .missed: .missed
      case .unsure: .unsure
      }
    self.init(
      test: test, name: check.name, value: check.value, outcome: outcome, word: check.word,
      note: check.note)
  }
}
