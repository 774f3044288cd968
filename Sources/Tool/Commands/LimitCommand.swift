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

  @OptionGroup var subject: SubjectOptions

  @Option(
    help: ArgumentHelp(
      "The load, if not the first workload's once, batch or rate.", valueName: "path=a..b"))
  var vary: [String] = []

  @Option(help: "This machine, the simulation, or both.")
  var engine = EngineChoice.virtual

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard vary.count <= 1 else { throw ValidationError("--vary can be given once") }
    try subject.check(on: engine)
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let search = try search(on: console)
    if !output.quiet {
      console.warn(of: try search.runs(at: search.load.range.lowerBound).map(\.scenario))
      console.announce("searches", "at most", try search.longestRealTime())
    }
    Interruption.install()
    let results = try results(of: search, on: console)
    let rows = results.compactMap { try? $0.get() }
    if !rows.isEmpty { try console.print(text(rows, on: console)) }
    if let signal = Interruption.signal { return interrupted(by: signal, on: console) }
    for result in results { _ = try result.get() }
    return .success
  }

  private func search(on console: Console) throws(ToolError) -> LimitSearch {
    let source = try ScenarioSource(subject.scenario, on: console)
    // A file that is broken by itself is to be told from a flag that breaks it.
    _ = try source.scenario()
    let request = try Comparison.Request(subject, engines: engine.engines)
    let load =
      if let text = vary.first {
        try LoadPath(parsing: text, of: source, request.set)
      } else {
        try LoadPath(ofFirstWorkloadIn: source, request.set)
      }
    return LimitSearch(source: source, request: request, load: load)
  }

  /// What each search found, or why it found nothing; none begins after an interruption.
  private func results(
    of search: LimitSearch, on console: Console
  ) throws(ToolError) -> [Result<LimitRow, ToolError>] {
    let places = Array(try search.runs(at: search.load.range.lowerBound).indices)
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
      LimitReport.text(rows, width: console.width, isColored: console.isColored(output.color))
    case .csv: LimitCSV.text(rows)
    case .json: LimitJSON.text(rows)
    }
  }
}
