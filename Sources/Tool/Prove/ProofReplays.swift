internal import FrameBudget
internal import Proving
internal import Reports
internal import Scenarios

/// Repeats what a search found as `run` would, so that every command that is printed shows what is said of it.
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

  /// What is known of the strategy at `place`; a witness counts only if `run` repeats it.
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
    // What `--set` says of a strategy's options is part of its label.
    let chosen = ChosenOptions(request.set, isChosen: true)
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
