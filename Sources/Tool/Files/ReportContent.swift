internal import FrameBudget
internal import Parsing
internal import Reports

/// What a page is made of, read from results and from the files beside them.
struct ReportContent {
  private(set) var results = ResultSet(rows: [], metrics: [])
  private var workloads = ResultSet(rows: [], metrics: [])
  private var runs: [RunFile] = []
  private var frames: [RecordedRun] = []
  private var traces: [TracedRun] = []
  private var limits: [LimitResults] = []
  private var advice: [AdviceResults] = []
  private var explained: [ExplainedResults] = []
  /// What a reader of the page should know of the files.
  private(set) var notes: [String] = []
  private let bar: ReadingBar?

  /// Draws on `bar` how much is read of long files.
  init(_ bar: ReadingBar? = nil) { self.bar = bar }

  private func open(_ file: String) throws(InputError) -> ByteSource {
    try ByteSource(path: file, progress: bar?.progress(of: file))
  }

  /// Whether there is more than what completes a page.
  var hasResults: Bool {
    !results.rows.isEmpty || !limits.isEmpty || !advice.isEmpty || !explained.isEmpty
  }

  /// Reads the results, the frames or the trace at `path`, and what lies beside a `summary.csv`; `origin` tells
  /// them from those of other paths.
  mutating func add(_ path: String, origin: String) throws(ToolError) {
    try ResultPath.requireNoScenario(path)
    do throws(InputError) {
      let file = ResultPath.file("summary.csv", "limit.csv", "advice.csv", at: path)
      var source = try open(file)
      let bytes = try source.peek(4096)
      if JSONReader.isJSON(bytes) { return try addTraces(source, origin) }
      let opening = String(decoding: bytes, as: UTF8.self)
      if Self.isFrames(opening) { return try addFrames(source, origin) }
      if LimitResults.areIn(opening) {
        limits.append(try LimitResults(source))
        if file.hasSuffix("/limit.csv") { try addRun(beside: file, origin) }
        return
      }
      if AdviceResults.areIn(opening) { return try addAdvice(source, file) }
      if ExplainedResults.areIn(opening) {
        return explained.append(try ExplainedResults(source))
      }
      let read = try ResultSet(source)
      if read.isOfWorkloads { return workloads.append(read, from: origin) }
      results.append(read, from: origin)
      if file == "summary.csv" || file.hasSuffix("/summary.csv") {
        try addCompanions(of: file, origin)
      }
    } catch {
      throw ToolError(error)
    }
  }

  private mutating func addCompanions(of summary: String, _ origin: String) throws(InputError) {
    if let file = ResultPath.companion("workloads.csv", of: summary) {
      workloads.append(try ResultSet(open(file)), from: origin)
    }
    try addRun(beside: summary, origin)
    if let file = ResultPath.companion("limit.csv", of: summary) {
      limits.append(try LimitResults(open(file)))
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

  /// What is advised, with what each move bought, if that lies beside it.
  private mutating func addAdvice(
    _ source: consuming ByteSource, _ file: String
  ) throws(InputError) {
    var found = try AdviceResults(source)
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
    for var run in try TracedRun.read(source) {
      run.origin = origin
      gaps += run.gaps
      traces.append(run)
    }
    note(gaps, of: file)
  }

  private mutating func note(_ gaps: LongGaps, of file: String) {
    if let note = gaps.note { notes.append("\(file): \(note)") }
  }

  /// Whether a file that begins with `opening` has a per-frame file's columns.
  private static func isFrames(_ opening: String) -> Bool {
    opening.prefix { !$0.isNewline }.contains(",begin_vsync,")
  }

  /// `metrics` are the platforms whose numbers it shows, if not those of the scenarios' screens.
  func page(_ title: String, metrics: [MetricSet]?) -> String {
    ReportPage(
      title: title, results: results, workloads: workloads, runs: runs, frames: frames,
      traces: traces, limits: limits, advice: advice, explained: explained,
      metrics: metrics
    ).html()
  }
}
