internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// Creates one self-contained HTML page of results.
struct ReportCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Create one self-contained HTML page with pictures.",
    discussion: """
      Takes folders of 'run -o', 'limit -o' and 'advise -o', summary files, per-frame files, traces, and the output of \
      'explain --format csv' and 'prove --format csv'. Files beside a summary (workloads.csv, run.json, limit.csv, advice.csv, frames.csv, \
      trace.json) are included; from a trace, the page shows the work of each thread around the worst hitch. The page needs \
      no network and opens from disk. Without -o it goes to standard output.

      EXAMPLES:
        framebudget report results/today -o today.html
        framebudget report results/today --metrics chrome -o today.html
        framebudget report results/today frames.csv -o today.html
        framebudget run steady -o mine --frames mine/frames.csv \\
          --trace mine/trace.json
        framebudget report mine -o mine.html
        framebudget limit steady -o limits && \\
          framebudget report mine limits -o both.html
        framebudget advise steady -o advised/ && \\
          framebudget report advised -o advice.html
        framebudget explain old.yaml new.yaml --format csv -o shares.csv
        framebudget report old new shares.csv -o both.html
        framebudget prove steady --format csv -o proofs.csv
        framebudget report mine proofs.csv -o proven.html
        framebudget import capture.csv --hz 60 --format csv > capture-summary.csv
        framebudget report capture-summary.csv > capture.html
      """)

  @Argument(
    help:
      "Folders with a summary.csv, limit.csv or advice.csv, or single files of these kinds, per-frame files, or traces; at least one result.",
    completion: .file())
  var results: [String]

  @OptionGroup var target: FileOptions

  @Option(help: "The page's heading.")
  var title = "Frame budget"

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var notes: NoteOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    if target.file == nil && console.isTerminal {
      throw ToolError(.usage, "a page cannot be shown on a terminal; add -o PAGE.html")
    }
    var place = try target.open(on: console, quiet: notes.quiet)
    let content = try read(notes.quiet ? nil : ReadingBar(on: console), on: console)
    if !notes.quiet { for note in content.notes { console.note(note) } }
    guard content.hasResults else { throw nothing }
    try place.write(
      ToolError.reading { () throws(InputError) in
        try content.page(title, metrics: numbers.metrics?.sets)
      })
    return .success
  }

  private var nothing: ToolError {
    results.lazy.compactMap { ResultPath.log(at: $0, isForeign: true) }.first
      ?? ToolError(.badInput, "none of these is a summary.csv, or a folder with one; add it")
  }

  private func read(_ bar: ReadingBar?, on console: Console) throws(ToolError) -> ReportContent {
    defer { bar?.wipe() }
    // Known before long files are read.
    if results.allSatisfy(ReportContent.isPicture) { throw nothing }
    var content = ReportContent(bar)
    for path in results {
      try content.add(path, origin: results.count > 1 ? path : "", on: console)
    }
    return content
  }
}

/// The content of a page, read from results and the files beside them.
struct ReportContent {
  private(set) var results = ResultSet(rows: [], metrics: [])
  private var workloads = ResultSet(rows: [], metrics: [])
  private var runs: [RunFile] = []
  private var frames: [RecordedRun] = []
  private var traces: [TracedRuns] = []
  private var limits: [LimitRecord] = []
  private var proofs: [ProofRecord] = []
  private var advice: [AdviceRecord] = []
  private var explained: [ExplainedRecord] = []
  /// Notes about the files.
  private(set) var notes: [String] = []
  private let bar: ReadingBar?

  /// Shows the progress of long files on `bar`.
  init(_ bar: ReadingBar? = nil) { self.bar = bar }

  private static let names = ["summary.csv", "limit.csv", "advice.csv"]

  private func open(_ file: String) throws(InputError) -> ByteSource {
    try ByteSource(path: file, progress: bar?.progress(of: file))
  }

  /// Whether there are results, not only frames or traces.
  var hasResults: Bool {
    !results.rows.isEmpty || !limits.isEmpty || !proofs.isEmpty || !advice.isEmpty
      || !explained.isEmpty
  }

