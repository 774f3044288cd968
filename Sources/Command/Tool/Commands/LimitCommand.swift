internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// Finds the largest load at which no frame is dropped.
struct LimitCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "limit",
    abstract: "Find the largest load that each strategy sustains without dropped frames.",
    discussion: """
      A load is sustained if no frame is dropped, no backlog grows and every respond_within is met. An item waits until \
      a vsync shows its result. A backlog grows if more items wait before each arrival of the last quarter than before \
      one of the second quarter; with arrivals at fewer than four instants, if earlier items wait at the end, or the last \
      ones have waited longer than any before them. Documentation/Metrics.md has the exact rule. The output shows which \
      of these conditions failed first. The load is doubled until it is too high, then the gap is halved; the search \
      assumes that every load above one that is too high is too high, too. Repetitions, which differ only on the real \
      engine, are represented by the median.

      EXAMPLES:
        framebudget limit camera-upload
        framebudget limit camera-upload --strategy main-thread,time-sliced \\
          --set display.refresh="120 Hz"
        framebudget limit camera-upload \\
          --vary workloads.tap.steps.0.cpu="1..100 ms" --cores 6
        framebudget limit my.yaml --vary workloads.scan.arrival.rate=1..500/s \\
          --format csv
        framebudget limit camera-upload --metrics android
        framebudget limit camera-upload --engine real --duration "3 s" --repeat 3 \\
          -o results/limit
      """)

  @Argument(help: .scenario, completion: .scenario)
  var scenario: String

  @OptionGroup var subject: ScenarioOptions

  @Option(
    help: ArgumentHelp(
      "The load; by default the arrivals of the first workload: once, batch or rate.",
      valueName: "path=a..b"))
  var vary: [String] = []

  @Option(help: "This machine, the simulation, or both.")
  var engine = EngineChoice.virtual

  @Option(
    name: .customLong("repeat"), parsing: .unconditional, help: .repetitions,
    transform: WholeNumber.repetitions)
  var repetitions = 1

  @OptionGroup var realEngine: EngineOptions

  @Option(
    name: .output, help: ArgumentHelp("Write limit.csv and run.json.", valueName: "dir"),
    completion: .directory)
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
    if let folder { try OutputFiles.prepare(folder, for: Self.files, on: console) }
    if !output.quiet {
      let comparison = try search.minLoad()
      console.warn(of: comparison)
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
    circumstances.isInterrupted = Interruption.signal != nil
    let found = results.compactMap { try? $0.get() }.map { found in
      var found = found
      found.record.isInterrupted = circumstances.isInterrupted
      return found
    }
    if !found.isEmpty {
      // Print the results even if they cannot be written.
      let written = Result { () throws(ToolError) in
        try write(found.map(\.record), circumstances)
      }
      try console.print(text(found, on: console))
      try written.get()
      if let folder, !output.quiet { console.note("limit.csv and run.json are in \(folder)") }
    }
    if circumstances.isInterrupted, let signal = Interruption.signal {
      console.note("interrupted; the unfinished searches have no result")
      return .interrupted(by: signal)
    }
    for result in results { _ = try result.get() }
    return .success
  }

  private static let files = ["limit.csv", "run.json"]

  private func write(_ rows: [LimitRecord], _ circumstances: Circumstances) throws(ToolError) {
    guard let folder else { return }
    try OutputFiles.write(
      [
        ("limit.csv", LimitRecord.table(rows).csv),
        ("run.json", LimitRecord.runJSON(rows, circumstances)),
      ], in: folder)
  }

  private func search(on console: Console) throws(ToolError) -> LimitSearch {
    let source = try ScenarioSource(scenario, on: console)
    let request = try Comparison.Request(subject.choice, on: engine, repetitions: repetitions)
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

  /// The result of each search. After an interruption no new search begins.
  private func results(
    of search: LimitSearch, on console: Console
  ) throws(ToolError) -> [Result<LimitSearch.Found, ToolError>] {
    let places = Array(try search.minLoad().runs.indices)
    guard engine != .virtual else { return places.concurrentMap { search.result($0) } }
    let bar = output.quiet ? nil : ProgressBar(on: console)
    defer { bar?.stop() }
    var results: [Result<LimitSearch.Found, ToolError>] = []
    for place in places where Interruption.signal == nil {
      results.append(search.result(place, showing: bar))
    }
    return results
  }

  private func text(_ found: [LimitSearch.Found], on console: Console) -> String {
    let records = found.map(\.record)
    return output.format.text(
      LimitRecord.table(records),
      LimitReport.text(
        records, sets: numbers.sets(for: found.first?.last.log.platform),
        sustained: found.compactMap { search in
          search.sustained.map { (search: search.record, run: $0) }
        }, width: console.width, isColored: console.isColored(output.color)))
  }
}

/// Searches for the largest load that each strategy sustains.
struct LimitSearch: Sendable {
  let source: ScenarioSource
  let request: Comparison.Request
  let load: LoadPath
  let options: RealEngine.Options

