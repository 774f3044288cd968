internal import Reports

/// The files that a command writes beside its output, as far as it was asked to.
struct ResultFiles: ~Copyable {
  private var folder: ResultFolder?
  private var frames: NewFile?
  private var trace: NewFile?
  private var traceFile = TraceFile()

  /// Creates what can be created before anything is measured.
  init(
    folder: String?, frames: String?, trace: String? = nil, on console: Console? = nil
  ) throws(ToolError) {
    if let folder { self.folder = try ResultFolder(folder, on: console) }
    if let frames {
      self.frames = try NewFile(frames, on: console)
      try self.frames?.write(FramesCSV.header)
    }
    if let trace {
      self.trace = try NewFile(trace, on: console)
      try self.trace?.write(TraceFile.head)
    }
  }

  /// Keeps a finished run.
  mutating func append(_ row: ReportRow) throws(ToolError) {
    try folder?.append(row)
    try frames?.write(FramesCSV.lines(row))
    guard trace != nil else { return }
    try traceFile.write(row) { (text) throws(ToolError) in try trace?.write(text) }
  }

  /// Lets the files appear.
  consuming func finish(_ rows: [ReportRow], _ circumstances: Circumstances) throws(ToolError) {
    try folder.take()?.finish(rows, circumstances)
    try frames.take()?.commit()
    try trace?.write(TraceFile.tail)
    try trace.take()?.commit()
  }
}
