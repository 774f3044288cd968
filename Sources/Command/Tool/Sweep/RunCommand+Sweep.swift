internal import ArgumentParser
internal import FrameBudget
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios

extension RunCommand {
  /// Whether the runs are a sweep, whose number is unlimited because they are not all kept in memory.
  var isSweep: Bool { engine == .virtual && !vary.isEmpty && frames == nil && trace == nil }

  /// More runs need --yes.
  private static let maxUnasked = 1_000_000

  func sweep(
    _ source: ScenarioSource, _ request: Comparison.Request, on console: Console
  ) throws(ToolError) -> ExitStatus {
    let sweep = try Sweep(source, request, sweeping.shard ?? .whole)
    guard sweep.runs <= Self.maxUnasked || sweeping.yes else {
      throw ToolError(.usage, "the sweep has \(sweep.runs) runs; --yes allows that many")
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
    circumstances.uncheckedBounds =
      sweep.examples.first.map { scenario in
        ExpectationCheck.omissions(in: scenario, by: [], changes: boundChanges)
      } ?? []
    // A summary has the share of runs that meet them. Otherwise it qualifies the exit status, so --quiet does not hide it.
    if summary == nil { circumstances.uncheckedBounds.forEach(console.note) }
    var writer = try SweepWriter(
      sweep, manifest, folder: folder, resumes: sweeping.resume,
      prints: output.format == .csv && !sweeping.summary,
      circumstances, on: console)
    try writer.begin(on: console)
    Interruption.install()
    try make(sweep, writer.repeated, keeping: .rows, &writer, on: console) { (batch, writer) in
      writer.show(batch, on: console)
    }
    try make(sweep, writer.runs..<manifest.ownRuns, keeping: writer.kept, &writer, on: console) {
      (batch, writer) throws(ToolError) in try writer.append(batch, on: console)
    }
    return try writer.conclude(self, summary, on: console)
  }

  /// The inputs that determine the rows; they must not change before a sweep is resumed.
  private func manifest(of sweep: Sweep) throws(ToolError) -> SweepManifest {
    var content = try sweep.source.checksum(sweep.request.set + sweep.request.hidden)
    if let costs = subject.costs { content.add(try InputBytes.readInput(costs)) }
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
    options += subject.choice.words
    add("--repeat", repetitions == 1 ? [] : [String(repetitions)])
    return options + (wantsRanges ? ["--range"] : [])
  }

  /// Nil without --summary.
  private func summary(of sweep: Sweep) throws(ToolError) -> SeedSummaryFile? {
    guard sweeping.summary, let folder else { return nil }
    guard let seeds = sweep.request.grid.count(of: Override.seed) else {
      throw ToolError(.usage, "--summary is over seeds; add --vary seed=1..N")
    }
    guard output.format != .json else {
      throw ToolError(.usage, "--summary has no JSON format; use --format table or csv")
    }
    return SeedSummaryFile(
      folder: folder, runsPerGroup: seeds * repetitions,
      expectations: sweep.examples.first?.expectations ?? [])
  }

  /// Throws if the format cannot show the runs, or if there are too many without a folder.
  private func requirePlace(_ manifest: SweepManifest) throws(ToolError) {
    guard output.format != .csv, !sweeping.summary else { return }
    if output.format == .json, manifest.shards > 1 || sweeping.resume {
      throw ToolError(
        .usage, "--format json needs a whole sweep in one process; --format csv does not"
      )
    }
    guard manifest.ownRuns > SweepWriter.maxShown, folder == nil || output.format == .json else {
      return
    }
    throw ToolError(
      .usage,
      "\(manifest.ownRuns) runs exceed the \(SweepWriter.maxShown) that fit a "
        + "\(output.format.rawValue); use -o DIR or --format csv")
  }

  /// Makes the runs at `places`, and passes them to `take` in their order.
  private func make(
    _ sweep: Sweep, _ places: Range<Int>, keeping kept: SweepBatch.Kept,
    _ writer: inout SweepWriter, on console: Console,
    take: (SweepBatch, inout SweepWriter) throws(ToolError) -> Void
  ) throws(ToolError) {
    guard !places.isEmpty, !writer.isCut else { return }
    let size = SweepWriter.batchSize
    var bar =
      output.quiet ? nil : SweepBar(on: console, after: places.lowerBound, of: places.upperBound)
    defer { bar?.wipe() }
    var done = places.lowerBound
    let batches = (places.count + size - 1) / size
    let jobs = min(sweeping.jobs ?? HostFacts.usableCores, batches)
    try OrderedWork.run(batches, jobs: jobs) { number in
      let start = places.lowerBound + number * size
      return sweep.batch(start..<min(start + size, places.upperBound), keeping: kept)
    } take: { (batch) throws(ToolError) in
      try take(batch, &writer)
      done += batch.count
      bar?.draw(done: done)
      return batch.isComplete
    }
  }
}

/// The options of sweeps.
struct SweepOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make only the runs whose place in the order is I modulo N; auto and auto/N take I from an array of jobs of Slurm, AWS Batch or Kubernetes.",
      valueName: "i/n"),
    transform: Shard.parse)
  var shard: Shard?

  @Option(
    parsing: .unconditional,
    help: .jobs,
    transform: WholeNumber.jobs)
  var jobs: Int?

  @Flag(help: "Resume an unfinished sweep in the folder of -o; start one if there is none.")
  var resume = false

  @Flag(
    help: "Print totals over all seeds instead of each run, and write seeds.csv (needs -o DIR).")
  var summary = false

  @Flag(help: "Allow a sweep of more than a million runs.")
  var yes = false

  /// Refuses options for sweeps without a sweep.
  func check(isSweep: Bool, folder: String?) throws {
    let given = [
      ("--shard", shard != nil), ("--jobs", jobs != nil), ("--resume", resume), ("--yes", yes),
      ("--summary", summary),
    ]
    for (flag, isGiven) in given where isGiven && !isSweep {
      throw ValidationError(
        "\(flag) is for sweeps: --vary with --engine virtual, without --frames and --trace")
    }
    for (flag, isGiven) in given where isGiven && folder == nil {
      if ["--shard", "--resume", "--summary"].contains(flag) {
        throw ValidationError("\(flag) needs -o DIR")
      }
    }
    if summary, shard != nil {
      throw ValidationError(
        "--summary needs all shards: after 'merge', run the command without --shard, with --resume and --summary"
      )
    }
  }
}

