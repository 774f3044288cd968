internal import Reports

/// The files that a command writes beside its output, as far as it was asked to.
struct ResultFiles: ~Copyable {
  private var folder: ResultFolder?
  private var frames: NewFile?

  /// Creates what can be created before anything is measured.
  init(folder: String?, frames: String?) throws(ToolError) {
    if let folder { self.folder = try ResultFolder(folder) }
    if let frames {
      self.frames = try NewFile(frames)
      try self.frames?.write(FramesCSV.header)
    }
  }

  /// Keeps a finished run.
  mutating func append(_ row: ReportRow) throws(ToolError) {
    try folder?.append(row)
    try frames?.write(FramesCSV.lines(row))
  }

  /// Lets the files appear.
  consuming func finish(_ rows: [ReportRow], _ circumstances: Circumstances) throws(ToolError) {
    try folder.take()?.finish(rows, circumstances)
    try frames.take()?.commit()
  }
}
