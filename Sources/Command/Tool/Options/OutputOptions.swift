internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetRealTime
internal import FrameBudgetReports

/// Output options, the same for every command that prints a result.
struct OutputOptions<Format: ResultFormat>: ParsableArguments {
  @Option(help: "The format of the result.")
  var format = Format.table

  @OptionGroup var notes: NoteOptions

  @Option(help: "Colours in the result; auto means on a terminal.")
  var color = ColorChoice.auto

  var quiet: Bool { notes.quiet }
}

/// Options for messages besides the result.
struct NoteOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: "Print only the result and errors: no progress bar, notes or warnings.")
  var quiet = false
}

/// The output file of a command that writes nothing else.
struct FileOptions: ParsableArguments {
  @Option(
    name: .output,
    help: ArgumentHelp("Write the result to a file instead of standard output.", valueName: "file"),
    completion: .file())
  var file: String?

  /// Opens the destination of the result, before any long work.
  func open(on console: Console, quiet: Bool) throws(ToolError) -> ResultPlace {
    try ResultPlace(file, quiet: quiet, on: console)
  }
}

extension NameSpecification {
  /// The name of the option for an output path.
  static var output: Self { [.customShort("o"), .customLong("output")] }
}

/// Ways to print a command's result.
protocol ResultFormat: CaseIterable, ExpressibleByArgument, Sendable {
  /// The format for people.
  static var table: Self { get }
}

/// The values of `--format`.
enum OutputFormat: String, ResultFormat {
  case table, csv, json

  /// The result in this format: `records` for programs, `text` for people.
  func text(_ records: @autoclosure () -> RecordTable, _ text: @autoclosure () -> String) -> String
  {
    switch self {
    case .table: text()
    case .csv: records().csv
    case .json: records().json
    }
  }
}

/// When the output has colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// The output of a result: standard output, or a new file, which appears when it is complete.
struct ResultPlace: ~Copyable {
  private let console: Console
  private let path: String?
  private let isQuiet: Bool
  private var file: NewFile?

  /// `path` is the path of the file; nil means standard output.
  init(_ path: String?, quiet: Bool, on console: Console) throws(ToolError) {
    if let path { file = try NewFile(path, on: console) }
    self.path = path
    self.console = console
    isQuiet = quiet
  }

  /// A result in a file is written as to a pipe, without a terminal.
  private var target: Console { path == nil ? console : console.withoutTerminal }
  var width: Int { target.width }
  func isColored(_ choice: ColorChoice) -> Bool { target.isColored(choice) }

  mutating func write(_ text: String) throws(ToolError) {
    guard let path else { return try console.print(text) }
    try file?.write(text)
    try file.take()?.commit()
    console.setLastWords("interrupted; the result is in \(path)")
    if !isQuiet { console.note("the result is in \(path)") }
  }
}

extension Console {
  /// The same console without a terminal to draw on.
  fileprivate var withoutTerminal: Console {
    var console = self
    console.output = -1
    return console
  }
}

/// The platforms whose metrics are shown.
struct MetricsOptions: ParsableArguments {
  @Option(
    help:
      "Show the numbers of a platform's own tools; by default those of the scenario's 'like', or of the recording."
  )
  var metrics: Choice?

  struct Choice: ExpressibleByArgument {
    let sets: [MetricSet]

    private static let all = "all"
    static let allValueStrings = MetricSet.allCases.map(\.rawValue) + [all]
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    init?(argument: String) {
      if argument == Self.all {
        sets = MetricSet.allCases
      } else if let set = MetricSet(rawValue: argument) {
        sets = [set]
      } else {
        return nil
      }
    }
  }

  /// The chosen sets; by default that of `platform`.
  func sets(for platform: ScreenPlatform?) -> [MetricSet] {
    metrics?.sets ?? [platform?.metrics].compactMap(\.self)
  }
}

/// Options of the real engine.
struct EngineOptions: ParsableArguments {
  @Flag(help: "Run the frame loop at a real-time priority (real engine).")
  var realtime = false

  @Flag(
    help: "Pin the frame loop to one processor, and all other threads to the others (real engine).")
  var pin = false

  var isEmpty: Bool { !realtime && !pin }

  /// Rejects options of the real engine if it does not run.
  func check(on engine: EngineChoice) throws {
    if engine == .virtual && !isEmpty {
      throw ValidationError("--realtime and --pin are for the real engine; leave them out")
    }
  }

  func real(_ detail: FrameLedger.Detail = .summary) -> RealEngine.Options {
    var options = RealEngine.Options()
    options.isRealtime = realtime
    options.pinsThreads = pin
    options.detail = detail
    return options
  }
}