extension RunCommand {
  /// What `-o` has instead of the number of the shard, for jobs whose command no shell reads.
  static let shardMark = "{}"

  /// The folder of `-o`; `shards/{}` is that of the shard.
  var folder: String? {
    guard let shard = sweeping.shard else { return folderOption }
    return folderOption?.replacing(Self.shardMark, with: String(shard.number))
  }
}

/// `--shard I/N`: makes the runs whose place in the total order, from 1, is I modulo N.
struct Shard: Hashable, Sendable {
  let number: Int
  let count: Int

  static let whole = Shard(number: 1, count: 1)

  private init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// For the argument parser.
  static func parse(_ text: String) throws -> Shard { try Shard(text, environment: variable) }

  /// `auto` takes number and count from the scheduler's environment, `auto/N` only the number.
  init(_ text: String, environment: (String) -> Int?) throws(ValidationError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let count = parts.count == 2 ? Int(parts[1]) : nil
    guard parts.count == 1 ? parts[0] == "auto" : count != nil && parts.count == 2 else {
      throw Self.unknown
    }
    if parts[0] == "auto" {
      self = try ArrayTask(environment, isWhole: count == nil).shard(of: count)
    } else if let number = Int(parts[0]), let count, let shard = Shard(checked: number, of: count) {
      self = shard
    } else {
      throw Self.unknown
    }
  }

  private static let unknown = ValidationError(
    "allowed: I/N, I from 1 to N, N at most \(SweepManifest.maxShards); auto; auto/N")

