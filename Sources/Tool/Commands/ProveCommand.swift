internal import ArgumentParser
internal import FrameBudget
internal import Proving
internal import RealTime
internal import Reports

/// Proves that no frame is dropped, or finds when one is.
struct ProveCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract: "Prove that no frame is dropped, whatever the phases, or find when one is.",
    discussion: """
      A run shows what happens when workloads arrive at the stated moments. This adds up the most that a frame can take \
      in virtual time: each workload may first arrive at any moment, and each cost may be anything between its smallest \
      and its largest value. The answer for each strategy is one of these.

      proven: no frame is dropped. Says how far costs may grow, and what fills the tightest budget.
      refuted: a frame is dropped. Prints the 'framebudget run' command that shows it.
      open: neither. Says what has no bound and what would give it one, or how far apart the bound and the worst run are.

      With --limit a run may drop so many frames. Where a frame can be late, the most that any run drops is bounded too.

      Bounds cover the main thread in loops of frames (all, throttled, time-sliced) and of events, a second stage, lanes that \
      have a core each, and fair locks. The page Documentation/Prove.md derives them.

      Exit status 0: all strategies are proven; 1: one is refuted; 2: none is refuted, one is open; 130: interrupted, the \
      best bounds so far are printed.

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
      "How many frames a run may drop, instead of none.", valueName: "dropped_frames<=n"))
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
    try place.write(
      text(rows, width: place.width, isColored: place.isColored(output.color)))
    if let signal = Interruption.signal {
      console.note("interrupted; the bounds hold, the search for worse runs was cut short")
      return .interrupted(by: signal)
    }
    let verdicts = Set(rows.map(\.proof.verdict))
    return verdicts.contains(.refuted)
      ? .failed : verdicts.contains(.open) ? .inconclusive : .success
  }

  private func text(_ rows: [ProofRow], width: Int, isColored: Bool) -> String {
    switch output.format {
    case .table: ProofText(rows, width: width, isColored: isColored).text
    case .csv: ProofRow.table(rows).csv
    case .json: ProofRow.table(rows).json
    }
  }
}
