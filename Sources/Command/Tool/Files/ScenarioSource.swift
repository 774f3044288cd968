internal import SchedulableThreads
internal import FrameBudget
internal import Glibc
internal import FrameBudgetCaptures
internal import FrameBudgetParsing
internal import FrameBudgetScenarios

/// The text of a scenario, and its name in errors: that of a file, of standard input, or of a shipped scenario.
struct ScenarioSource {
  let name: String
  let bytes: [UInt8]
  private let parsed: ParsedScenario
  /// The contents of files that it names, by their names in it; others are read.
  private var files: [String: [UInt8]] = [:]

  /// A scenario of this process, as in a file `name` with `files` beside it.
  init(name: String, bytes: [UInt8], files: [String: [UInt8]]) throws(ToolError) {
    (self.name, self.bytes, self.files) = (name, bytes, files)
    parsed = try Self.parsed(bytes, name)
  }

  /// Reads SCENARIO: `-`, the name of a shipped scenario, or a path.
  ///
  /// Rejects an invalid file here, so that later errors are due to flags.
  init(_ argument: String, on console: Console) throws(ToolError) {
    let shipped = ShippedScenarios.scenario(argument)
    name = argument == "-" ? "standard input" : shipped?.file ?? argument
    let bytes: [UInt8]
    do {
      if let shipped {
        bytes = shipped.bytes
      } else if argument == "-" {
        bytes = try InputBytes.read(from: console.input)
      } else {
        bytes = try InputBytes.read(argument)
      }
    } catch {
      throw Self.failure(name, error)
    }
    self.bytes = bytes
    parsed = try Self.parsed(bytes, name)
    _ = try scenario()
  }

  private static func parsed(_ bytes: [UInt8], _ name: String) throws(ToolError) -> ParsedScenario {
    try ToolError.reading { () throws(ScenarioError) in try ParsedScenario(bytes, file: name) }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The scenario with `overrides` applied.
  func scenario(_ overrides: [Override] = []) throws(ToolError) -> Scenario {
    try scenario(overrides, recording: recording)
  }

  func scenario(
    _ overrides: [Override], recording: @escaping ScenarioFile.RecordingReader
  ) throws(ToolError) -> Scenario {
    var scenario = try ToolError.reading { () throws(ScenarioError) in
      try parsed.scenario(overrides, recording: recording)
    }
    for index in scenario.workloads.indices {
      scenario.workloads[index].files = scenario.workloads[index].files.map(path)
    }
    return scenario
  }

  /// The scenario's text with new costs for some of its steps.
  func text(with costs: [ScenarioFile.StepCost]) throws(ToolError) -> String {
    try ToolError.reading { () throws(ScenarioError) in
      try ScenarioFile.text(of: bytes, file: name, with: costs)
    }
  }

  /// The scenario with `overrides` applied, comparing `strategies` instead of its own, for a file at `path`.
  func comparing(
    _ strategies: [Strategy], _ overrides: [Override], at path: String
  ) throws(ToolError) -> ScenarioSource {
    let way = FilePath.way(from: FilePath.folder(of: path), to: FilePath.folder(of: name))
    let text = try ToolError.reading { () throws(ScenarioError) in
      try ScenarioFile.text(
        of: bytes, file: name, overrides: overrides, comparing: strategies, way: way)
    }
    let moved = files.map { ("\(way)\($0.key)", $0.value) }
    return try ScenarioSource(
      name: path, bytes: Array(text.utf8), files: Dictionary(moved) { first, _ in first })
  }

  /// A scenario file in the same folder whose name differs by a few letters.
  private static func similarFile(to path: String) -> String? {
    let folder = FilePath.folder(of: path)
    let files = StagedOutput.names(in: folder).filter { $0.hasSuffix(".yaml") }
    return Spelling.nearest(to: FilePath.name(of: path), among: files.sorted())
      .map { folder + $0 }
  }

  private static func failure(_ name: String, _ error: SystemError) -> ToolError {
    var message = "cannot open \(name): \(error)"
    let names = ShippedScenarios.all.map(\.name)
    if unsafe access("\(name).yaml", R_OK) == 0 {
      // A folder of that name, with results, may be beside it.
      message += "; did you mean '\(name).yaml'?"
    } else if error.number == ENOENT && !name.contains("/") && !name.hasSuffix(".yaml") {
      message += Spelling.suggestion(for: name, among: names)
    } else if error.number == ENOENT, let near = similarFile(to: name) {
      message += "; did you mean '\(near)'?"
    }
    return ToolError(.noInput, message)
  }
}

extension ToolError {
  /// A mistake in a file is bad input; a mistake only in flags is wrong usage.
  init(_ error: ScenarioError) {
    let isInFile = error.faults.contains { if case .file = $0.location { true } else { false } }
    self.init(isInFile ? .badInput : .usage, error.description)
  }
}

// Files that a scenario names.

extension ScenarioSource {
  /// Reads a recording that a scenario names, relative to the folder of the scenario's own file.
  func recording(
    _ file: String, _ column: String
  ) throws(ScenarioFile.RecordingError) -> RecordedDurations {
    do throws(InputError) {
      let source =
        if let bytes = files[file] {
          ByteSource(bytes, name: file)
        } else {
          try ByteSource(path: path(file))
        }
      return try RecordedColumn.durations(source, column: column)
    } catch {
      throw ScenarioFile.RecordingError(error.description)
    }
  }

  /// The checksum of the scenario with `changes`, and of the recordings that it names.
  func checksum(_ changes: [Override]) throws(ToolError) -> Checksum {
    let sum = Locked(Checksum(bytes))
    _ = try scenario(changes) { (file, column) throws(ScenarioFile.RecordingError) in
      let durations = try recording(file, column)
      for place in 0..<durations.count {
        sum.withLock { $0.add("\(durations[place].nanoseconds),".utf8) }
      }
      return durations
    }
    return sum.withLock(\.self)
  }

  /// Resolves a path relative to the folder of the scenario's own file.
  func path(_ file: String) -> String {
    file.hasPrefix("/") ? file : FilePath.folder(of: name) + file
  }
}
