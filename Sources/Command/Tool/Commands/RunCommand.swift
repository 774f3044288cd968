internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// Runs strategies on a scenario and prints the comparison.
struct RunCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "run",
      success: "every checked expectation of the scenario holds; it names those not checked",
      failed: "an expectation is missed")
  ]

  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run strategies on a scenario and print the comparison.",
    discussion: """
      The verdict comes first: how smooth the first strategy is, and which smooth strategy has the lowest price. \
      \(Verdict.smoothness) The price is the time spent waiting for locks, copying state and handing work over, summed over different threads.

      The result goes to standard output, everything else to standard error. Files are written only with -o, --frames or \
      --trace, and never overwritten.

      \(outcomes[0].sentence)

      Real runs are made one after another. A run that uses Dispatch's pools, such as actors, waits until the pool threads of \
      earlier runs have ended, up to 5 s, because those threads would change the result.

      Several --vary options make a grid, whose last option changes fastest. With --engine virtual, --vary \
      runs a sweep (not with --frames or --trace): its rows are written in order while it runs, on all cores. --resume \
      continues an interrupted sweep; 'merge' combines the parts of --shard.

      A trace has the activities of each thread: frames and their phases, vsyncs, dropped frames, steps, posts, and locks \
      that it waits for and holds. It is Chrome trace JSON, for ui.perfetto.dev; 'report' draws the worst hitch from it if it \
      is beside the result as trace.json.

      EXAMPLES:
        framebudget run camera-upload
        framebudget run my.yaml \\
          --strategy schedulable,throttled:batch=500:interval="2 s"
        framebudget run camera-upload --set display.refresh="120 Hz" --repeat 5 \\
          -o results/120hz
        framebudget run camera-upload --engine virtual \\
          --vary workloads.add-file.arrival.once=1..20
        framebudget run my.yaml --engine virtual \\
          --vary display.render="4..16:2 ms" --vary seed=1..1000 -o grid
        framebudget run my.yaml --engine virtual --vary seed=1..1000 --shard 3/16 \\
          -o shards/3 --resume
        framebudget run camera-upload --engine both --costs costs.json
        framebudget run import-folder --measure-steps measured.yaml
        framebudget run steady --duration "60 s" --format csv > steady.csv
        framebudget run camera-upload -o results/mine \\
          --trace results/mine/trace.json
      """)

  @Argument(help: .scenario, completion: .scenario)
  var scenario: String

  @OptionGroup var subject: ScenarioOptions

  @Option(help: "This machine, the simulation, or both with their differences.")
  var engine = EngineChoice.real

  @Option(
    help: ArgumentHelp(
      "Run each value: PATH=A..B, PATH=A..B:STEP or PATH=A,B,C; several options make a grid.",
      valueName: "path=values"))
  var vary: [String] = []

  @OptionGroup var sweeping: SweepOptions

  @Option(
    name: .customLong("repeat"), parsing: .unconditional,
    help: .repetitions,
    transform: WholeNumber.repetitions)
  var repetitions = 1

  @OptionGroup var realEngine: EngineOptions

  @Option(
    name: .output,
    help: ArgumentHelp(
      "Write summary.csv, workloads.csv and run.json; with --shard, {} is the shard's number.",
      valueName: "dir"),
    completion: .directory)
  var folderOption: String?

  @Option(
    help: ArgumentHelp("Write a line for each frame, as CSV.", valueName: "file"),
    completion: .file())
  var frames: String?

  @Option(
    help: ArgumentHelp(
      "Write the activities of each thread, as Chrome trace JSON.", valueName: "file"),
    completion: .file())
  var trace: String?

  @Option(
    help: ArgumentHelp(
      "Write the scenario with the measured costs of steps that do real work.",
      valueName: "file"), completion: .file())
  var measureSteps: String?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Print the ranges of predicted dropped frames and p99 (virtual engine); the default without --vary. Each range takes \(VirtualEngine.runsForRange) more runs."
    ))
  var range: Bool?

  @OptionGroup var numbers: MetricsOptions

  @Flag(help: "Describe every strategy, not only the first, the best and the worst.")
  var details = false

  @OptionGroup var output: OutputOptions<OutputFormat>

  func validate() throws {
    try sweeping.check(isSweep: isSweep, folder: folder)
    try subject.check(on: engine)
    try realEngine.check(on: engine)
    if range == true && engine == .real {
      throw ValidationError("--range is for the virtual engine; add --engine virtual or both")
    }
    if measureSteps != nil && (engine == .virtual || !vary.isEmpty) {
      throw ValidationError("--measure-steps is for the real engine, and without --vary")
    }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let source = try ScenarioSource(scenario, on: console)
    let request = try request()
    if isSweep { return try sweep(source, request, on: console) }
    let comparison = try Comparison(source, request)
    try FileIdentity.requireDifferent(written)
    if measureSteps != nil { try StepCosts.check(comparison) }
    return try report(measure(comparison, source, on: console), on: console)
  }

  /// The files that the command writes, each with its flag.
  private var written: [(flag: String, path: String)] {
    let ofFolder = folder.map { folder in
      ResultFolder.names.flatMap { name in
        [name, "\(name).partial"].map { (flag: "-o", path: "\(folder)/\($0)") }
      }
    }
    let single = [("--frames", frames), ("--trace", trace), ("--measure-steps", measureSteps)]
    return (ofFolder ?? []) + single.compactMap { flag, path in path.map { (flag, $0) } }
  }

  /// A sweep has no ranges by default, because they cost much and add little.
  var wantsRanges: Bool { range ?? vary.isEmpty }

  private func request() throws(ToolError) -> Comparison.Request {
    var request = try Comparison.Request(subject.choice, on: engine, repetitions: repetitions)
    request.grid = try VariationGrid(parsing: vary)
    request.ranges = wantsRanges
    if let twice = request.hidden.first(where: { request.grid.varies($0.path) }) {
      throw ToolError(
        .usage, "--\(twice.path) and --vary \(twice.path) contradict each other; leave one out")
    }
    return request
  }
}

