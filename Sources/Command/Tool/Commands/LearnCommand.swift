internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetCaptures

/// Turns a recording of an app into a scenario that replays it.
struct LearnCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    outcomes("learn", of: "the replay"), outcomes("learn --compare-with", of: "the prediction"),
  ]

  /// The outcomes of a form that compares something with a recording.
  static func outcomes(_ form: String, of subject: String) -> CommandOutcomes {
    CommandOutcomes(
      form: form, success: "\(subject) is good", failed: "it is poor",
      inconclusive: "it is fair, or too short to judge")
  }

  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Turn a recording of your app into a scenario, and evaluate its replay.",
    discussion: """
      Writes a folder with a scenario, tables of its tasks and frames as CSV, and README.md, which compares the replay with \
      the recording, frame by frame, and lists the assumptions. The scenario's first strategy is as-recorded; the others \
      move the services that made frames late. The verdict on the replay is part of the scenario.

      \(outcomes[0].sentence)

      --compare-with takes a recording made after a change, and compares the prediction of that change with it. The change \
      is inferred from services that left the main thread and from shorter tasks, or named by --change. The exit status is \
      then that of the prediction: good (0) if dropped frames are within 2 points or 20 %, fair (2) if they changed in the \
      predicted direction, otherwise poor (1).

      What the app's own slices took of frames becomes parts of drawing (ui.frame). --list names these parts, too.

      --map takes a YAML list of rules, of which the first match applies: {match: REGEX, as: service NAME | workload NAME | \
      render | ignore}. In a frame, a service is a part of drawing; render and workload leave the slice in the rest.

      EXAMPLES:
        framebudget learn trace.json.gz --list
        framebudget learn trace.json.gz -o my-app && \\
          framebudget run my-app/trace.yaml --engine virtual
        framebudget learn before.json --compare-with after.json
        framebudget learn before.json --compare-with after.json \\
          --change move-hash+yielding -o my-app
        framebudget learn trace.json --process 4711 --from "2 s" --to "9 s" \\
          --map rules.yaml -o my-app
      """)

  @Argument(help: "The recording; - is standard input.", completion: .file())
  var recording: String

  @Option(
    name: .output,
    help: ArgumentHelp("Write the scenario, its tables and README.md.", valueName: "dir"),
    completion: .directory)
  var folder: String?

  @Option(help: ArgumentHelp("The process, by number or name.", valueName: "process"))
  var process: String?

  @Option(help: ArgumentHelp("The UI thread, by number or name.", valueName: "thread"))
  var thread: String?

  @Option(
    help: ArgumentHelp(
      "Ignore events that begin before this time, such as \"2 s\".", valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("Ignore events that begin at this time or later.", valueName: "time"))
  var to: String?

  @Option(
    help: ArgumentHelp("Rules for the roles of slices.", valueName: "file"), completion: .file())
  var map: String?

  @Option(
    help: ArgumentHelp(
      "A recording made after a change, to compare with the prediction.", valueName: "recording"),
    completion: .file())
  var compareWith: String?

  @Option(
    help: ArgumentHelp(
      "The change: names of learned strategies, joined by +.", valueName: "name"))
  var change: String?

  @Flag(help: "Replace names of slices and of the recording.")
  var anonymous = false

  @Flag(help: "Only list the processes and threads, and the parts of drawing.")
  var list = false

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var notes: NoteOptions

  func validate() throws {
    if list, folder != nil || compareWith != nil {
      throw ValidationError(
        "--list writes and compares nothing; leave out \(folder == nil ? "--compare-with" : "-o")")
    }
    if !list, folder == nil, compareWith == nil {
      throw ValidationError("give -o DIR, --list or --compare-with")
    }
    if change != nil, compareWith == nil {
      throw ValidationError("--change needs --compare-with")
    }
    if recording == "-", compareWith == "-" {
      throw ValidationError("standard input has one recording; name the other one by its path")
    }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let choice = RecordingChoice(
      process: process, thread: thread, from: try span(from, "--from"), to: try span(to, "--to"),
      namesFunctions: true)
    let bar = notes.quiet ? nil : ReadingBar(on: console)
    let early = try list || !notes.quiet ? open(showing: bar) : nil
    if let early {
      if list {
        try console.print(
          ThreadList.text(early.index, learned(early, choosing: choice, showing: bar)))
        return .success
      }
      if process == nil, thread == nil, case .thread(let place, let because) = early.index.choice {
        console.note("\(recording): \(ThreadList.choice(of: place, because, in: early.index))")
      }
    }
    let rules = try NamePatterns(map)
    if let folder { try NewFile.requireAbsent(folder) }
    let indexed = if let early { early } else { try open(showing: bar) }
    var learned = try LearnedFolder(
      read(indexed, choosing: choice, showing: bar), from: recording, rules: rules,
      isAnonymous: anonymous, sets: numbers.metrics?.sets)
    if let compareWith {
      try learned.compare(
        with: ToolError.reading(compareWith, showing: bar) { progress throws(InputError) in
          try RecordingFile.read(path: compareWith, choosing: later, progress: progress)
        }, from: compareWith, change: change, rules: rules)
    }
    if let folder { try learned.write(to: folder, on: console) }
    try console.print(folder == nil ? learned.evidence?.text ?? "" : learned.report)
    if let folder, !notes.quiet {
      console.note("\(learned.scenario), its tables and README.md are in \(folder)")
    }
    return learned.status
  }

  /// What the chosen thread did. Nil if none is chosen, or if that cannot be learned: the list is then of threads alone.
  private func learned(
    _ indexed: IndexedRecording, choosing choice: RecordingChoice, showing bar: ReadingBar?
  ) throws(ToolError) -> LearnedScenario? {
    let rules = try NamePatterns(map)
    var isChosen = process != nil || thread != nil
    if case .thread = indexed.index.choice { isChosen = true }
    guard isChosen, let recorded = try? read(indexed, choosing: choice, showing: bar),
      LearnedScenario.excess(of: recorded) == nil
    else { return nil }
    return LearnedScenario(
      recorded, name: "list", source: recording, rules: try rules.rules(for: recorded.names),
      isAnonymous: anonymous)
  }

  /// Choices for a later recording: processes and threads have other numbers there, and the same names.
  private var later: RecordingChoice {
    func name(_ text: String?) -> String? { text.flatMap { Int($0) == nil ? $0 : nil } }
    return RecordingChoice(process: name(process), thread: name(thread), namesFunctions: true)
  }

  private func open(showing bar: ReadingBar?) throws(ToolError) -> IndexedRecording {
    try ToolError.reading(recording, showing: bar) { progress throws(InputError) in
      try RecordingFile.open(path: recording, progress: progress)
    }
  }

  private func read(
    _ indexed: IndexedRecording, choosing choice: RecordingChoice, showing bar: ReadingBar?
  ) throws(ToolError) -> Recording {
    // Its progress is shown as that of the index.
    try ToolError.reading(recording, showing: bar) { _ throws(InputError) in
      try indexed.read(choice)
    }
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
