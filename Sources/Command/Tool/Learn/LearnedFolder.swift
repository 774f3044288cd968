internal import FrameBudget
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetCaptures
internal import FrameBudgetScenarios

/// The output of `learn`: the learned scenario, one replay of it, and the result of the replay.
struct LearnedFolder {
  /// `README.md`.
  private(set) var report: String
  /// The result of a prediction, if there is a recording made after the change.
  private(set) var evidence: ChangeEvidence?
  private let learned: LearnedScenario
  private let comparison: ReplayComparison

  /// `sets` are the platforms whose numbers the report shows for the replay; by default that of the recording.
  init(_ learned: LearnedScenario, sets: [MetricSet]? = nil) throws(ToolError) {
    self.learned = learned
    let replay = try Self.replay(learned)
    comparison = ReplayComparison(learned, try Self.checked(replay.runAsRecorded()))
    let moves = learned.services.concurrentMap { service -> LearnReport.Move? in
      let strategy = LearnedScenario.moveStrategyName(service)
      return replay.run(strategy, detail: .summary).map {
        LearnReport.Move(service: service, log: $0, range: replay.range(around: $0))
      }
    }.compactMap(\.self)
    for move in moves { _ = try Self.checked(move.log) }
    report = LearnReport(learned, comparison, moves: moves, sets: sets).text
  }

  /// Learns and replays the recording at `path`.
  init(
    _ recorded: Recording, from path: String, rules: NamePatterns = NamePatterns(),
    isAnonymous: Bool = false,
    sets: [MetricSet]? = nil
  ) throws(ToolError) {
    try self.init(
      Self.learn(recorded, from: path, rules: rules, isAnonymous: isAnonymous), sets: sets)
  }

  private static func learn(
    _ recorded: Recording, from path: String, rules: NamePatterns, and more: [NameRule] = [],
    isAnonymous: Bool, change: PageChange? = nil
  ) throws(ToolError) -> LearnedScenario {
    if let problem = LearnedScenario.excess(of: recorded) {
      throw ToolError(.badInput, "\(path): \(problem)")
    }
    guard
      let learned = LearnedScenario(
        recorded, name: name(of: path), source: file(of: path),
        rules: try rules.rules(for: recorded.names) + more,
        isAnonymous: isAnonymous, change: change)
    else {
      throw ToolError(
        .badInput, "\(path): has no slices of a UI thread in the chosen part")
    }
    return learned
  }

  /// Compares the prediction of a change with the recording at `path`, which was made after it. Without a name, the change
  /// follows from the work on the main thread of both recordings.
  mutating func compare(
    with recorded: Recording, from path: String, change name: String? = nil,
    rules: NamePatterns = NamePatterns()
  ) throws(ToolError) {
    let after = try learnedAfter(recorded, from: path, rules)
    let change = try change(named: name) ?? AppChange(from: learned, to: after)
    let evidence = try evidence(
      of: change, basis: name == nil ? .recordings : .user, predicted(change), after)
    self.evidence = evidence
    report += "\n" + evidence.text
  }

  /// The run under a change: names of learned strategies, joined by +.
  func predicted(_ name: String) throws(ToolError) -> PredictedRun? {
    try AppChange(named: name, of: learned).map { (change) throws(ToolError) in
      try predicted(change, called: name)
    }
  }

  /// The run under a change to the recorded page; `recorded` is its recording at `path`, with the types of events.
  ///
  /// - Throws: a reason of the change, if the recording does not say what it would do.
  func predicted(
    _ change: PageChange, in recorded: Recording, from path: String
  ) throws(ToolError) -> Result<PredictedRun, PageChange.Untriable> {
    let expected = try Self.learn(
      recorded, from: path, rules: NamePatterns(), and: learned.serviceRules,
      isAnonymous: learned.isAnonymous, change: change)
    if let reason = expected.unpredictable { return .failure(PageChange.Untriable(reason)) }
    let replay = try Self.replay(expected)
    let log = try Self.checked(replay.runAsRecorded())
    return .success(
      PredictedRun(
        name: change.text, scenario: replay.scenario,
        today: comparison.metrics.log.strategy.arrangement, log: log,
        range: replay.range(around: log), expected: expected))
  }

  private func predicted(
    _ change: AppChange, called name: String = ""
  ) throws(ToolError) -> PredictedRun {
    let replay = try Self.replay(learned, adding: change.strategy(of: learned))
    guard let log = replay.run(AppChange.strategyName) else {
      preconditionFailure("a strategy that was added is one of the scenario's")
    }
    return PredictedRun(
      name: name, scenario: replay.scenario, today: comparison.metrics.log.strategy.arrangement,
      log: try Self.checked(log), range: replay.range(around: log))
  }

  /// The names of changes that `predicted` knows.
  var changes: [String] { AppChange.names(of: learned) }

  /// Compares `predicted`, the run under a change, with the recording at `path`, which was made under the change.
  func evidence(
    of change: AppChange, basis: ChangeEvidence.Basis, predicted: PredictedRun,
    recorded: Recording, from path: String
  ) throws(ToolError) -> ChangeEvidence {
    try evidence(
      of: change, basis: basis, predicted, learnedAfter(recorded, from: path))
  }

  private func evidence(
    of change: AppChange, basis: ChangeEvidence.Basis, _ predicted: PredictedRun,
    _ after: LearnedScenario
  ) throws(ToolError) -> ChangeEvidence {
    let came = try Self.checked(Self.replay(after).runAsRecorded())
    return ChangeEvidence(
      change, basis: basis, before: learned, predicted: predicted.log, range: predicted.range,
      after: after, comparisons: (comparison, ReplayComparison(after, came)),
      expected: predicted.expected)
  }

