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

      Captures of one app are repetitions of one thing for 'compare'. Their app is the name of the process without its number, \
      or --name. Of several windows in one log, all but the one with the most rows get a number. A file of -o is CSV, unless \
      --format says otherwise.

      EXAMPLES:
        framebudget import capture.csv --hz 60
        adb shell dumpsys gfxinfo com.example framestats | framebudget import -
        framebudget import before-*.csv --hz 60 -o before
        framebudget import after-*.csv --hz 60 -o after
        framebudget compare before after
      """)

  @Argument(help: "Frame logs; - is standard input.", completion: .file())
  var logs: [String]

  @Option(
    parsing: .unconditional,
    help: "The display's refresh rate, such as 60 or '60 Hz', if the log does not have it.")
  var hz: String?

  @Option(
    help: ArgumentHelp(
      "The name of the app for 'compare', if its process has another one in other captures.",
      valueName: "app"))
  var name: String?

  @Option(help: "The format of the result.")
  var format: OutputFormat?

  @OptionGroup var notes: NoteOptions

  @Option(help: "Colours in the result; auto means on a terminal.")
  var color = ColorChoice.auto

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let refresh = try refreshRate()
    var place = try target.open(on: console, quiet: notes.quiet)
    var rows: [ImportRow] = []
    var captures: [String: Int] = [:]
    let bar = notes.quiet ? nil : ReadingBar(on: console)
    for path in logs {
      let log = try Self.read(path, refresh: refresh, bar)
      if !notes.quiet { comment(log, path, on: console) }
      for (stream, app) in zip(log.streams, log.apps(named: name)) {
        captures[app, default: 0] += 1
        let number = app.isEmpty ? 1 : captures[app] ?? 1
        rows.append(ImportRow(stream, of: path, app: app, repetition: number))
      }
    }
    let text = ImportTable.text(rows, isColored: place.isColored(color))
    let format = format ?? (target.file == nil ? .table : .csv)
    try place.write(format.text(ImportTable.records(rows), text))
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
      return try Quantity.refreshRate(
        Double(hz).map { "\(Decimal.text($0, places: 6)) Hz" } ?? hz)
    } catch {
      throw ToolError(.usage, "--hz: '\(hz)' \(error.reason)")
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
  fileprivate init(_ stream: ImportedFrames, of log: String, app: String, repetition: Int) {
    self.init(
      log: log, process: stream.process, swapChain: stream.swapChain, refreshHz: stream.refreshHz,
      duration: stream.duration, values: stream.values, supersededFrames: stream.supersededFrames,
      displayChanges: stream.displayChanges, rows: stream.rows,
      partialFrames: stream.partialFrames, app: app, repetition: repetition,
      machine: stream.machine)
  }
}

extension ToolError {
  /// Converts the error of an input.
  init(_ error: InputError) {
    self.init(error.kind == .unreadable ? .noInput : .badInput, error.description)
  }
}
