internal import FrameBudgetAdvice
internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// Proves that no frame is dropped, or finds when one is.
struct ProveCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "prove",
      success: "every strategy is proven",
      failed: "one is refuted",
      inconclusive: "none is refuted, one is open")
  ]

  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract: "Prove that no frame is dropped for any arrival times, or find a case with a drop.",
    discussion: """
      A run shows the result for the stated arrival times. This command instead calculates the longest possible frame in \
      virtual time, for any first arrival of each workload and any cost between its smallest and largest value. It gives one \
      of three answers for each strategy:

      proven: no frame is dropped. It also prints how much costs may grow, and the parts of the tightest budget.
      refuted: a frame is dropped. It prints a 'framebudget run' command that shows the drop.
      open: neither. It prints the unbounded parts with remedies, or the distance between the bound and the worst run.

      With --limit, a run may drop up to that many frames. If a frame can be late, the number of dropped frames is bounded, \
      too.

      Bounds cover the main thread in loops of frames (all, throttled, time-sliced) and of events, a second stage, lanes \
      with a core each, and fair locks. Documentation/Models/Proofs.md derives them.

      \(outcomes[0].sentence)

      EXAMPLES:
        framebudget prove steady
        framebudget prove camera-upload --strategy main-thread,schedulable
        framebudget prove my.yaml --set costs.all=1.5 --cores 4
        framebudget prove three-files --limit 'dropped_frames<=10'
        framebudget prove my.yaml --strategy all --format csv -o proofs.csv
      """)

  @Argument(help: .scenario, completion: .scenario)
  var scenario: String

  @OptionGroup var subject: ScenarioOptions

  @Option(
    help: ArgumentHelp(
      "The most frames that a run may drop, instead of 0.", valueName: "dropped_frames<=n"))
  var limit: String?

  @Option(parsing: .unconditional, help: .jobs, transform: WholeNumber.jobs)
  var jobs: Int?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let limit = try self.limit.map { text throws(ToolError) in
      try Aim.dropped(text, of: "--limit")
    }
    let replays = try ProofReplays(scenario, subject.choice, on: console)
    var place = try target.open(on: console, quiet: output.quiet)
    if !output.quiet { console.warn(of: replays.comparison) }
    Interruption.install()
    let bar = output.quiet ? nil : RunCountBar(on: console)
    let maker = ConcurrentRuns(jobs: jobs, showing: bar)
    let records = replays.records(droppingUpTo: limit ?? 0, maker)
    bar?.wipe()
    let text = ProofText(records, width: place.width, isColored: place.isColored(output.color)).text
    try place.write(output.format.text(ProofRecord.table(records), text))
    if records.contains(where: { !$0.isComplete }), let signal = Interruption.signal {
      console.note("interrupted; the bounds are valid, but the search for worse runs is incomplete")
      return .interrupted(by: signal)
    }
    let verdicts = Set(records.map(\.verdict))
    return verdicts.contains(.refuted)
      ? .failed : verdicts.contains(.open) ? .inconclusive : .success
  }
}

/// Repeats the runs that a search found as `run` would make them, so that every printed command shows the stated result.
struct ProofReplays {
  let comparison: Comparison
  private let source: ScenarioSource
  private let request: Comparison.Request
  private let argument: String

  init(
    _ argument: String, _ options: ScenarioChoice, on console: Console
  ) throws(ToolError) {
    self.argument = argument
    source = try ScenarioSource(argument, on: console)
    request = try Comparison.Request(options, on: .virtual, repetitions: 1)
    comparison = try Comparison(source, request)
  }

  /// The answer for each strategy.
  func records(droppingUpTo limit: Int, _ maker: some RunMaker) -> [ProofRecord] {
    comparison.runs.indices.map { place in
      let run = comparison.runs[place]
      let prover = Prover(run.plan, on: run.machine, costs: run.costs, droppingUpTo: limit)
      return record(prover.proof { count, make in maker.outputs(count, make) }, at: place)
    }
  }

  /// The answer for the strategy at `place`. A witness counts only if `run` reproduces it.
  private func record(_ proof: Proof, at place: Int) -> ProofRecord {
    let run = comparison.runs[place]
    let changes = proof.witness?.changes(of: run.scenario)
    let isRepeated = changes.map { repeats($0, proof, at: place) } ?? true
    return ProofRecord(
      isRepeated ? proof : proof.withoutWitness(),
      QuestionSubject(run.scenario, cores: run.machine.cores), changes: run.changes,
      command: isRepeated ? changes.map { command($0, of: run) } : nil)
  }

  private func repeats(
    _ changes: [(path: String, value: String)], _ proof: Proof, at place: Int
  ) -> Bool {
    var request = request
    request.hidden += changes.map { Override(path: $0.path, value: $0.value) }
    guard let runs = try? Comparison(source, request).runs, runs.indices.contains(place) else {
      return false
    }
    let log = runs[place].simulated(.summary, ranges: false).log
    return log.frames.dropped == proof.worst?.dropped
  }

  private func command(
    _ changes: [(path: String, value: String)], of run: PlannedRun
  ) -> String {
    // The options of a strategy in `--set` are part of its label.
    let chosen = StrategyOverrides(request.set, isChosen: true)
    let set = request.set.filter { !chosen.holds($0) }.map { ($0.path, $0.value) } + changes
    var words = [
      "framebudget", "run", argument, "--engine", "virtual", "--strategy",
      run.plan.strategy.label,
    ]
    words += request.options.words
    for (path, value) in set { words += ["--set", "\(path)=\(value)"] }
    return ShellWord.line(words)
  }
}

/// Proofs for people: an answer for each strategy, and its reasons.
struct ProofText {
  private let rows: [ProofRecord]
  private let width: Int
  private let isColored: Bool

  init(_ rows: [ProofRecord], width: Int, isColored: Bool) {
    self.rows = rows
    self.width = width
    self.isColored = isColored
  }

  var text: String {
    let parts = [wrapped(heading)] + rows.map(lines)
    return Paragraph.joined(parts)
  }

  private func wrapped(_ text: String, indent: String = "") -> [String] {
    Paragraph.wrapped(text, width: width, indent: indent)
  }

  private var heading: String {
    guard let subject = rows.first?.subject else { return "" }
    return "\(subject.title()); virtual engine, \(English.count(subject.cores, "core"))"
      + subject.origin
  }

  private func lines(_ row: ProofRecord) -> [String] {
    var lines = wrapped(ProofSentences(row).all.joined(separator: " "), indent: "  ")
    if let first = lines.first, isColored { lines[0] = colored(first, row.verdict) }
    // On one line, so that it can be copied.
    if let command = row.command { lines.append("  \(command.printable)") }
    return lines
  }

  private func colored(_ line: String, _ verdict: Proof.Verdict) -> String {
    let style: TextStyle =
      switch verdict {
      case .proven: .green
      case .refuted: .red
      case .open: .yellow
      }
    let word = ": \(verdict.rawValue)"
    return line.replacing(
      word, with: ": " + style.paint(verdict.rawValue, true), maxReplacements: 1)
  }
}
