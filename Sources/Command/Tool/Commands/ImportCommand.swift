internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// Reads recorded frame logs of other tools into the same metrics.
struct ImportCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Convert frame logs of other tools to the same metrics, a row per process and swap chain.",
    discussion: """
      Reads \(LogFormat.known), and recognises the format by the content. Presents that were replaced before they were shown \
      count as superseded_frames, not as dropped frames. If a log does not show at which vsyncs there was no new frame, as \
      with a variable refresh rate or samples, dropped_frames is empty and a warning gives the reason.

      EXAMPLES:
        framebudget import capture.csv --hz 60
        adb shell dumpsys gfxinfo com.example framestats | framebudget import -
        framebudget import before.csv --hz 60 --format csv -o before-summary.csv
      """)

  @Argument(help: "Frame logs; - is standard input.")
  var logs: [String]

  @Option(
    parsing: .unconditional, help: "The display's refresh rate, if the log does not have it.")
  var hz: Double?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let refresh = try refreshRate()
    var place = try target.open(on: console, quiet: output.quiet)
    var rows: [ImportRow] = []
    let bar = output.quiet ? nil : ReadingBar(on: console)
    for path in logs {
      let log = try Self.read(path, refresh: refresh, bar)
      if !output.quiet { comment(log, path, on: console) }
      rows += log.streams.map { ImportRow($0, of: path) }
    }
    let text = ImportTable.text(rows, isColored: place.isColored(output.color))
    try place.write(output.format.text(ImportTable.records(rows), text))
    return .success
  }

  private func comment(_ log: ImportedLog, _ path: String, on console: Console) {
    for warning in log.streams.flatMap(\.warnings) { console.note("\(path): \(warning)") }
    if log.streams.contains(where: \.needsRate) {
      console.note("\(path): does not say the refresh rate; --hz RATE gives dropped frames")
    }
  }

  private func refreshRate() throws(ToolError) -> RefreshRate? {
    guard let hz else { return nil }
    do {
      return try Quantity.refreshRate("\(Decimal.text(hz, places: 6)) Hz")
    } catch {
      throw ToolError(.usage, "--hz: '\(Decimal.text(hz, places: 6))' \(error.reason)")
    }
  }

  private static func read(
    _ path: String, refresh: RefreshRate?, _ bar: ReadingBar?
  ) throws(ToolError) -> ImportedLog {
    try ToolError.reading(path, showing: bar) { progress throws(InputError) in
      try ImportedLog(ByteSource(path: path, progress: progress), refresh: refresh)
    }
  }
}

extension ImportRow {
  fileprivate init(_ stream: ImportedFrames, of log: String) {
    self.init(
      log: log, process: stream.process, swapChain: stream.swapChain, refreshHz: stream.refreshHz,
      duration: stream.duration, values: stream.values, supersededFrames: stream.supersededFrames,
      displayChanges: stream.displayChanges, rows: stream.rows,
      partialFrames: stream.partialFrames)
  }
}

extension ToolError {
  /// Converts the error of an input.
  init(_ error: InputError) {
    self.init(error.kind == .unreadable ? .noInput : .badInput, error.description)
  }
}
