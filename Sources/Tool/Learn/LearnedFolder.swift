internal import FrameBudget
internal import Importing
internal import Learning
internal import Parsing
internal import Scenarios
internal import Simulation

/// What `learn` writes: the scenario that was learned, replayed once, and what came of that.
struct LearnedFolder {
  let replay: Learned.Replay
  /// `README.md`.
  let report: String
  private let learner: Learner

  init(_ learner: Learner) throws(ToolError) {
    self.learner = learner
    let scenario = try Self.scenario(learner)
    let agreement = Agreement(learner, try Self.run(scenario, "as-recorded", detail: .frames))
    var moves: [(service: String, log: RunLog)] = []
    for service in learner.services {
      let name = Learner.move(service)
      guard scenario.strategies.contains(where: { $0.name == name }) else { continue }
      moves.append((service, try Self.run(scenario, name, detail: .summary)))
    }
    replay = agreement.replay
    report = LearnReport(learner, agreement, moves: moves).text
  }

  func write(to folder: String, on console: Console) throws(ToolError) {
    let place = try NewFolder(folder, on: console)
    let files =
      [("\(learner.name).yaml", learner.scenario(replay: replay)), ("README.md", report)]
      + learner.tables.map { ($0.name, $0.text) }
    for (name, text) in files { try place.write(Array(text.utf8), to: name) }
    try place.commit()
  }

  // MARK: The replay

  /// What the files say, read as a run of them would.
  private static func scenario(_ learner: Learner) throws(ToolError) -> Scenario {
    let tables = Dictionary(
      learner.tables.map { ($0.name, Array($0.text.utf8)) }, uniquingKeysWith: { $1 })
    do throws(ScenarioError) {
      return try ScenarioFile.parse(
        Array(learner.scenario(replay: .good).utf8), file: "\(learner.name).yaml"
      ) { (file, column) throws(ScenarioFile.RecordingError) in
        do throws(InputError) {
          let source = ByteSource(tables[file] ?? [], name: file)
          let spans = try RecordedColumn.read(source, column: column)
          if let durations = RecordedDurations(spans.map(TimeSpan.init(nanoseconds:))) {
            return durations
          }
          throw InputError("holds no durations", file: file)
        } catch {
          throw ScenarioFile.RecordingError(error.description)
        }
      }
    } catch {
      throw ToolError(
        .badInput,
        "\(learner.source): too much for a scenario; --from and --to take a part: \(error)")
    }
  }

  private static func run(
    _ scenario: Scenario, _ name: String, detail: FrameLedger.Detail
  ) throws(ToolError) -> RunLog {
    guard let strategy = scenario.strategies.first(where: { $0.name == name }) else {
      throw ToolError(.invalidRun, "the scenario that was learned has no strategy \(name)")
    }
    let log = VirtualEngine(detail: detail).run(RunPlan(scenario, under: strategy))
    if let violation = log.violations.first {
      throw ToolError(.invalidRun, "\(name) is invalid: \(violation)")
    }
    return log
  }
}

extension LearnedFolder {
  /// The rules of a file; none without one.
  static func rules(_ path: String?) throws(ToolError) -> [NameRule] {
    guard let path else { return [] }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try InputBytes.read(path)
    } catch {
      throw ToolError(.noInput, "cannot open \(path): \(error)")
    }
    do throws(ScenarioError) {
      return try NameRulesFile.parse(bytes, file: path).map { rule in
        NameRule(rule.learned) { $0.contains(rule.match) }
      }
    } catch {
      throw ToolError(error)
    }
  }

  /// What a recording is called, without its folder.
  static func file(of path: String) -> String {
    path == "-" ? "standard input" : String(path.split(separator: "/").last ?? "recording")
  }

  /// What a scenario is called that was learned from the recording at `path`.
  static func name(of path: String) -> String {
    let stem = file(of: path).split(separator: ".").first ?? "recording"
    let name = stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" }
    return String(name.prefix(60))
  }
}

extension NameRulesFile.Rule {
  fileprivate var learned: NameRule.Target {
    switch target {
    case .service: .service(name)
    case .workload: .workload(name)
    case .render: .render
    case .ignore: .ignore
    }
  }
}