  private func learnedAfter(
    _ recorded: Recording, from path: String, _ rules: NamePatterns = NamePatterns()
  ) throws(ToolError) -> LearnedScenario {
    try Self.learn(
      recorded, from: path, rules: rules,
      and: learned.listenerRules(calledFrom: ListenerLimits.file) + learned.serviceRules,
      isAnonymous: learned.isAnonymous)
  }

  private func change(named name: String?) throws(ToolError) -> AppChange? {
    guard let name else { return nil }
    if let change = AppChange(named: name, of: learned) { return change }
    let names = AppChange.names(of: learned)
    throw ToolError(
      .usage,
      "--change: '\(name)' is not a learned change\(Spelling.suggestion(for: name, among: names)); known changes: "
        + "\(names.joined(separator: ", ")); join several with +")
  }

  /// The exit status: that of the prediction, if there is evidence for one.
  var status: ExitStatus { ExitStatus(of: evidence?.verdict ?? comparison.replay) }

  /// The exit status with that of advice, nil if there was no search.
  func status(withAdvice advice: ExitStatus?) -> ExitStatus {
    guard status == .success else { return status }
    return advice ?? (need == .none ? .success : .inconclusive)
  }

  /// The dropped frames of the recording and of the replay.
  var droppedInShort: String { comparison.droppedInShort }

  /// What of the app is not part of the recording.
  var omissions: [String] { learned.omissions }

  /// The dropped frames of the recording, of those that were wanted.
  var recordedDrops: String { comparison.recorded.drops ?? "unknown" }

  /// Those of its replay, with which predictions begin.
  var replayedDrops: String { comparison.replayed.drops ?? "unknown" }

  /// Whether the replay contradicts the recording, so that answers from it are worthless.
  var isContradicted: Bool { comparison.replay == .poor }

  /// Whether dropped frames need a change.
  var need: NeedForChange { comparison.need }

  /// Vsyncs at which the recording wanted a frame.
  var wantedFrames: Int { learned.wantedFrames }

  /// The file with the scenario.
  var scenario: String { "\(learned.name).yaml" }

  /// The scenario as it is written to `folder`.
  func source(in folder: String) throws(ToolError) -> ScenarioSource {
    try ScenarioSource(
      name: "\(folder)/\(scenario)",
      bytes: Array(learned.scenario(replay: comparison.replay).utf8),
      files: Dictionary(learned.tables.map { ($0.name, Array($0.text.utf8)) }) { first, _ in first }
    )
  }

  private var files: [(name: String, text: String)] {
    [(scenario, learned.scenario(replay: comparison.replay)), ("README.md", report)]
      + learned.tables + [evidence.map { (ChangeEvidence.file, $0.csv) }].compactMap(\.self)
  }

  func write(to folder: String, on console: Console) throws(ToolError) {
    try Self.write(files, to: folder, scenario: scenario, on: console)
  }

  /// Writes a folder of `files`, including a scenario, if `check` and `run` can read that.
  static func write(
    _ files: [(name: String, text: String)], to folder: String, scenario: String,
    on console: Console
  ) throws(ToolError) {
    let contents = Dictionary(files.map { ($0.name, Array($0.text.utf8)) }) { first, _ in first }
    do throws(ToolError) {
      _ = try ScenarioSource(name: scenario, bytes: contents[scenario] ?? [], files: contents)
        .scenario()
    } catch {
      let line = error.message.split(separator: "\n").first.map(String.init) ?? ""
      throw ToolError(
        .cannotWrite, "\(folder): cannot be read back, so it was not written: \(line)")
    }
    let place = try NewFolder(folder, on: console)
    for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      try place.write(bytes, to: name)
    }
    try place.commit()
  }

  /// Adds its files to an existing folder.
  func add(to folder: String) throws(ToolError) {
    try OutputFiles.write(files, in: folder)
  }

  // MARK: The replay

  private static func replay(
    _ learned: LearnedScenario, adding strategy: String = ""
  ) throws(ToolError) -> LearnedReplay {
    do throws(ScenarioError) {
      return try LearnedReplay(learned, adding: strategy)
    } catch {
      // A scenario that cannot be read is not written.
      throw ToolError(
        .badInput,
        "\(learned.source): is too large for a scenario, so nothing was written; choose a part with --from and --to: "
          + (error.faults.first?.message ?? ""))
    }
  }

  /// Returns the run; throws if it broke an invariant.
  private static func checked(_ log: RunLog) throws(ToolError) -> RunLog {
    if let violation = log.violations.first {
      throw ToolError(.brokenInvariant, "\(log.strategy.label) is invalid: \(violation)")
    }
    return log
  }
}

extension ExitStatus {
  /// The exit status for the verdict on a replay.
  init(of replay: Learned.Replay) {
    switch replay {
    case .good: self = .success
    case .fair, .tooShort: self = .inconclusive
    case .poor: self = .failed
    }
  }
}

extension LearnedFolder {
  /// The file name of a recording, without its folder.
  static func file(of path: String) -> String {
    path == "-" ? "standard input" : String(path.split(separator: "/").last ?? "recording")
  }

  /// The name of the scenario that is learned from the recording at `path`.
  static func name(of path: String) -> String {
    let stem = file(of: path).split(separator: ".").first ?? ""
    let name = stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" }
    // In YAML, hyphens alone are a list, and `null` is not text; a leading hyphen would make the name an option.
    let plain = String(name.drop { $0 == "-" }.prefix(60))
    return plain.isEmpty || plain.lowercased() == "null" ? "recording" : plain
  }
}
