internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import Glibc

/// Counts the instructions of a program's spans, and simulates a scenario with the costs that they mean.
struct MeasureCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "measure",
      success: "every checked expectation of the scenario holds; it names those not checked",
      failed: "an expectation is missed")
  ]

  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Count the instructions of a program's work, and simulate a scenario with them.",
    discussion: """
      Runs the program twice under valgrind, which needs no counters of the processor and about fifty times as long, and \
      counts the instructions of its intervals and frames (FrameRecorder of FrameRecording). Other load on the machine does \
      not change them. The program has to do the same work each time, not work for a time, and to end by itself.

      Work of the scenario with the name of a span, of which only letters count, takes as much longer as the span's \
      instructions have grown since the calibration: in all its calls the steps of a service, in each frame a part of \
      drawing or, for 'frame', the rest of drawing, in each call the closures of 'measureFrames'. Without --calibration these \
      counts are the calibration, and the scenario's costs its times: keep the folder. \
      'compare' and 'bisect' gate the costs of spans (\(Metric.spanCost.name)) with the frames.

      \(SpansText.limits)

      \(outcomes[0].sentence)

      EXAMPLES:
        framebudget measure my.yaml -o calibration -- ./MyApp --import 40
        framebudget measure my.yaml --calibration calibration -o new -- ./MyApp \\
          --import 40
        framebudget bisect v1.2..main -- sh -c 'make && framebudget measure my.yaml \\
          --calibration calibration -o "$FRAMEBUDGET_RESULT" -- ./MyApp --import 40'
      """)

  @Argument(help: .scenario, completion: .scenario)
  var scenario: String

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The program, after --, and its arguments.", valueName: "program"))
  var program: [String] = []

  @Option(
    help: ArgumentHelp(
      "A folder of 'measure' with the counts to which the scenario's costs belong.",
      valueName: "dir"),
    completion: .directory)
  var calibration: String?

  @Option(
    name: .output,
    help: ArgumentHelp(
      "Write spans.csv, and the simulated summary.csv, workloads.csv and run.json.",
      valueName: "dir"),
    completion: .directory)
  var folder: String?

  @OptionGroup var subject: ScenarioOptions

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var output: OutputOptions<OutputFormat>

  func validate() throws {
    guard !program.isEmpty else { throw ValidationError("measure needs '-- PROGRAM' at its end") }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let source = try ScenarioSource(scenario, on: console)
    var request = try Comparison.Request(subject.choice, on: .virtual, repetitions: 1)
    // Rejects wrong options, and outputs that exist, before the program runs.
    let unchanged = try Comparison(source, request)
    let base = try calibrated()
    var results: ResultFolder? = nil
    if let folder { results = try ResultFolder(folder, on: console) }
    if !output.quiet { console.warn(of: unchanged) }
    guard let counted = try counts(on: console), let scenario = unchanged.runs.first?.scenario
    else {
      console.note("interrupted before the counts were complete")
      return .interrupted(by: Interruption.signal ?? SIGINT)
    }
    let costs = try ToolError.reading { () throws(InputError) in
      try CountedCosts(counted.spans(since: base, in: scenario), since: base, in: scenario)
    }
    request.counted = costs
    let runs = try Comparison(source, request).runs
    let rows = runs.simulated(.summary, ranges: true)
    guard let first = rows.first, Interruption.signal == nil else {
      console.note("interrupted before the simulation was complete")
      return .interrupted(by: Interruption.signal ?? SIGINT)
    }
    let spans = SpansCSV.rows(costs.spans, of: first)
    if var results = results.take() {
      for row in rows { try results.append(row) }
      try results.files(rows, .now(isReal: false), spans: SpansCSV.text(spans)).commit()
    }
    try console.print(
      output.format.text(
        SpansCSV.records(spans), text(costs, since: base, rows, on: console)))
    if !output.quiet { comment(costs, counted, on: console) }
    return conclude(rows, runs, on: console)
  }

  private func calibrated() throws(ToolError) -> [CountedSpan] {
    guard let calibration else { return [] }
    return try ToolError.reading { () throws(InputError) in
      try SpansCSV.spans(ByteSource(path: ResultPath.file([ResultFolder.spans], at: calibration)))
    }
  }

  private func counts(on console: Console) throws(ToolError) -> ProgramCounts? {
    LockedFolder.removeLeftovers(on: console)
    let folder = LockedFolder.new()
    if let error = folder.create() {
      throw ToolError(.cannotCreate, "cannot create \(folder.path): \(error)")
    }
    defer { folder.remove() }
    let counter = try SpanCounter(program, in: folder.path)
    Interruption.install()
    // The output is the command's own.
    let printed = dup(console.diagnostics)
    defer { close(printed) }
    return try counter.counts(printing: printed)
  }

  private func text(
    _ costs: CountedCosts, since base: [CountedSpan], _ rows: [ReportRow], on console: Console
  ) -> String {
    let isColored = console.isColored(output.color)
    let calls = SpansText.changedCalls(costs.spans, since: base).map { "\($0.printable)\n" }
    return [
      SpansText.table(costs.spans, since: base, isColored: isColored) + calls.joined(),
      Paragraph.wrapped(SpansText.limits, width: console.width).joined(separator: "\n") + "\n",
      ComparisonReport.text(
        rows, sets: numbers.sets(for: rows.first?.log.platform), width: console.width,
        isColored: isColored, details: false),
    ].joined(separator: "\n")
  }

  private func comment(
    _ costs: CountedCosts, _ counted: ProgramCounts, on console: Console
  ) {
    for doubt in SpansText.doubts(costs.spans) { console.note("warning: \(doubt)") }
    for (names, words) in [
      (counted.namesOfOneRun, "warning: only one of two runs has these, so they do not gate"),
      (costs.gone, "warning: only the calibration has these, so the scenario keeps their costs"),
      (costs.uncalibrated, "not in the calibration, so the scenario keeps their costs"),
      (costs.others, "not in the scenario, so they gate by their costs alone"),
    ] where !names.isEmpty {
      console.note("\(words): \(English.list(names))")
    }
    if let folder {
      console.note("\(ResultFolder.spans) and \(ResultFolder.summary) are in \(folder)")
    }
  }

  private func conclude(
    _ rows: [ReportRow], _ runs: [PlannedRun], on console: Console
  ) -> ExitStatus {
    let broken = rows.violations
    var missed: [String] = []
    if let scenario = runs.first?.scenario {
      if subject.choice.isAsWritten {
        missed = rows.flatMap { ExpectationCheck.failures(of: $0, in: scenario) }
        missed += ExpectationCheck.unmet(scenario.aims, by: rows)
      }
      // Also with --quiet: it qualifies the exit status.
      ExpectationCheck.omissions(in: scenario, by: rows, changes: subject.choice.changes)
        .forEach(console.note)
    }
    for problem in broken + missed { console.printError(problem) }
    return !broken.isEmpty ? .brokenInvariant : missed.isEmpty ? .success : .failed
  }
}
