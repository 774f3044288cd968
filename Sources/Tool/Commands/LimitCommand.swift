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
      is halved: a load above one that is too much is taken to be too much. Of repetitions, which differ on the real \
      engine only, the middle one counts.

      EXAMPLES:
        framebudget limit camera-upload
        framebudget limit camera-upload --strategy main-thread,time-sliced --set display.refresh="120 Hz"
        framebudget limit camera-upload --vary workloads.tap.steps.0.cpu="1..100 ms" --cores 6
        framebudget limit my.yaml --vary workloads.scan.arrival.rate=1..500/s --format csv
        framebudget limit camera-upload --metrics android
        framebudget limit camera-upload --engine real --duration "3 s" --repeat 3 -o results/limit
      """)

  @Argument(help: .scenario)
  var scenario: String

  @OptionGroup var subject: ScenarioOptions

  @Option(
    help: ArgumentHelp(
      "The load, if not the first workload's once, batch or rate.", valueName: "path=a..b"))
  var vary: [String] = []

  @Option(help: "This machine, the simulation, or both.")
  var engine = EngineChoice.virtual

  @Option(
    name: .customLong("repeat"), parsing: .unconditional, help: .repetitions,
    transform: WholeNumber.repetitions)
  var repetitions = 1

  @OptionGroup var realEngine: EngineOptions

  @Option(
    name: .output, help: ArgumentHelp("Write limit.csv and run.json there.", valueName: "dir"))
  var folder: String?

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var output: OutputOptions<OutputFormat>

  func validate() throws {
    guard vary.count <= 1 else { throw ValidationError("--vary can be given once") }
    try subject.check(on: engine)
    try realEngine.check(on: engine)
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let search = try search(on: console)
    let files = try folder.map { path throws(ToolError) in try LimitFolder(path, on: console) }
    if !output.quiet {
      let comparison = try search.leastLoad()
      for omission in comparison.omissions { console.note(omission) }
      console.warn(of: comparison.runs.map(\.scenario))
      console.warn(
        of: search.request.costs.calibration, on: comparison.runs.lazy.map(\.machine))
      console.announce("searches", "at most", try search.longestRealTime())
    }
    var circumstances = Circumstances.now(isReal: engine != .virtual)
    if subject.costs != nil { circumstances.costs = search.request.costs }
    let before = engine == .virtual ? nil : HostSample.now
    Interruption.install()
    let results = try results(of: search, on: console)
    circumstances.measured(from: before, to: engine == .virtual ? nil : .now)
    let rows = results.compactMap { try? $0.get() }
    if !rows.isEmpty {
      // What cannot be written is still worth printing.
      let written = Result { () throws(ToolError) in try files?.write(rows, circumstances) }
      try console.print(text(rows, on: console))
      try written.get()
      if let folder, !output.quiet { console.note("limit.csv and run.json are in \(folder)") }
    }
    if let signal = Interruption.signal { return interrupted(by: signal, on: console) }
    for result in results { _ = try result.get() }
    return .success
  }

  private func search(on console: Console) throws(ToolError) -> LimitSearch {
    let source = try ScenarioSource(scenario, on: console)
    let request = try Comparison.Request(subject, on: engine, repetitions: repetitions)
    let changes = request.set + request.hidden
    let load =
      if let text = vary.first {
        try LoadPath(parsing: text, of: source, changes)
      } else {
        try LoadPath(ofFirstWorkloadIn: source, changes)
      }
    return LimitSearch(
      source: source, request: request, load: load, options: realEngine.real())
  }

  /// What each search found, or why it found nothing; none begins after an interruption.
  private func results(
    of search: LimitSearch, on console: Console
  ) throws(ToolError) -> [Result<LimitRow, ToolError>] {
    let places = Array(try search.leastLoad().runs.indices)
    guard engine != .virtual else { return places.concurrentMap { search.result($0) } }
    let bar = output.quiet ? nil : ProgressBar(on: console)
    defer { bar?.stop() }
    var results: [Result<LimitRow, ToolError>] = []
    for place in places where Interruption.signal == nil {
      results.append(search.result(place, showing: bar))
    }
    return results
  }

  private func interrupted(by signal: Int32, on console: Console) -> ExitStatus {
    console.note("interrupted; what was still looked for is not known")
    return .interrupted(by: signal)
  }

  private func text(_ rows: [LimitRow], on console: Console) -> String {
    switch output.format {
    case .table:
      LimitReport.text(
        rows, sets: numbers.sets(for: rows.first?.platform), width: console.width,
        isColored: console.isColored(output.color))
    case .csv: LimitRow.table(rows).csv
    case .json: LimitRow.table(rows).json
    }
  }
}
