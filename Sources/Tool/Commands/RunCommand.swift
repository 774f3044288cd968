internal import ArgumentParser
internal import Scenarios
internal import Simulation

/// Runs strategies on a scenario and prints the comparison.
struct RunCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run strategies on a scenario and print the comparison.",
    discussion: """
      A verdict comes first: how smooth the first strategy is, and which one is smooth at the least price. Smooth \
      is what dropped no frame by its own doing, answered nothing late and left no more undone than the first \
      strategy; the price is what waiting for locks, copying state and handing work over took, added up over \
      different threads.

      The result goes to standard output, everything else to standard error. Nothing is written to disk \
      without -o, --frames or --trace, and nothing is overwritten.

      Several --vary make a grid, of which the last turns fastest. In virtual time that is a sweep: its rows are \
      written as they come, in their order whatever core made them. What was interrupted goes on with --resume, and \
      'merge' puts together what --shard divided.

      A trace shows what each thread did: frames and their phases, vsyncs, dropped frames, steps, posts, and \
      locks waited for and held. It is Chrome trace JSON, for ui.perfetto.dev; 'report' draws the worst \
      hitch from it if it lies beside the result as trace.json.

      EXAMPLES:
        framebudget run camera-upload
        framebudget run my.yaml --strategy schedulable,throttled:batch=500:interval="2 s"
        framebudget run camera-upload --set display.refresh="120 Hz" --repeat 5 -o results/120hz
        framebudget run camera-upload --engine virtual --vary workloads.add-file.arrival.once=1..20
        framebudget run my.yaml --engine virtual --vary display.render="4..16:2 ms" --vary seed=1..1000 -o grid
        framebudget run my.yaml --engine virtual --vary seed=1..1000 --shard 3/16 -o shards/3 --resume
        framebudget run camera-upload --engine both --costs costs.json
        framebudget run import-folder --measure-steps measured.yaml
        framebudget run steady --duration "60 s" --format csv > steady.csv
        framebudget run camera-upload -o results/mine --trace results/mine/trace.json
      """)

  @Argument(help: .scenario)
  var scenario: String

  @OptionGroup var subject: ScenarioOptions

  @Option(help: "This machine, the simulation, or both and by how much they differ.")
  var engine = EngineChoice.real

  @Option(
    help: ArgumentHelp(
      "Runs for each value: PATH=A..B, PATH=A..B:STEP or PATH=A,B,C; several make a grid.",
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
    help: ArgumentHelp("Write summary.csv, workloads.csv and run.json there.", valueName: "dir"))
  var folder: String?

  @Option(help: ArgumentHelp("Write a line for each frame there, as CSV.", valueName: "file"))
  var frames: String?

  @Option(
    help: ArgumentHelp("Write what each thread did there, as Chrome trace JSON.", valueName: "file")
  )
  var trace: String?

  @Option(
    help: ArgumentHelp(
      "Write the scenario there with the measured costs of steps that do real work.",
      valueName: "file"))
  var measureSteps: String?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Print how far dropped frames and p99 move with small changes of costs and arrivals (virtual engine); the default without --vary. It takes \(VirtualEngine.runsForRange) more runs for each."
    ))
  var range: Bool?

  @OptionGroup var numbers: MetricsOptions

  @Flag(help: "A paragraph for every strategy, not only for the first, the best and the worst.")
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
    try FilePlace.requireDifferent(written)
    var costs: NewFile?
    if let measureSteps {
      try StepCosts.check(comparison)
      costs = try NewFile(measureSteps, on: console)
    }
    var outcome = try measure(comparison, on: console)
    if let costs = costs.take() { writeCosts(&outcome, of: comparison, source, to: costs) }
    return try report(outcome, on: console)
  }

  /// The files that the command is to write, each by its flag.
  private var written: [(flag: String, path: String)] {
    let ofFolder = folder.map { folder in
      (ResultFolder.names + [PartialSummary.name]).map { (flag: "-o", path: "\(folder)/\($0)") }
    }
    let single = [("--frames", frames), ("--trace", trace), ("--measure-steps", measureSteps)]
    return (ofFolder ?? []) + single.compactMap { flag, path in path.map { (flag, $0) } }
  }

  /// A sweep asks what figures become where something changes: there ranges cost, and say little more.
  var wantsRanges: Bool { range ?? vary.isEmpty }

  private func request() throws(ToolError) -> Comparison.Request {
    var request = try Comparison.Request(subject, on: engine, repetitions: repetitions)
    request.grid = try VariationGrid(parsing: vary)
    request.ranges = wantsRanges
    if let twice = request.hidden.first(where: { request.grid.varies($0.path) }) {
      throw ToolError(
        .usage, "--\(twice.path) and --vary \(twice.path) contradict each other; leave one out")
    }
    return request
  }
}