/// The outcome of a command's runs.
struct RunOutcome {
  var circumstances: Circumstances
  var rows: [ReportRow] = []
  /// The failed expectations.
  var failures: [String] = []
  /// What became of all expectations; nil if the scenario has none.
  var expectations: ExpectationResult?
  /// The error of writing results.
  var writeFailure: ToolError?
  /// The error of the first run that could not be made.
  var runFailure: ToolError?
}

extension [ReportRow] {
  /// What makes runs invalid, with their strategies.
  var violations: [String] {
    flatMap { row in
      row.log.violations.map { "\(row.log.strategy.label) is invalid: \($0)" }
    }
  }
}

extension RunCommand {
  /// Makes the runs, until they are done or interrupted, and writes the wanted files.
  func measure(
    _ comparison: Comparison, _ source: ScenarioSource, on console: Console
  ) throws(ToolError) -> RunOutcome {
    var files = try ResultFiles(
      folder: folder, frames: frames, trace: trace, costs: measureSteps, on: console)
    if !output.quiet {
      console.warn(of: comparison)
      if let costs = comparison.runs.first?.costs {
        console.warn(of: costs.calibration, on: comparison.runs.lazy.map(\.machine))
      }
      let count = comparison.runs.count { $0.engine == .real }
      console.announce(count == 1 ? "one run" : "\(count) runs", "about", comparison.realTime)
    }
    let isReal = engine != .virtual
    var outcome = RunOutcome(circumstances: .now(isReal: isReal))
    if subject.costs != nil { outcome.circumstances.costs = comparison.runs.first?.costs }
    let before = isReal ? HostSample.now : nil
    make(comparison, &outcome, &files, on: console)
    outcome.circumstances.measured(from: before, to: isReal ? .now : nil)
    outcome.circumstances.isInterrupted = Interruption.signal != nil
    if let scenario = comparison.runs.first?.scenario { check(scenario, &outcome, on: console) }
    guard !outcome.rows.isEmpty, outcome.writeFailure == nil else { return outcome }
    do {
      try files.finish(
        outcome.rows, outcome.circumstances, costs: costs(in: outcome, of: comparison, source))
    } catch {
      outcome.writeFailure = error
    }
    return outcome
  }

  /// Whether the scenario runs as it is written; expectations apply to nothing else.
  private var checksBounds: Bool { boundChanges.isEmpty }

