internal import FrameBudget
internal import RealTime
internal import Reports

/// What came of a command's runs.
struct RunOutcome {
  var circumstances: Circumstances
  var rows: [ReportRow] = []
  /// What of the rows the scenario expected otherwise.
  var failures: [String] = []
  /// What kept results from being written.
  var writeFailure: ToolError?
  /// What kept a run from being made, and those behind it.
  var runFailure: ToolError?

  var violations: [String] {
    rows.flatMap { row in
      row.log.violations.map { "\(row.log.strategy.label) is invalid: \($0)" }
    }
  }
}

extension RunCommand {
  /// Makes the runs, until they are done or interrupted, and writes the files that are wanted.
  func measure(_ comparison: Comparison, on console: Console) throws(ToolError) -> RunOutcome {
    var files = try ResultFiles(folder: folder, frames: frames, trace: trace, on: console)
    if !output.quiet {
      for omission in comparison.omissions { console.note(omission) }
      console.warn(of: comparison.runs.lazy.map(\.scenario))
      if let costs = comparison.runs.first?.costs {
        console.warn(of: costs.calibration, on: comparison.runs.lazy.map(\.machine))
      }
      let count = comparison.runs.count { $0.engine == .real }
      console.announce(count == 1 ? "one run" : "\(count) runs", "about", comparison.realTime)
    }
    let isReal = engine != .virtual
    var outcome = RunOutcome(circumstances: .now(isReal: isReal))
    if subject.costs != nil { outcome.circumstances.costs = comparison.runs.first?.costs }
    let before = isReal ? HostSample.now : nil
    make(comparison, &outcome, &files, on: console)
    outcome.circumstances.measured(from: before, to: isReal ? .now : nil)
    guard !outcome.rows.isEmpty, outcome.writeFailure == nil else { return outcome }
    do {
      try files.finish(outcome.rows, outcome.circumstances)
    } catch {
      outcome.writeFailure = error
    }
    return outcome
  }

  private func make(
    _ comparison: Comparison, _ outcome: inout RunOutcome, _ files: inout ResultFiles,
    on console: Console
  ) {
    Interruption.install()
    let options = realEngine.real(trace != nil ? .trace : frames != nil ? .frames : .summary)
    let bar = output.quiet ? nil : ProgressBar(on: console)
    defer { bar?.stop() }
    let runs = comparison.runs
    var next = 0
    while next < runs.count, Interruption.signal == nil {
      let title = "\(next + 1)/\(runs.count) \(runs[next].plan.strategy.label)"
      bar?.begin(title, lasting: runs[next].scenario.duration)
      let batch = runs[next..<min(next + batchSize, runs.count)]
      next = batch.endIndex
      do {
        let rows = try rows(Array(batch), options, progress: bar?.progress ?? RunProgress())
        for (run, row) in zip(batch, rows) {
          guard keep(row, of: run, &outcome, &files) else { return }
        }
      } catch {
        // What was measured so far is still worth having.
        outcome.runFailure = error
        return
      }
    }
  }

  /// How many runs are made at once: real ones one by one, simulated ones as many as keep all cores busy;
  /// traces take memory.
  private var batchSize: Int { engine != .virtual ? 1 : trace == nil ? 64 : 4 }

  private func rows(
    _ batch: [PlannedRun], _ options: RealEngine.Options, progress: RunProgress
  ) throws(ToolError) -> [ReportRow] {
    if let run = batch.first, batch.count == 1 {
      return [try run.made(options, ranges: wantsRanges, progress: progress)]
    }
    return batch.concurrentMap { [detail = options.detail, ranges = wantsRanges] in
      $0.simulated(detail, ranges: ranges)
    }
  }

  /// Adds a run to what came out; false if it cannot be written, which makes going on useless.
  private func keep(
    _ row: ReportRow, of run: PlannedRun, _ outcome: inout RunOutcome, _ files: inout ResultFiles
  ) -> Bool {
    // Interrupted before its first vsync, it measured nothing; otherwise no frame may have been wanted.
    guard row.log.status != .interrupted || row.log.frames.vsyncs > 0 else { return true }
    outcome.rows.append(row.withoutSpans)
    // Expectations are about the scenario as it is written.
    if subject.isAsWritten && vary.isEmpty {
      outcome.failures += ExpectationCheck.failures(of: row, in: run.scenario)
    }
    do {
      try files.append(row)
      return true
    } catch {
      // What was measured so far is still worth printing.
      outcome.writeFailure = error
      return false
    }
  }

  /// Prints the result and says what is wrong with it; the exit status follows the gravest.
  func report(_ outcome: RunOutcome, on console: Console) throws(ToolError) -> ExitStatus {
    var failure = outcome.writeFailure
    if !outcome.rows.isEmpty {
      do {
        try console.print(text(outcome, on: console))
      } catch {
        failure = failure ?? error
      }
    }
    if !output.quiet { comment(outcome, failed: failure != nil, on: console) }
    for problem in outcome.violations + outcome.failures { console.complain(problem) }
    complainOfLoss(outcome, on: console)
    if let failure = failure ?? outcome.runFailure { throw failure }
    if !outcome.violations.isEmpty { return .invalidRun }
    if let signal = Interruption.signal { return interrupted(outcome, by: signal, on: console) }
    return outcome.failures.isEmpty ? .success : .failed
  }

  func text(_ outcome: RunOutcome, on console: Console) -> String {
    switch output.format {
    case .table:
      ComparisonReport.text(
        outcome.rows, sets: numbers.sets(for: outcome.rows.first?.log.platform),
        width: console.width, isColored: console.isColored(output.color),
        details: details)
    case .csv: SummaryCSV.text(outcome.rows)
    case .json: RunJSON.printed(outcome.rows, outcome.circumstances)
    }
  }

  private func comment(_ outcome: RunOutcome, failed: Bool, on console: Console) {
    for warning in MeasurementWarnings.warnings(outcome.rows, outcome.circumstances) {
      console.note("warning: \(warning)")
    }
    guard !failed, !outcome.rows.isEmpty else { return }
    if let folder { console.note("summary.csv, workloads.csv and run.json are in \(folder)") }
    if let frames { console.note("the frames are in \(frames)") }
    if let trace { console.note("the trace is in \(trace); ui.perfetto.dev opens it") }
  }

  /// Says that a trace is not whole, however quiet the command is to be: the file alone looks like all there was.
  func complainOfLoss(_ outcome: RunOutcome, on console: Console) {
    for row in outcome.rows {
      guard let lost = row.log.trace?.lost, lost > 0 else { continue }
      console.complain(
        "the trace of \(row.log.strategy.label) lacks \(lost) spans: it holds \(TraceLog.mostSpans) at most; "
          + "a shorter --duration or fewer items fit (TRACE FULL marks where it ends)")
    }
  }

  private func interrupted(
    _ outcome: RunOutcome, by signal: Int32, on console: Console
  ) -> ExitStatus {
    console.note(
      outcome.rows.isEmpty
        ? "interrupted before anything was measured"
        : "interrupted; the result is of what was measured until then")
    return .interrupted(by: signal)
  }
}