  fileprivate init?(checked number: Int, of count: Int) {
    guard (1...SweepManifest.maxShards).contains(count), (1...count).contains(number) else {
      return nil
    }
    self.init(number: number, count: count)
  }

  private static func variable(_ name: String) -> Int? {
    unsafe getenv(name).flatMap { Int(unsafe String(cString: $0)) }
  }
}

/// A task of an array of jobs, as its scheduler describes it in the environment.
private struct ArrayTask {
  let scheduler: String
  /// Its place in the array, from 0.
  let place: Int
  /// The number of tasks; nil if the scheduler does not tell.
  let count: Int?

  /// If only a part of the array was submitted, Slurm counts that part only: then `isWhole` must be false.
  init(_ environment: (String) -> Int?, isWhole: Bool) throws(ValidationError) {
    if let task = environment("SLURM_ARRAY_TASK_ID") {
      scheduler = "Slurm"
      count = isWhole ? environment("SLURM_ARRAY_TASK_COUNT") : nil
      place = try isWhole ? Self.place(of: task, environment) : Self.place(ofNumber: task)
    } else if let index = environment("AWS_BATCH_JOB_ARRAY_INDEX") {
      (scheduler, place) = ("AWS Batch", index)
      count = environment("AWS_BATCH_JOB_ARRAY_SIZE")
    } else if let index = environment("JOB_COMPLETION_INDEX") {
      (scheduler, place, count) = ("Kubernetes", index, nil)
    } else {
      throw ValidationError(
        "auto is for arrays of jobs, of Slurm (SLURM_ARRAY_TASK_ID), AWS Batch (AWS_BATCH_JOB_ARRAY_INDEX) and "
          + "Kubernetes (JOB_COMPLETION_INDEX); elsewhere use I/N")
    }
  }

  /// In a whole array of Slurm, which begins at any number and may have a step. Every task of an array with holes is refused,
  /// not only those behind the first one: the others would run for hours, and be shards of nothing.
  private static func place(
    of task: Int, _ environment: (String) -> Int?
  ) throws(ValidationError) -> Int {
    guard let count = environment("SLURM_ARRAY_TASK_COUNT") else { return task - 1 }
    guard count > 1 else {
      throw ValidationError(
        "the array has one task, which would make the whole sweep; give the number of shards: auto/N"
      )
    }
    let first = environment("SLURM_ARRAY_TASK_MIN") ?? 1
    let step = environment("SLURM_ARRAY_TASK_STEP") ?? 1
    let last = environment("SLURM_ARRAY_TASK_MAX")
    guard numbers.contains(first), numbers.contains(task), numbers.contains(last ?? task), step > 0,
      task >= first, (task - first) % step == 0,
      last.map({ ($0 - first) / step + 1 == count }) ?? true
    else {
      throw ValidationError(
        "the tasks of the array have gaps: give it numbers without gaps, such as --array=1-\(count), or auto/N"
      )
    }
    return (task - first) / step
  }

  /// In a part of an array, of which Slurm tells only the number of the task.
  private static func place(ofNumber task: Int) throws(ValidationError) -> Int {
    guard task > 0 else {
      throw ValidationError(
        "with auto/N, tasks of Slurm have the numbers of their shards, from 1; that of task \(task) is one more"
      )
    }
    return task - 1
  }

  /// Slurm allows fewer.
  private static let numbers = 0...Int(Int32.max)

  func shard(of given: Int?) throws(ValidationError) -> Shard {
    guard let count = given ?? count else {
      throw ValidationError("\(scheduler) does not tell the number of tasks; use auto/N")
    }
    guard (0..<SweepManifest.maxShards).contains(place),
      let shard = Shard(checked: place + 1, of: count)
    else {
      throw ValidationError(
        "task \(place) (from 0) of \(scheduler) is not one of \(count); give the number of shards: auto/N"
      )
    }
    return shard
  }
}