  /// The options because of which bounds of the scenario are not checked.
  var boundChanges: [String] { subject.choice.changes + (vary.isEmpty ? [] : ["--vary"]) }

  /// Checks what all runs have to meet together, and says what is not checked, also with --quiet: it qualifies the exit status.
  private func check(_ scenario: Scenario, _ outcome: inout RunOutcome, on console: Console) {
    if checksBounds {
      outcome.failures += ExpectationCheck.unmet(scenario.aims, by: outcome.rows)
    }
    // Where nothing ran, the error says why.
    if outcome.rows.isEmpty { return }
    outcome.circumstances.uncheckedBounds = ExpectationCheck.omissions(
      in: scenario, by: outcome.rows, changes: boundChanges)
    outcome.circumstances.uncheckedBounds.forEach(console.note)
    outcome.expectations = ExpectationCheck.result(
      of: scenario, by: outcome.rows, failures: outcome.failures,
      omissions: outcome.circumstances.uncheckedBounds)
  }

  private func make(
    _ comparison: Comparison, _ outcome: inout RunOutcome, _ files: inout ResultFiles,
    on console: Console
  ) {
    Interruption.install()
    let options = realEngine.real(trace != nil ? .trace : frames != nil ? .frames : .summary)
    let bar = output.quiet ? nil : ProgressBar(on: console)
    defer { bar?.stop() }
    let runs = comparison.runs
    var next = 0
    while next < runs.count, Interruption.signal == nil {
      let title = "\(next + 1)/\(runs.count) \(runs[next].plan.strategy.label)"
      bar?.begin(title, lasting: runs[next].scenario.duration)
      let batch = runs[next..<min(next + batchSize, runs.count)]
      next = batch.endIndex
      do {
        let rows = try rows(Array(batch), options, progress: bar?.progress ?? RunProgress())
        for (run, row) in zip(batch, rows) {
          guard keep(row, of: run, &outcome, &files) else { return }
        }
      } catch {
        // Keep the results so far.
        outcome.runFailure = error
        return
      }
    }
  }

  /// The number of concurrent runs: real ones run alone, simulated ones keep all cores busy; traces take memory.
  private var batchSize: Int { engine != .virtual ? 1 : trace == nil ? 64 : 4 }

  private func rows(
    _ batch: [PlannedRun], _ options: RealEngine.Options, progress: RunProgress
  ) throws(ToolError) -> [ReportRow] {
    if let run = batch.first, run.engine == .real {
      return [try run.made(options, progress: progress)]
    }
    return batch.simulated(options.detail, ranges: wantsRanges)
  }

  /// Adds a run to the outcome. Returns false if it cannot be written; continuing would then be useless.
  private func keep(
    _ row: ReportRow, of run: PlannedRun, _ outcome: inout RunOutcome, _ files: inout ResultFiles
  ) -> Bool {
    // A run that was interrupted before its first vsync measured nothing.
    guard row.log.status != .interrupted || row.log.frames.vsyncs > 0 else { return true }
    outcome.rows.append(row.withoutSpans)
    if checksBounds {
      outcome.failures += ExpectationCheck.failures(of: row, in: run.scenario)
    }
    do {
      try files.append(row)
      return true
    } catch {
      // Print the results so far.
      outcome.writeFailure = error
      return false
    }
  }

  /// Prints the result and its problems; the most severe one determines the exit status.
  func report(_ outcome: RunOutcome, on console: Console) throws(ToolError) -> ExitStatus {
    var failure = outcome.writeFailure
    if !outcome.rows.isEmpty {
      do {
        try console.print(text(outcome, on: console))
      } catch {
        failure = failure ?? error
      }
    }
    if !output.quiet { comment(outcome, failed: failure != nil, on: console) }
    for problem in outcome.rows.violations + outcome.failures { console.printError(problem) }
    reportLostSpans(outcome, on: console)
    if let failure = failure ?? outcome.runFailure { throw failure }
    if !outcome.rows.violations.isEmpty { return .brokenInvariant }
    if outcome.circumstances.isInterrupted, let signal = Interruption.signal {
      return interrupted(outcome, by: signal, on: console)
    }
    return outcome.failures.isEmpty ? .success : .failed
  }