  /// The answer of one search, and two of its runs.
  struct Found {
    var record: LimitRecord
    let last: ReportRow
    /// The run with the largest sustained load; nil if no load is sustained.
    let sustained: ReportRow?
  }

  /// The run of each search, by strategy and engine, at this load.
  func runs(at load: Int) throws(ToolError) -> [PlannedRun] { try comparison(at: load).runs }

  /// All runs with the smallest load.
  func minLoad() throws(ToolError) -> Comparison { try comparison(at: load.range.lowerBound) }

  private func comparison(at load: Int) throws(ToolError) -> Comparison {
    var request = request
    request.hidden.append(self.load.override(load))
    return try Comparison(source, request)
  }

  /// The upper limit for the duration of all searches in real time, one after the other.
  func longestRealTime() throws(ToolError) -> TimeSpan {
    let length = try minLoad().runs.filter { $0.engine == .real }
      .reduce(TimeSpan.zero) { $0 + $1.realLength }
    return length * LoadSearch.maxRuns(in: load.range)
  }

  /// The result of the search at place `index`. Searches on the virtual engine may run concurrently.
  func result(_ index: Int, showing bar: ProgressBar? = nil) -> Result<Found, ToolError> {
    Result { () throws(ToolError) in
      var last: ReportRow?
      var sustained: ReportRow?
      let outcome = try LoadSearch.largest(in: load.range) { load throws(ToolError) in
        let row = try run(load, index, bar)
        last = row
        let overload = Overload.of(row.metrics)
        // Each accepted load is larger than those before.
        if overload == nil { sustained = row }
        return overload
      }
      guard let last else { preconditionFailure("a search makes at least one run") }
      return Found(
        record: LimitRecord(
          last, path: load.variation.path, range: load.range, outcome: outcome),
        last: last, sustained: sustained)
    }
  }

  private func run(_ load: Int, _ index: Int, _ bar: ProgressBar?) throws(ToolError) -> ReportRow {
    let runs = try runs(at: load)
    let run = runs[index]
    let label = "\(run.plan.strategy.label) at \(load)"
    bar?.begin("\(index + 1)/\(runs.count) \(label)", lasting: run.scenario.duration)
    let row = try run.made(options, progress: bar?.progress ?? RunProgress())
    if let signal = Interruption.signal {
      throw ToolError(.interrupted(by: signal), "\(label) was interrupted")
    }
    guard row.log.violations.isEmpty else {
      throw ToolError(
        .brokenInvariant, "\(label) is invalid: \(row.log.violations.joined(separator: "; "))")
    }
    return row
  }
}

/// The value of a scenario that is the load, and its range.
struct LoadPath {
  let variation: Variation
  let range: ClosedRange<Int>
  private let unit: String

  /// Parses `--vary`, which must be a range whose ends are valid in the scenario.
  init(
    parsing text: String, of source: ScenarioSource, _ set: [Override]
  ) throws(ToolError) {
    let variation = try Variation(parsing: text)
    guard case .range(let range, let unit) = variation.values else {
      throw ToolError(
        .usage, "--vary '\(text)' is not a range; a search takes whole numbers, PATH=A..B")
    }
    self.init(variation, range, unit)
    for load in [range.lowerBound, range.upperBound] {
      _ = try source.scenario(set + [override(load)])
    }
  }

  /// The number of arriving items of the first workload: from 1 to the largest allowed power of ten.
  init(ofFirstWorkloadIn source: ScenarioSource, _ set: [Override]) throws(ToolError) {
    let workloads = try source.scenario(set).workloads
    guard let workload = workloads.first else {
      throw ToolError(
        .usage, "the scenario has no workload; --vary PATH=A..B sets the load")
    }
    let (key, unit) = try Self.load(of: workload)
    let path = "workloads.\(workload.fileName).arrival.\(key)"
    var last = 1_000_000
    while last > 1 {
      let isAllowed =
        (try? source.scenario(set + [Override(path: path, value: "\(last)\(unit)")])) != nil
      if isAllowed { break }
      last /= 10
    }
    // Copies share the load, and each needs at least one item.
    let first = workloads.count { $0.copyOf != nil && $0.copyOf == workload.copyOf }
    let range = min(max(first, 1), last)...last
    self.init(Variation(path: path, values: .range(range, unit: unit)), range, unit)
  }

  private init(_ variation: Variation, _ range: ClosedRange<Int>, _ unit: String) {
    self.variation = variation
    self.range = range
    self.unit = unit
  }

  /// The change that gives the scenario this load.
  func override(_ load: Int) -> Override { variation.override("\(load)\(unit)") }

  private static func load(
    of workload: Workload
  ) throws(ToolError) -> (key: String, unit: String) {
    switch workload.arrival {
    case .once: return ("once", "")
    case .batch: return ("batch", "")
    case .rate: return ("rate", "/s")
    case .at, .recorded:
      throw ToolError(
        .usage,
        "'\(workload.name)' arrives at given instants; --vary PATH=A..B sets the load")
    }
  }
}
