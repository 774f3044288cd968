internal import FrameBudget
internal import Parsing
internal import RealTime
internal import Reports
internal import Scenarios

extension RunCommand {
  /// Whether the runs are a sweep: as many as wanted, as nothing keeps them all at once.
  var isSweep: Bool { engine == .virtual && !vary.isEmpty && frames == nil && trace == nil }

  /// More runs than anybody asks for without meaning it.
  private static let mostUnasked = 1_000_000

  func sweep(
    _ source: ScenarioSource, _ request: Comparison.Request, on console: Console
  ) throws(ToolError) -> ExitStatus {
    let sweep = try Sweep(source, request, sweeping.shard ?? .whole)
    guard sweep.runs <= Self.mostUnasked || sweeping.yes else {
      throw ToolError(.usage, "the sweep has \(sweep.runs) runs; --yes makes as many as that")
    }
    let manifest = try manifest(of: sweep)
    let summary = try summary(of: sweep)
    try requirePlace(manifest)
    if !output.quiet {
      console.warn(of: sweep.examples)
      console.warn(
        of: request.costs.calibration,
        on: sweep.examples.lazy.map { subject.cores.map($0.machine.having) ?? $0.machine })
      if let shard = sweeping.shard {
        console.note(
          "shard \(shard.number) of \(shard.count): \(manifest.ownRuns) of \(sweep.runs) runs")
      }
    }
    var circumstances = Circumstances.now(isReal: false)
    if subject.costs != nil { circumstances.costs = request.costs }
    var writer = try SweepWriter(
      manifest, folder: folder, resumes: sweeping.resume,
      prints: output.format == .csv && !sweeping.summary,
      circumstances)
    try writer.begin(on: console)
    if !writer.isWhole { try make(sweep, with: &writer, on: console) }
    return try writer.conclude(self, summary, on: console)
  }

  /// What decides the rows, and so may not change before an unfinished sweep goes on.
  private func manifest(of sweep: Sweep) throws(ToolError) -> SweepManifest {
    var content = try sweep.source.checksum(sweep.request.set + sweep.request.hidden)
    if let costs = subject.costs {
      do {
        content.add(try InputBytes.read(costs))
      } catch {
        throw ToolError(.noInput, "cannot open \(costs): \(error)")
      }
    }
    return SweepManifest(
      version: FrameBudgetTool.version, scenario: scenario, content: content.text,
      options: options, runs: sweep.runs, shard: sweep.shard.number, shards: sweep.shard.count)
  }

  private var options: [String] {
    var options: [String] = []
    func add(_ flag: String, _ values: [String]) { options += values.flatMap { [flag, $0] } }
    add("--strategy", subject.strategy)
    add("--set", subject.settings)
    add("--vary", vary)
    add("--duration", [subject.duration].compactMap(\.self))
    add("--seed", [subject.seed].compactMap(\.self))
    add("--cores", [subject.cores].compactMap { $0.map(String.init) })
    add("--costs", [subject.costs].compactMap(\.self))
    add("--repeat", repetitions == 1 ? [] : [String(repetitions)])
    return options + (wantsRanges ? ["--range"] : [])
  }

  /// Nil where nobody wants one.
  private func summary(of sweep: Sweep) throws(ToolError) -> SeedSummaryFile? {
    guard sweeping.summary, let folder else { return nil }
    guard let seeds = sweep.request.grid.count(of: Override.seed) else {
      throw ToolError(.usage, "--summary is over seeds; add --vary seed=1..N")
    }
    guard output.format != .json else {
      throw ToolError(.usage, "--summary is no JSON; --format table or csv prints it")
    }
    return SeedSummaryFile(
      folder: folder, runsEach: seeds * repetitions,
      expectations: sweep.examples.first?.expectations ?? [])
  }

  /// Fails where the runs cannot be shown as is asked, and where they are too many and go nowhere else.
  private func requirePlace(_ manifest: SweepManifest) throws(ToolError) {
    guard output.format != .csv, !sweeping.summary else { return }
    if output.format == .json, manifest.shards > 1 || sweeping.resume {
      throw ToolError(
        .usage, "--format json is for a whole sweep that is made at once; --format csv has any rows"
      )
    }
    guard manifest.ownRuns > SweepWriter.mostShown, folder == nil || output.format == .json else {
      return
    }
    throw ToolError(
      .usage,
      "\(manifest.ownRuns) runs are more than the \(SweepWriter.mostShown) that fit a "
        + "\(output.format.rawValue); -o DIR or --format csv takes them all")
  }

  private func make(
    _ sweep: Sweep, with writer: inout SweepWriter, on console: Console
  ) throws(ToolError) {
    Interruption.install()
    let first = writer.runs
    let last = writer.manifest.ownRuns
    let size = SweepWriter.batchSize
    let kept = writer.kept
    var bar = output.quiet ? nil : SweepBar(on: console, after: first, of: last)
    defer { bar?.wipe() }
    let batches = (last - first + size - 1) / size
    let jobs = min(sweeping.jobs ?? HostFacts.usableCores, batches)
    try OrderedWork.run(batches, jobs: jobs) { number in
      let start = first + number * size
      return sweep.batch(start..<min(start + size, last), keeping: kept)
    } take: { (batch) throws(ToolError) in
      try writer.append(batch, on: console)
      bar?.draw(done: writer.runs)
      return !batch.isCut && batch.failure == nil
    }
  }
}