  func text(_ outcome: RunOutcome, on console: Console) -> String {
    switch output.format {
    case .table:
      ComparisonReport.text(
        outcome.rows, sets: numbers.sets(for: outcome.rows.first?.log.platform),
        width: console.width, isColored: console.isColored(output.color),
        details: details)
    case .csv: SummaryCSV.text(outcome.rows)
    case .json: RunJSON.printed(outcome.rows, outcome.circumstances, outcome.expectations)
    }
  }

  private func comment(_ outcome: RunOutcome, failed: Bool, on console: Console) {
    for warning in MeasurementWarnings.warnings(outcome.rows, outcome.circumstances) {
      console.note("warning: \(warning)")
    }
    guard !failed, !outcome.rows.isEmpty else { return }
    if let folder { console.note("summary.csv, workloads.csv and run.json are in \(folder)") }
    if let frames { console.note("the frames are in \(frames)") }
    if let trace { console.note("the trace is in \(trace); ui.perfetto.dev opens it") }
  }

  /// Reports an incomplete trace even with --quiet, because the file does not show it.
  func reportLostSpans(_ outcome: RunOutcome, on console: Console) {
    for row in outcome.rows {
      guard let lost = row.log.trace?.lost, lost > 0 else { continue }
      console.printError(
        "the trace of \(row.log.strategy.label) lacks \(lost) spans: it holds \(TraceLog.maxSpans) at most; "
          + "a shorter --duration or fewer items fit (TRACE FULL marks where it ends)")
    }
  }

  private func interrupted(
    _ outcome: RunOutcome, by signal: Int32, on console: Console
  ) -> ExitStatus {
    console.note(
      outcome.rows.isEmpty
        ? "interrupted before the first measurement"
        : "interrupted; the result has the measurements so far")
    return .interrupted(by: signal)
  }
}

/// The mean costs of steps with real work in a comparison.
///
/// The mean, because predicted times are sums: a median would ignore a few slow steps.
struct StepCosts {
  let costs: [ScenarioFile.StepCost]
  /// A comment for the head of the scenario's copy.
  let heading: String

  /// Checks before a long run that there will be costs to write.
  static func check(_ comparison: Comparison) throws(ToolError) {
    let steps = comparison.runs.first?.scenario.workloads.flatMap(\.steps) ?? []
    guard steps.contains(where: { $0.task != nil }) else {
      throw ToolError(
        .usage, "--measure-steps: no step of the scenario does real work, such as 'do: sha256'")
    }
  }

  /// Steps of all copies of a workload are one step of the file.
  init(_ rows: [ReportRow], of workloads: PerWorkload<Workload>) {
    let measured = rows.flatMap(\.log.totals.stepMeasurements)
    let names = workloads.mapValues { $0.fileName }
    var spans: [Place: [TimeSpan]] = [:]
    for step in measured {
      spans[Place(workload: names[step.workload], step: step.step), default: []] += step.costs
    }
    costs = spans.sorted { $0.key < $1.key }.map { place, spans in
      let sum = spans.reduce(TimeSpan.zero, +)
      return ScenarioFile.StepCost(
        workload: place.workload, step: place.step, cpu: sum.divided(by: Double(spans.count)))
    }
    let times = spans.values.map(\.count).max() ?? 0
    heading =
      "# The cpu of steps that do real work is what they took when run, on average of "
      + "up to \(times) times each.\n"
  }
}

private struct Place: Hashable, Comparable {
  let workload: String
  let step: Int

  static func < (left: Place, right: Place) -> Bool {
    (left.workload, left.step) < (right.workload, right.step)
  }
}

extension RunCommand {
  /// The scenario with the measured costs, if they are wanted and there are any.
  private func costs(
    in outcome: RunOutcome, of comparison: Comparison, _ source: ScenarioSource
  ) throws(ToolError) -> String? {
    guard measureSteps != nil else { return nil }
    let workloads = comparison.runs.first?.scenario.workloads ?? []
    let measured = StepCosts(outcome.rows, of: workloads)
    guard !measured.costs.isEmpty else { return nil }
    let mark = outcome.circumstances.isInterrupted ? Self.interrupted : ""
    return measured.heading + mark + (try source.text(with: measured.costs))
  }

  private static let interrupted = "# The command was interrupted before all runs were made.\n"
}

