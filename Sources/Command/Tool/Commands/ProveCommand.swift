internal import FrameBudgetAdvice
internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// Proves that no frame is dropped, or finds when one is.
struct ProveCommand: ToolCommand {
  static let outcomes = [
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
    if !output.quiet {
      for omission in replays.comparison.omissions { console.note(omission) }
      console.warn(of: replays.comparison.runs.map(\.scenario))
    }
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
    let options = request.options
    // The options of a strategy in `--set` are part of its label.
    let chosen = StrategyOverrides(request.set, isChosen: true)
    let set = request.set.filter { !chosen.holds($0) }.map { ($0.path, $0.value) } + changes
    var words = [
      "framebudget", "run", argument, "--engine", "virtual", "--strategy",
      run.plan.strategy.label,
    ]
    for (option, value) in [
      ("--duration", options.duration), ("--seed", options.seed),
      ("--cores", options.cores.map(String.init)), ("--costs", options.costs),
    ] {
      if let value { words += [option, value] }
    }
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
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
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
    let sentences = [answer(row), Self.left(row), bound(row), search(row)].filter { !$0.isEmpty }
    var lines = wrapped(sentences.joined(separator: " "), indent: "  ")
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

  // MARK: Sentences

  private func answer(_ row: ProofRecord) -> String {
    switch row.verdict {
    case .proven:
      let most = row.mostDropped ?? 0
      let claim =
        most == 0
        ? "No frame is dropped"
        : "At most \(English.count(most, "frame")) \(most == 1 ? "is" : "are") dropped"
      return "\(row.label): proven. \(claim), for any phase of any workload\(Self.growth(row))."
    case .refuted:
      let frames = English.count(row.dropped ?? 0, "frame")
      return
        "\(row.label): refuted. \(Self.phases(row)), \(frames) \(row.dropped == 1 ? "is" : "are") dropped."
    case .open:
      guard row.limit > 0 else {
        return "\(row.label): open. No dropped frame was found, but none is ruled out."
      }
      return
        "\(row.label): open. No run was found that drops more than \(English.count(row.limit, "frame")), but this is not ruled out."
    }
  }

  /// A proof is about frames alone.
  private static func left(_ row: ProofRecord) -> String {
    guard let left = row.left, left > 0, row.verdict != .refuted else { return "" }
    return "But as stated, \(English.count(left, "item")) \(left == 1 ? "is" : "are") left undone."
  }

  private static func phases(_ row: ProofRecord) -> String {
    let starts = row.starts.map { "\($0.workload) at \($0.at)" }
    if starts.isEmpty {
      return row.hasLargestCosts ? "With the largest costs" : "As the scenario is stated"
    }
    return "With \(English.list(starts))\(row.hasLargestCosts ? " and the largest costs" : "")"
  }

  private static func growth(_ row: ProofRecord) -> String {
    guard let growth = row.growth else { return "" }
    if growth == FrameBound.maxGrowth { return ", for any costs" }
    guard growth > 1000 else { return "" }
    let costs = "with costs up to \(times(growth)) those stated"
    return row.isKept && row.limit == 0 ? ", \(costs)" : "; no more than \(row.limit) \(costs)"
  }

  /// Rounded down, because a larger factor is not proven.
  private static func times(_ thousandths: Int) -> String {
    let places = thousandths < 100 ? 3 : 2
    let unit = places == 2 ? 10 : 1
    return "\(Decimal.text(Double(thousandths / unit * unit) / 1000, places: places)) times"
  }

  private func bound(_ row: ProofRecord) -> String {
    guard let name = row.tightest, let bound = row.bound, let available = row.available else {
      let gaps = row.gaps.map { "\($0.reason) (\($0.remedy))" }
      return "No bound: \(gaps.joined(separator: "; "))."
    }
    let use =
      "\(Figure.text(bound.inMilliseconds)) of \(Figure.text(available.inMilliseconds)) ms"
    let parts = Self.words(of: row.parts)
    let filled = parts.isEmpty ? "" : ": \(English.list(parts))"
    if row.isKept { return "Tightest is \(name), \(use)\(filled)." }
    let sentence = "By the bound, \(name) takes up to \(use)\(filled).\(Self.drops(row))"
    if row.verdict == .proven { return sentence }
    guard let growth = row.growth else { return "\(sentence) No smaller costs would prove it." }
    return growth < 1000
      ? "\(sentence) It would be proven with \(Self.times(growth)) the costs." : sentence
  }

  private static func drops(_ row: ProofRecord) -> String {
    guard let most = row.mostDropped, let inARow = row.mostInARow else { return "" }
    return
      " No run drops more than \(English.count(most, "frame")), or more than \(inARow) in a row."
  }

  private static let maxParts = 8

  /// Each part; if there are more than eight, the largest ones, and the sum of the others.
  private static func words(of parts: [FrameBound.Part]) -> [String] {
    guard parts.count > maxParts else { return parts.map(words) }
    let order = parts.indices.sorted { (parts[$1].total, $0) < (parts[$0].total, $1) }
    let largest = order.prefix(maxParts - 1).sorted()
    let others = order.dropFirst(maxParts - 1)
    let rest = others.reduce(0.0) { $0 + parts[$1].total.inMilliseconds }
    return largest.map { words(parts[$0]) }
      + ["\(others.count) others, together \(Figure.span(milliseconds: rest))"]
  }

  /// `logic of upload 3 × 2.6 ms`
  private static func words(_ part: FrameBound.Part) -> String {
    let name = part.name.isEmpty ? "" : " of \(part.name)"
    let each = Figure.span(milliseconds: part.each.inMilliseconds)
    return "\(part.kind.rawValue)\(name) \(part.count == 1 ? "" : "\(part.count) × ")\(each)"
  }

  private func search(_ row: ProofRecord) -> String {
    let cut = row.isComplete ? "" : " until the search was interrupted"
    guard row.verdict == .open, let longest = row.longest else {
      return row.isComplete ? "" : "The search for worse runs was interrupted."
    }
    let figure = Figure.text(longest.inMilliseconds)
    return "The longest frame of \(English.count(row.runs, "run")) took \(figure) ms\(cut)."
  }
}
