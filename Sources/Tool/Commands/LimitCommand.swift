internal import ArgumentParser
internal import FrameBudget
internal import RealTime
internal import Reports

/// Finds the largest load that keeps the frames.
struct LimitCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "limit",
    abstract: "Find the largest load that keeps the frames, per strategy.",
    discussion: """
      A load is borne while no frame is dropped, no backlog grows (no more items wait before the last \
      arrival than before the second; where all arrive at one instant, none is pending at the end) and every \
      respond_within is met. Says which of them ended it. The load doubles until it is too much, then the gap \
      is halved: a load above one that is too much is taken to be too much.

      EXAMPLES:
        framebudget limit camera-upload
        framebudget limit camera-upload --strategy main-thread,time-sliced --set display.refresh="120 Hz"
        framebudget limit camera-upload --vary workloads.tap.steps.0.cpu="1..100 ms" --cores 6
        framebudget limit my.yaml --vary workloads.scan.arrival.rate=1..500/s --format csv
      """)

  @Argument(
    help: "A path, - for standard input, or the name of a shipped scenario (./NAME for a file).")
  var scenario: String

  @Option(
    help: ArgumentHelp(
      "The load, if not the first workload's once, batch or rate.", valueName: "path=a..b"))
  var vary: [String] = []

  @Option(help: "This machine, the simulation, or both.")
  var engine = EngineChoice.virtual

  @Option(
    help: ArgumentHelp(
      "Strategies instead of the scenario's; all for every named one.",
      valueName: "name[:key=value...][,...]"))
  var strategy: [String] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Replace a value of the scenario.", valueName: "path=value"))
  var settings: [String] = []

  @Option(help: "Cores of the simulated machine (virtual engine).")
  var cores: Int?

  @Option(
    help: ArgumentHelp("What 'bench' measured, for the virtual engine.", valueName: "file"))
  var costs: String?

  @Option(help: "What standard output gets.")
  var format = OutputFormat.table

  @Option(help: "Colours on standard output.")
  var color = ColorChoice.auto

  func validate() throws {
    guard vary.count <= 1 else { throw ValidationError("--vary can be given once") }
    try engine.check(cores: cores, costs: costs)
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let search = try search(on: console)
    Interruption.install()
    let results = try results(of: search)
    let rows = results.compactMap { try? $0.get() }
    if !rows.isEmpty { try console.print(text(rows, on: console)) }
    for result in results { _ = try result.get() }
    return .success
  }

  private func search(on console: Console) throws(ToolError) -> LimitSearch {
    let source = try ScenarioSource(scenario, on: console)
    // A file that is broken by itself is to be told from a flag that breaks it.
    _ = try source.scenario()
    var request = Comparison.Request(engines: engine.engines)
    try request.take(
      strategies: strategy, settings: settings, cores: cores, costsFile: costs)
    let load =
      if let text = vary.first {
        try LoadPath(parsing: text, of: source, request.set)
      } else {
        try LoadPath(ofFirstWorkloadIn: source, request.set)
      }
    return LimitSearch(source: source, request: request, load: load)
  }

  private func results(
    of search: LimitSearch
  ) throws(ToolError) -> [Result<LimitRow, ToolError>] {
    let places = Array(0..<(try search.count()))
    let row: @Sendable (Int) -> Result<LimitRow, ToolError> = { place in
      Result { () throws(ToolError) in try search.row(place) }
    }
    return engine == .virtual ? places.concurrentMap(row) : places.map(row)
  }

  private func text(_ rows: [LimitRow], on console: Console) -> String {
    switch format {
    case .table:
      LimitReport.text(rows, width: console.width, isColored: console.isColored(color))
    case .csv: LimitCSV.text(rows)
    case .json: LimitJSON.text(rows)
    }
  }
}