/// Checks the scenario's expectations.
enum ExpectationCheck {
  /// A sentence for each expectation that `row` fails.
  static func failures(of row: ReportRow, in scenario: Scenario) -> [String] {
    scenario.expectations.filter { concerns($0, row) }.compactMap { expectation in
      let aim = expectation.aim
      let found = row.metrics.observed(aim.metric)
      if let found, aim.holds(for: found) { return nil }
      return "expectation failed: \(row.log.strategy.label) on the \(row.log.engine.rawValue) "
        + "engine has \(aim.metric) \(text(found)), expected \(bounds(aim))"
    }
  }

  /// A sentence if no strategy that ran meets all bounds under `any`; empty without bounds or runs.
  static func unmet(_ aims: [Aim], by rows: [ReportRow]) -> [String] {
    func misses(_ row: ReportRow) -> [Aim] {
      aims.filter { aim in !(row.metrics.observed(aim.metric).map { aim.holds(for: $0) } ?? false) }
    }
    let strategies = Dictionary(grouping: rows) { [$0.log.strategy.label, $0.log.engine.rawValue] }
    guard let first = rows.first,
      !strategies.values.contains(where: { runs in runs.allSatisfy { misses($0).isEmpty } })
    else { return [] }
    let found = misses(first).map { aim in
      "\(aim.metric) \(text(first.metrics.observed(aim.metric))), expected \(bounds(aim))"
    }
    guard !found.isEmpty else { return [] }
    return [
      "expectation failed: no strategy meets the bounds under 'any'; \(first.log.strategy.label) has "
        + found.joined(separator: "; ")
    ]
  }

  private static func hasBounds(_ scenario: Scenario) -> Bool {
    !scenario.expectations.isEmpty || !scenario.aims.isEmpty
  }

  /// Sentences about bounds of `scenario` that were not checked by `rows`: `changes` are the options that change it.
  static func omissions(
    in scenario: Scenario, by rows: [ReportRow], changes: [String]
  ) -> [String] {
    guard hasBounds(scenario) else { return [] }
    guard changes.isEmpty else {
      return ["the bounds of 'expect' are not checked, because of \(English.list(changes))"]
    }
    let omitted = unchecked(in: scenario, by: rows)
    return omitted.isEmpty
      ? [] : ["bounds that were not checked, because these did not run: \(English.list(omitted))"]
  }

  /// Nil if the scenario has no bounds.
  static func result(
    of scenario: Scenario, by rows: [ReportRow], failures: [String], omissions: [String]
  ) -> ExpectationResult? {
    guard hasBounds(scenario) else { return nil }
    guard failures.isEmpty else { return .missed }
    let isWhole = rows.allSatisfy { $0.log.status == .complete }
    return omissions.isEmpty && isWhole ? .met : .unchecked
  }

  /// The strategies with bounds for an engine that ran, none of which is in `rows`; for any engine if nothing was checked.
  static func unchecked(in scenario: Scenario, by rows: [ReportRow]) -> [String] {
    let engines = Set(rows.map(\.log.engine))
    let unchecked = scenario.expectations.filter { expectation in
      !rows.contains { concerns(expectation, $0) }
    }
    let isNothingChecked = unchecked.count == scenario.expectations.count
    return unchecked.filter { isNothingChecked || engines.contains($0.engine) }
      .map { "\($0.strategy) (\($0.engine.rawValue))" }.distinct()
  }

  private static func text(_ found: Observation?) -> String {
    guard let found else { return "not applicable" }
    let value = MetricValue.real(found.value).description
    return found.isBound ? "of at least \(value) (open at the end)" : value
  }

  private static func concerns(_ expectation: Expectation, _ row: ReportRow) -> Bool {
    let strategy = row.log.strategy
    return expectation.concerns(strategy.name, label: strategy.label, on: row.log.engine)
  }

  private static func bounds(_ aim: Aim) -> String {
    let minimum = aim.minimum.map { MetricValue.real($0).description }
    let maximum = aim.maximum.map { MetricValue.real($0).description }
    switch (minimum, maximum) {
    case (let minimum?, let maximum?):
      return minimum == maximum ? minimum : "from \(minimum) to \(maximum)"
    case (let minimum?, nil): return "at least \(minimum)"
    case (nil, let maximum?): return "at most \(maximum)"
    case (nil, nil): return "a value"
    }
  }
}
