internal import ArgumentParser
internal import FrameBudget
internal import Parsing
internal import Proving
internal import RealTime
internal import Reports
internal import Scenarios

/// Proves that no frame is dropped, or finds when one is.
struct ProveCommand: ToolCommand {
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

      Exit status 0: all strategies are proven; 1: one is refuted; 2: none is refuted, one is open; 130: interrupted, with \
      the best bounds so far.

      EXAMPLES:
        framebudget prove steady
        framebudget prove camera-upload --strategy main-thread,schedulable
        framebudget prove my.yaml --set costs.all=1.5 --cores 4
        framebudget prove three-files --limit 'dropped_frames<=10'
        framebudget prove my.yaml --strategy all --format csv -o proofs.csv
      """)

  @Argument(help: .scenario)
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
    let replays = try ProofReplays(scenario, subject, on: console)
    var place = try target.open(on: console, quiet: output.quiet)
    if !output.quiet {
      for omission in replays.comparison.omissions { console.note(omission) }
      console.warn(of: replays.comparison.runs.map(\.scenario))
    }
    Interruption.install()
    let bar = output.quiet ? nil : RunCountBar(on: console)
    let maker = ConcurrentRuns(jobs: jobs, showing: bar)
    let rows = replays.comparison.runs.indices.map { place in
      let run = replays.comparison.runs[place]
      let prover = Prover(
        run.plan, on: run.machine, costs: run.costs, droppingUpTo: limit ?? 0)
      let proof = prover.proof { count, make in maker.outputs(count, make) }
      return replays.row(proof, at: place)
    }
    bar?.wipe()
    let text = ProofText(rows, width: place.width, isColored: place.isColored(output.color)).text
    try place.write(output.format.text(ProofRow.table(rows), text))
    if let signal = Interruption.signal {
      console.note("interrupted; the bounds are valid, but the search for worse runs is incomplete")
      return .interrupted(by: signal)
    }
    let verdicts = Set(rows.map(\.proof.verdict))
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
    _ argument: String, _ options: ScenarioOptions, on console: Console
  ) throws(ToolError) {
    self.argument = argument
    source = try ScenarioSource(argument, on: console)
    request = try Comparison.Request(options, on: .virtual, repetitions: 1)
    comparison = try Comparison(source, request)
  }

  /// The result for the strategy at `place`. A witness counts only if `run` reproduces it.
  func row(_ proof: Proof, at place: Int) -> ProofRow {
    let run = comparison.runs[place]
    guard let witness = proof.witness else { return ProofRow(run: run, proof: proof, command: nil) }
    let changes = witness.changes(of: run.scenario)
    guard repeats(changes, proof, at: place) else {
      return ProofRow(run: run, proof: proof.withoutWitness(), command: nil)
    }
    return ProofRow(run: run, proof: proof, command: command(changes, of: run))
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

/// The proof of one strategy, and a command that reproduces a drop.
struct ProofRow {
  let run: PlannedRun
  let proof: Proof
  /// The `run` that drops a frame; nil unless the proof is refuted.
  let command: String?

  var label: String { proof.strategy.label }

  static func table(_ rows: [ProofRow]) -> RecordTable { RecordTable("proofs", columns, rows) }

  private static let columns: [Column<ProofRow>] =
    [
      Column(RunKey.scenario.name, RunKey.scenario.meaning) { .text($0.run.scenario.name) },
      Column(RunKey.strategy.name, RunKey.strategy.meaning) { .text($0.proof.strategy.name) },
      Column(RunKey.options.name, RunKey.options.meaning) { .text($0.proof.strategy.options) },
      Column(RunKey.changes.name, RunKey.changes.meaning) { .text($0.run.changes) },
      Column(RunKey.cores.name, RunKey.cores.meaning) { .count($0.run.machine.cores) },
      Column("verdict", "proven, refuted or open") { .text($0.proof.verdict.rawValue) },
    ] + bounds + found

  private static let bounds: [Column<ProofRow>] = [
    Column("bound_ms", "largest use of the tightest budget; empty without a bound") {
      ($0.proof.bound.tightest?.total.inMilliseconds).map(MetricValue.real)
    },
    Column("budget_ms", "the tightest budget") {
      ($0.proof.bound.tightest?.available.inMilliseconds).map(MetricValue.real)
    },
    Column("tightest", "name of the tightest budget") {
      ($0.proof.bound.tightest?.name).map(MetricValue.text)
    },
    Column("parts", "its parts, in ms: KIND NAME=MS;...") { row in
      (row.proof.bound.tightest?.parts).map { parts in
        .text(
          parts.map { part in
            let name = part.name.isEmpty ? "" : " \(part.name)"
            return
              "\(part.kind.rawValue)\(name)=\(Decimal.text(part.total.inMilliseconds, places: 6))"
          }.joined(separator: ";"))
      }
    },
    Column("growth", "largest factor of the stated costs for which it is proven") {
      $0.proof.growth.map { .real(Double($0) / 1000) }
    },
    Column("unbounded", "unbounded parts, with remedies") { row in
      .text(row.proof.bound.gaps.map { "\($0.reason): \($0.remedy)" }.joined(separator: "; "))
    },
  ]

  private static let found: [Column<ProofRow>] = [
    Column("runs", "number of runs of the search for a dropped frame") { .count($0.proof.runs) },
    Column("complete", "1 if the search was completed, 0 if it was interrupted") {
      .count($0.proof.isCut ? 0 : 1)
    },
    Column("found_ms", "longest frame in the worst run") {
      ($0.proof.worst?.longestFrame).map { .real(Double($0) / 1e6) }
    },
    Column(Metric.droppedFrames.name, "dropped frames in the worst run") {
      ($0.proof.worst?.dropped).map(MetricValue.count)
    },
    Column("command", "command that shows the drop; empty unless refuted") {
      $0.command.map(MetricValue.text)
    },
    Column("limit", "frames that a run may drop") { .count($0.proof.limit) },
    Column("most_dropped", "most frames that any run drops; empty without a bound") {
      $0.proof.bound.dropped.map(MetricValue.count)
    },
    Column("most_in_a_row", "most consecutive vsyncs without a new frame; empty without a bound") {
      $0.proof.bound.droppedInARow.map(MetricValue.count)
    },
    .learnedMark { $0.run.scenario.learned },
  ]
}

/// Proofs for people: an answer for each strategy, and its reasons.
struct ProofText {
  private let rows: [ProofRow]
  private let width: Int
  private let isColored: Bool

  init(_ rows: [ProofRow], width: Int, isColored: Bool) {
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
    guard let run = rows.first?.run else { return "" }
    let (scenario, duration) = (run.scenario, run.scenario.duration)
    return "\(scenario.name): \(scenario.display.refresh), "
      + "\(Figure.span(milliseconds: duration.inMilliseconds)); virtual engine, "
      + "\(English.count(run.machine.cores, "core"))\(Learned.origin(scenario.learned))"
  }

  private func lines(_ row: ProofRow) -> [String] {
    let sentences = [answer(row), bound(row.proof), search(row.proof)].filter { !$0.isEmpty }
    var lines = wrapped(sentences.joined(separator: " "), indent: "  ")
    if let first = lines.first, isColored { lines[0] = colored(first, row.proof.verdict) }
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

  private func answer(_ row: ProofRow) -> String {
    let proof = row.proof
    switch proof.verdict {
    case .proven:
      let most = proof.bound.dropped ?? 0
      let claim =
        most == 0
        ? "No frame is dropped"
        : "At most \(English.count(most, "frame")) \(most == 1 ? "is" : "are") dropped"
      return
        "\(row.label): proven. \(claim), for any phase of any workload\(Self.growth(proof))."
    case .refuted:
      let frames = English.count(proof.worst?.dropped ?? 0, "frame")
      return
        "\(row.label): refuted. \(Self.phases(proof)), \(frames) \(proof.worst?.dropped == 1 ? "is" : "are") dropped."
    case .open:
      guard proof.limit > 0 else {
        return "\(row.label): open. No dropped frame was found, but none is ruled out."
      }
      return
        "\(row.label): open. No run was found that drops more than \(English.count(proof.limit, "frame")), but this is not ruled out."
    }
  }

  private static func phases(_ proof: Proof) -> String {
    guard let witness = proof.witness, witness != .stated else {
      return "As the scenario is stated"
    }
    let starts = witness.starts.sorted { $0.key < $1.key }.map { "\($0.key) at \($0.value)" }
    let first = starts.isEmpty ? "" : "With \(English.list(starts))"
    guard witness.hasLargestCosts else { return first }
    return starts.isEmpty ? "With the largest costs" : "\(first) and the largest costs"
  }

  private static func growth(_ proof: Proof) -> String {
    guard let growth = proof.growth else { return "" }
    if growth == FrameBound.maxGrowth { return ", for any costs" }
    guard growth > 1000 else { return "" }
    let costs = "with costs up to \(times(growth)) those stated"
    return proof.bound.isKept && proof.limit == 0
      ? ", \(costs)" : "; no more than \(proof.limit) \(costs)"
  }

  /// Rounded down, because a larger factor is not proven.
  private static func times(_ thousandths: Int) -> String {
    let places = thousandths < 100 ? 3 : 2
    let unit = places == 2 ? 10 : 1
    return "\(Decimal.text(Double(thousandths / unit * unit) / 1000, places: places)) times"
  }

  private func bound(_ proof: Proof) -> String {
    guard let budget = proof.bound.tightest else {
      let gaps = proof.bound.gaps.map { "\($0.reason) (\($0.remedy))" }
      return "No bound: \(gaps.joined(separator: "; "))."
    }
    let use =
      "\(Figure.text(budget.total.inMilliseconds)) of "
      + "\(Figure.text(budget.available.inMilliseconds)) ms"
    let parts = Self.words(of: budget.parts)
    let filled = parts.isEmpty ? "" : ": \(English.list(parts))"
    if proof.bound.isKept { return "Tightest is \(budget.name), \(use)\(filled)." }
    let sentence =
      "By the bound, \(budget.name) takes up to \(use)\(filled).\(Self.drops(proof.bound))"
    if proof.verdict == .proven { return sentence }
    guard let growth = proof.growth else { return "\(sentence) No smaller costs would prove it." }
    return growth < 1000
      ? "\(sentence) It would be proven with \(Self.times(growth)) the costs." : sentence
  }

  private static func drops(_ bound: FrameBound) -> String {
    guard let drops = bound.drops else { return "" }
    return
      " No run drops more than \(English.count(drops.inRun, "frame")), or more than \(drops.inARow) in a row."
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

  private func search(_ proof: Proof) -> String {
    let cut = proof.isCut ? " until the search was interrupted" : ""
    guard proof.verdict == .open, let worst = proof.worst else {
      return proof.isCut ? "The search for worse runs was interrupted." : ""
    }
    let longest = Figure.text(Double(worst.longestFrame) / 1e6)
    return "The longest frame of \(English.count(proof.runs, "run")) took \(longest) ms\(cut)."
  }
}
