internal import FrameBudgetReports

/// The folder of `-o DIR`: its files appear together at the end; until then `summary.csv.partial` grows.
struct ResultFolder: ~Copyable {
  let path: String
  private var summary: GrowingFile

  static let summary = "summary.csv"
  /// Only `measure` writes it.
  static let spans = "spans.csv"
  static let names = [summary, "workloads.csv", "run.json"]

  /// Creates the folder if it is missing, and checks before the measurement that nothing would be overwritten.
  init(_ path: String, on console: Console? = nil) throws(ToolError) {
    // Files of another result would be taken for those of this one.
    let others = [Self.spans, SweepManifest.name, SeedSummaryFile.name]
    try OutputFiles.prepare(path, for: Self.names + others, on: console)
    summary = try GrowingFile(Self.summary, in: path, on: console)
    self.path = path
  }

  /// Saves a finished run, in case the process is killed before the last one.
  mutating func append(_ row: ReportRow) throws(ToolError) {
    var bytes: [UInt8] = []
    SummaryCSV.append(row, to: &bytes)
    try summary.append(bytes, after: SummaryCSV.header)
  }

  /// The files of all runs, which only have to be committed.
  func files(
    _ rows: [ReportRow], _ circumstances: Circumstances, spans: String? = nil
  ) throws(ToolError) -> OutputFiles {
    let files = try OutputFiles(in: path)
    if let spans { try files.write(spans, to: Self.spans) }
    try files.write(WorkloadsCSV.text(rows), to: "workloads.csv")
    try files.write(RunJSON.text(rows, circumstances), to: "run.json")
    try files.add(summary)
    return files
  }
}

/// The files that a command writes beside its output, as requested.
///
/// Files outside of the folder appear one after the other, each whole, before the folder's files, which appear together. So a
/// folder with a result has all of them. None appears before all have reached the disk.
struct ResultFiles: ~Copyable {
  private var folder: ResultFolder?
  private var frames: Single?
  private var trace: Single?
  private var costs: Single?
  private var traceFile = TraceFile()

  /// Creates before the measurement every file that can be created.
  init(
    folder: String?, frames: String?, trace: String? = nil, costs: String? = nil,
    on console: Console? = nil
  ) throws(ToolError) {
    if let console {
      for path in [frames, trace, costs] {
        path.map { StagedOutput.removeLeftovers(of: $0, on: console) }
      }
    }
    if let folder { self.folder = try ResultFolder(folder, on: console) }
    if let frames {
      self.frames = try Single(frames, beside: folder, on: console)
      try self.frames?.file.write(FramesCSV.header)
    }
    if let trace {
      self.trace = try Single(trace, beside: folder, on: console)
      try self.trace?.file.write(TraceFile.head)
    }
    if let costs { self.costs = try Single(costs, beside: folder, on: console) }
  }

  /// Saves a finished run.
  mutating func append(_ row: ReportRow) throws(ToolError) {
    try folder?.append(row)
    try frames?.file.write(FramesCSV.lines(row))
    guard trace != nil else { return }
    try traceFile.write(row) { (text) throws(ToolError) in try trace?.file.write(text) }
  }

  /// Renames the files. There is no file of costs without `costs`.
  consuming func finish(
    _ rows: [ReportRow], _ circumstances: Circumstances, costs text: String? = nil
  ) throws(ToolError) {
    try trace?.file.write(TraceFile.tail)
    if let text { try costs?.file.write(text) } else { costs = nil }
    var files = try folder?.files(rows, circumstances)
    try frames?.file.sync()
    try trace?.file.sync()
    try costs?.file.sync()
    let hidden = files?.hidden
    try frames.take()?.commit(in: hidden)
    try trace.take()?.commit(in: hidden)
    try costs.take()?.commit(in: hidden)
    try files.take()?.commit()
  }

  /// A file that one option names.
  private struct Single: ~Copyable {
    let file: NewFile
    /// Its name, if it is in the folder of the results.
    private let name: String?

    init(_ path: String, beside folder: String?, on console: Console?) throws(ToolError) {
      let isInFolder =
        folder.map { FileIdentity($0) == FileIdentity(FilePath.folder(of: path)) } ?? false
      file = try NewFile(path, on: console)
      name = isInFolder ? FilePath.name(of: path) : nil
    }

    /// `hidden` is the path of the folder's files until they are committed.
    consuming func commit(in hidden: String?) throws(ToolError) {
      if let name, let hidden { return try file.commit(as: "\(hidden)/\(name)") }
      try file.commit()
    }
  }
}
