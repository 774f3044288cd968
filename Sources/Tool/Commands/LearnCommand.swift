internal import ArgumentParser
internal import FrameBudget
internal import Learning
internal import Parsing
internal import Recordings

/// Turns a recording of an app into a scenario that replays it.
struct LearnCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "A scenario from a recording of your own app, and how well it replays that.",
    discussion: """
      Writes a folder with the scenario, what tasks and frames took in CSV, and README.md: what was found, recorded \
      beside replayed, frame by frame too, and what is assumed. The scenario's first strategy is as-recorded; the \
      others move what made frames late. The replay is good (status 0), fair or the recording too short to say (2), or \
      poor (1); the scenario is marked with the verdict.

      --map is a list of rules in YAML, the first that fits counts: \
      {match: REGEX, as: service NAME | workload NAME | render | ignore}.

      EXAMPLES:
        framebudget learn trace.json.gz --list
        framebudget learn trace.json.gz -o my-app && framebudget run my-app/trace.yaml --engine virtual
        framebudget learn trace.json --process 4711 --from "2 s" --to "9 s" --map rules.yaml -o my-app
      """)

  @Argument(help: "The recording; - is standard input.")
  var recording: String

  @Option(
    name: .output,
    help: ArgumentHelp("Write the scenario, its tables and README.md there.", valueName: "dir"))
  var folder: String?

  @Option(help: ArgumentHelp("The process, by number or name.", valueName: "process"))
  var process: String?

  @Option(help: ArgumentHelp("The UI thread, by number or name.", valueName: "thread"))
  var thread: String?

  @Option(help: ArgumentHelp("What begins before it is left out: \"2 s\".", valueName: "span"))
  var from: String?

  @Option(help: ArgumentHelp("What begins then or later is left out.", valueName: "span"))
  var to: String?

  @Option(help: ArgumentHelp("Rules for what slices are.", valueName: "file"))
  var map: String?

  @Flag(help: "Replace names of slices and of the recording.")
  var anonymous = false

  @Flag(help: "Only show which processes and threads there are.")
  var list = false

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var notes: NoteOptions

  func validate() throws {
    if list != (folder == nil) {
      throw ValidationError(
        list ? "--list writes nothing; leave out -o" : "-o DIR is missing, or --list")
    }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let choice = RecordingChoice(
      process: process, thread: thread, from: try span(from, "--from"), to: try span(to, "--to"))
    let bar = notes.quiet ? nil : ReadingBar(on: console)
    if list || !notes.quiet {
      let index = try ToolError.reading(recording, showing: bar) { progress throws(InputError) in
        try RecordingFile.index(path: recording, progress: progress)
      }
      if list {
        try console.print(ThreadList.text(index))
        return .success
      }
      if process == nil, thread == nil, case .thread(let place, let because) = index.choice {
        console.note("\(recording): thread \(ThreadList.label(index.threads[place])): \(because)")
      }
    }
    guard let folder else { return .usage }
    let rules = try LearnedFolder.rules(map)
    try NewFile.requireAbsent(folder)
    let recorded = try ToolError.reading(recording, showing: bar) { progress throws(InputError) in
      try RecordingFile.read(path: recording, choosing: choice, progress: progress)
    }
    let learned = try LearnedFolder(
      recorded, from: recording, rules: rules, isAnonymous: anonymous,
      sets: numbers.metrics?.sets)
    try learned.write(to: folder, on: console)
    try console.print(learned.report)
    if !notes.quiet {
      console.note("\(learned.scenario), its tables and README.md are in \(folder)")
    }
    return learned.status
  }

  private func span(_ text: String?, _ flag: String) throws(ToolError) -> TimeSpan? {
    guard let text else { return nil }
    do throws(Quantity.Failure) {
      return try Quantity.timeSpan(text)
    } catch {
      throw ToolError(.usage, "\(flag): '\(text)' \(error.reason)")
    }
  }
}