  /// Reads the results, the frames or the trace at `path`, and the files beside a `summary.csv`. `origin` distinguishes them
  /// from those of other paths.
  mutating func add(_ path: String, origin: String, on console: Console) throws(ToolError) {
    try ResultPath.requireResult(path, Self.names, on: console)
    let file = ResultPath.file(Self.names, at: path)
    do throws(InputError) {
      var source = try open(file)
      let bytes = try source.peek(4096)
      if JSONReader.isJSON(bytes) { return try addTraces(source, origin) }
      let header = FileHeader(bytes)
      if header.isOfFrames { return try addFrames(source, origin) }
      if LimitRecord.recognises(header) {
        limits += try LimitRecord.records(source)
        if file.hasSuffix("/limit.csv") { try addRun(beside: file, origin) }
        return
      }
      if ProofRecord.recognises(header) {
        proofs += try ProofRecord.records(source)
        return
      }
      if AdviceRecord.recognises(header) { return try addAdvice(source, file) }
      if ExplainedRecord.recognises(header) {
        return explained.append(try ExplainedRecord(source))
      }
      let read = try ResultSet(source)
      if read.isOfWorkloads { return workloads.append(read, from: origin) }
      results.append(read, from: origin)
      if file == "summary.csv" || file.hasSuffix("/summary.csv") {
        try addCompanions(of: file, origin)
      }
    } catch {
      throw ResultPath.error(error, at: file)
    }
  }

  private mutating func addCompanions(of summary: String, _ origin: String) throws(InputError) {
    if let file = ResultPath.companion("workloads.csv", of: summary) {
      workloads.append(try ResultSet(open(file)), from: origin)
    }
    try addRun(beside: summary, origin)
    if let file = ResultPath.companion("limit.csv", of: summary) {
      limits += try LimitRecord.records(open(file))
    }
    if let file = ResultPath.companion("advice.csv", of: summary) {
      try addAdvice(open(file), file)
    }
    if let file = ResultPath.companion("frames.csv", of: summary) {
      try addFrames(open(file), origin)
    }
    if let file = ResultPath.companion("trace.json", of: summary) {
      try addTraces(open(file), origin)
    }
  }

  private mutating func addRun(
    beside result: String, _ origin: String
  ) throws(InputError) {
    guard let file = ResultPath.companion("run.json", of: result) else { return }
    var run = try RunFile(open(file))
    run.origin = origin
    runs.append(run)
  }

  /// Adds the advice with the gain of each move, if these files are beside it.
  private mutating func addAdvice(
    _ source: consuming ByteSource, _ file: String
  ) throws(InputError) {
    var found = try AdviceRecord(source)
    if let moves = ResultPath.companion("moves.csv", of: file) {
      try found.addMoves(ByteSource(path: moves))
    }
    advice.append(found)
  }

  private mutating func addFrames(
    _ source: consuming ByteSource, _ origin: String
  ) throws(InputError) {
    let file = source.name
    var gaps = LongGaps()
    for var run in try FramesFile(source).runs {
      run.origin = origin
      gaps += run.gaps
      frames.append(run)
    }
    note(gaps, of: file)
  }

  private mutating func addTraces(
    _ source: consuming ByteSource, _ origin: String
  ) throws(InputError) {
    let file = source.name
    var gaps = LongGaps()
    let traced = try TracedRuns(source, origin: origin)
    for run in traced.runs { gaps += run.gaps }
    traces.append(traced)
    note(gaps, of: file)
  }

  private mutating func note(_ gaps: LongGaps, of file: String) {
    if let note = gaps.note { notes.append("\(file): \(note)") }
  }

  /// Whether the file at `path` has frames or traces, but no results. False for streams, which can be read only once.
  static func isPicture(_ path: String) -> Bool {
    guard FilePath.isRegular(path), var source = try? ByteSource(path: path),
      let bytes = try? source.peek(4096)
    else { return false }
    return JSONReader.isJSON(bytes) || FileHeader(bytes).isOfFrames
  }

  /// `metrics` are the platforms whose numbers the page shows instead of those of the scenarios' screens.
  func page(_ title: String, metrics: [MetricSet]?) throws(InputError) -> String {
    try ReportPage(
      title: title, results: results, workloads: workloads, runs: runs, frames: frames,
      traces: traces, limits: limits, proofs: proofs, advice: advice, explained: explained,
      metrics: metrics
    ).html()
  }
}
