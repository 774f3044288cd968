internal import ArgumentParser
internal import FrameBudget
internal import Glibc
internal import FrameBudgetRealTime
internal import FrameBudgetCaptures
internal import SchedulableObjects

/// Records an app, learns from the recording, and recommends changes.
struct RecordCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "record",
      success: "the replay is good, and there is advice or nothing to change",
      failed: "the replay is poor, or nothing meets the aims",
      inconclusive: "the replay is fair, or too short to judge"),
    LearnCommand.outcomes("record --again", of: "the prediction"),
    LearnCommand.outcomes("record program --try", of: "the prediction"),
  ]

  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a web page or a program, learn a scenario from it, and recommend changes.",
    usage: """
      framebudget record chrome <page> [<options>]
      framebudget record chrome [<page>] --attach <browser> [<options>]
      framebudget record program <program> [<options>] [-- <argument> ...]
      """,
    discussion: """
      Starts an installed browser with a temporary profile, opens the page, and records it after it has loaded. Then it does \
      the work of 'learn', 'advise', 'run' and 'report'. The folder has the recording (.json.gz), the scenario with its \
      tables, README.md (how far the replay agrees with the recording), advised/ (the advice, and a run of it), and \
      index.html.

      With a display, the browser shows a window: use the page while it is recorded. Without a display, or with --headless, \
      there is no window. Ctrl-C ends the recording early; the other steps follow. However the command ends, the browser is \
      stopped and its profile removed.

      'record program' does the same for a program that uses FrameRecorder. It starts the program with the arguments after \
      --, ends it after the time of --for, and keeps its output in output.txt. If the program ends earlier, so does the \
      recording.

      --attach records a page of a browser that runs already, as it is: nothing is opened, denied or ended. Here PAGE is a \
      part of its address or title; by default it is the page that was used last.

      --again records after a change, into a new subfolder of an earlier recording: again-1, again-2, and so on. It compares \
      the new recording with the prediction from the earlier one, and explains differences.

      The browser answers the page's dialogs, and denies downloads, new windows, permissions, and files outside the page's \
      folder; the command says what the page has tried. A page that crashes, ends, or does not answer ends its recording; what \
      was recorded is kept.

      --try records the program again under arrangements, in folders try-NAME, and prints the predicted dropped frames \
      beside the recorded ones. Names are advice, for all of the advice, and learned strategies, joined by + if made together. \
      The program has to create its services by ServiceHomes, under the names of their intervals, and with \
      AppArrangement.fromEnvironment. The status is that of the worst prediction.

      --flow replays a user's actions: record them in DevTools' Recorder, export them as JSON, and name the file. PAGE \
      replaces the flow's first address. There is half a second between steps.

      \(outcomes[0].sentence) With --again, the status is that of 'learn --compare-with'.

      EXAMPLES:
        framebudget record chrome http://localhost:8000 --for 20s -o app
        framebudget record chrome page.html --headless -o app
        framebudget record chrome http://localhost:8000 --flow flow.json -o app
        framebudget record chrome http://localhost:8000 --for 20s --again app
        framebudget record chrome --attach chrome:9222 --for 10s -o app
        framebudget record program ./MyApp --for 20s -o app -- --scene large
        framebudget record program ./MyApp --for 20s -o app --try advice
        framebudget record chrome https://example.org/ --browser google-chrome \\
          --for "1 min" -o app
      """)

  /// The kind of recorded app.
  enum Subject: String, CaseIterable {
    case chrome, program

    static func parse(_ word: String) throws -> Subject {
      if let subject = Subject(rawValue: word) { return subject }
      throw ValidationError(
        "it is chrome or program, as in 'framebudget record chrome \(word)'")
    }

    /// The name of the recording.
    var file: String { self == .chrome ? "page.json.gz" : "program.json" }
  }

  @Argument(
    help:
      "The kind of app: chrome for a page in a Chromium-based browser, or program for one that uses FrameRecorder.",
    completion: .list(Subject.allCases.map(\.rawValue)), transform: Subject.parse)
  var subject: Subject

  @Argument(
    help: "The address or file of the page, or the name or path of the program.",
    completion: .file())
  var page: String?

  @Argument(
    parsing: .postTerminator, help: ArgumentHelp("Arguments of the program.", valueName: "argument")
  )
  var arguments: [String] = []

  @OptionGroup var attachment: AttachOptions

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp(
      "The length of the recording, from 1 s to 10 min; by default 20 s, or until --flow has ended.",
      valueName: "span"),
    transform: Self.span)
  var length: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "Replay a flow that DevTools' Recorder exported as JSON.", valueName: "file"),
    completion: .file())
  var flow: String?

  @Option(
    name: .output,
    help: ArgumentHelp("Write the recording and the results.", valueName: "dir"),
    completion: .directory)
  var folder: String?

  @Option(
    help: ArgumentHelp(
      "Record again after a change, into this folder, and compare with the prediction.",
      valueName: "dir"), completion: .directory)
  var again: String?

  @Option(
    name: .customLong("try"),
    help: ArgumentHelp(
      "Record the program again under arrangements: advice for all of the advice, or learned strategies.",
      valueName: "arrangement[,...]"))
  var trying: [String] = []

  @Option(
    help: ArgumentHelp(
      "The browser, by name or path; by default the first one found.", valueName: "program"),
    completion: .file())
  var browser: String?

  @Flag(inversion: .prefixedNo, help: "Show no window, which is the default without a display.")
  var headless: Bool?

  @Flag(
    help: """
      Let the page and its flow open other addresses than http, https and the files in the page's folder.
      """)
  var anyAddress = false

  @OptionGroup var notes: NoteOptions

  private static let defaultLength = TimeSpan.seconds(20)
  private static let lengths = TimeSpan.seconds(1)...TimeSpan.seconds(600)

  private static func span(_ text: String) throws -> TimeSpan {
    let span: TimeSpan
    do throws(Quantity.Failure) {
      span = try Quantity.timeSpan(text)
    } catch {
      throw ValidationError("it \(error.reason)")
    }
    guard lengths.contains(span) else {
      throw ValidationError("it is out of range; allowed: durations from 1 s to 10 min")
    }
    return span
  }

  func validate() throws {
    if (folder == nil) == (again == nil) {
      throw ValidationError(
        folder == nil
          ? "give -o DIR or --again DIR"
          : "-o creates a folder, --again adds to an existing one; leave out one")
    }
    if again != nil, !trying.isEmpty {
      throw ValidationError("--try belongs to a first recording; give -o DIR instead of --again")
    }
    if page == nil, attachment.attach == nil {
      throw ValidationError(
        "name the page or the program, as in 'framebudget record chrome page.html'")
    }
    let options = [
      ("--flow", flow != nil), ("--browser", browser != nil), ("--headless", headless != nil),
      ("--any-address", anyAddress),
    ]
    let given = options.first(where: \.1)?.0
    switch subject {
    case .chrome:
      if attachment.attach != nil, let given {
        throw ValidationError(
          "\(given) is for a browser that record starts; leave it out with --attach")
      }
      if !arguments.isEmpty {
        throw ValidationError("a page has no arguments; leave out the arguments after --")
      }
      if !trying.isEmpty {
        throw ValidationError("--try is for a program; leave it out with a page")
      }
    case .program:
      if let option = attachment.attach != nil ? "--attach" : given {
        throw ValidationError("\(option) is for a page; leave it out with a program")
      }
    }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let file = subject.file
    let before = try again.map { folder throws(ToolError) in
      try RecordedFolder.existing(
        Self.withoutTrailingSlash(folder), recording: file, on: console)
    }
    let folder = before?.next ?? Self.withoutTrailingSlash(folder ?? "")
    let record = try recorder(on: console)
    Interruption.install()
    let bar = notes.quiet ? nil : ProgressLine(on: console)
    try write(to: file, in: folder, on: console) { place throws(ToolError) in
      defer { bar?.wipe() }
      try record(place, bar)
    }
    // SIGINT ends only the recording; the other steps follow.
    if let signal = Interruption.signal, signal != SIGINT {
      console.note("interrupted; the recording is \(folder)/\(file)")
      return .interrupted(by: signal)
    }
    console.setLastWords("interrupted; the recording is \(folder)/\(file), for 'framebudget learn'")
    Interruption.forget()
    let recorded = RecordedFolder(
      folder, recording: file, of: page ?? attachment.attach?.text ?? "")
    let answer = try recorded.complete(quiet: notes.quiet, showing: bar, on: console)
    guard [.success, .failed, .inconclusive].contains(answer.status) else { return answer.status }
    guard let before else {
      return trying.isEmpty
        ? answer.status : try tryArrangements(of: answer, in: folder, showing: bar, on: console)
    }
    console.setLastWords("interrupted; nothing was compared with the earlier recording")
    return try recorded.compare(with: before, showing: bar, on: console)
  }

  /// The name for all arrangements of the advice.
  private static let advice = "advice"

  /// The arrangements to try, with their runs.
  private func predictions(_ answer: RecordedFolder.Answer) throws(ToolError) -> [PredictedRun] {
    let names = trying.flatMap { $0.split(separator: ",").map { String($0.trimmed) } }
      .grouped { $0 }.map(\.0)
    var runs: [PredictedRun] = []
    for name in names {
      if name == Self.advice {
        runs += answer.advised
      } else if let run = try answer.learned.predicted(name) {
        runs.append(run)
      } else {
        let known = [Self.advice] + answer.learned.changes
        throw ToolError(
          .usage,
          "--try: '\(name)' is not a learned change\(Spelling.suggestion(for: name, among: known)); "
            + "join several with +")
      }
    }
    return runs
  }

  /// Records the program under each arrangement.
  private func tryArrangements(
    of answer: RecordedFolder.Answer, in folder: String, showing bar: ProgressLine?,
    on console: Console
  ) throws(ToolError) -> ExitStatus {
    defer { bar?.wipe() }
    let predictions = try predictions(answer)
    guard !predictions.isEmpty else {
      console.note("there is no arrangement to try")
      return answer.status
    }
    let recording = try program()
    var trials = ArrangementTrials(in: folder, of: answer.learned)
    Interruption.install()
    for predicted in predictions where Interruption.signal == nil {
      let file = subject.file
      try trials.record(predicted) { (arrangement, place) throws(ToolError) in
        if !notes.quiet {
          bar?.wipe()
          console.note("trying \(predicted.name): \(AppArrangement.variable)='\(arrangement)'")
        }
        try write(to: file, in: place, on: console) { place throws(ToolError) in
          try recording.write(to: file, in: place.hidden, under: arrangement, showing: bar)
        }
        bar?.draw("learning from \(place)/\(file)")
        // A recording that was cut short says nothing about the prediction.
        return Interruption.signal == nil ? try RecordedFolder.read("\(place)/\(file)") : nil
      }
      bar?.wipe()
    }
    try trials.write()
    try console.print("\n" + trials.text)
    if let signal = Interruption.signal {
      console.note("interrupted; the table has the arrangements tried so far")
      return .interrupted(by: signal)
    }
    return trials.status ?? answer.status
  }

  private static func withoutTrailingSlash(_ folder: String) -> String {
    folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  /// Checks that all that recording needs is available, before anything is written.
  private func recorder(
    on console: Console
  ) throws(ToolError) -> (borrowing NewFolder, ProgressLine?) throws(ToolError) -> Void {
    let file = subject.file
    if subject == .program {
      let recording = try program()
      return { (place, bar) throws(ToolError) in
        try recording.write(to: file, in: place.hidden, showing: bar)
      }
    }
    if let place = attachment.attach {
      // Connects now, so that an error leaves no folder.
      let page = try AttachedPage(place, page: page)
      let recording = AttachedRecording(page: page, length: length ?? Self.defaultLength)
      return { (place, bar) throws(ToolError) in
        let descriptor = try place.open(file)
        defer { close(descriptor) }
        try recording.write(to: descriptor, showing: bar, on: console)
      }
    }
    let page = try PageAddress(page ?? "")
    let flow = try flow.map { path throws(ToolError) in try userFlow(path, on: page) }
    let recording = PageRecording(
      page: page, program: try BrowserProgram(browser, searching: Self.variable("PATH")),
      length: length ?? (flow == nil ? Self.defaultLength : .zero), flow: flow,
      isHeadless: headless ?? !Self.hasDisplay,
      isAnyAddress: anyAddress)
    return { (place, bar) throws(ToolError) in
      let descriptor = try place.open(file)
      defer { close(descriptor) }
      try recording.write(to: descriptor, showing: bar, on: console)
    }
  }

  private func program() throws(ToolError) -> ProgramRecording {
    try ProgramRecording(
      page ?? "", arguments, length: length ?? Self.defaultLength,
      searching: Self.variable("PATH"))
  }

  private func userFlow(_ path: String, on page: PageAddress) throws(ToolError) -> UserFlow {
    let flow = try UserFlow(path)
    if !anyAddress, let denied = flow.addresses.first(where: { !page.allows($0.url) }) {
      throw ToolError(
        .badInput,
        "\(path): step \(denied.step) of the flow may not open \(denied.url); allowed: http, https, and "
          + "files in the folder of a page that is a file; --any-address allows others")
    }
    return flow
  }

  /// Keeps the recording even if a later step fails.
  private func write(
    to file: String, in folder: String, on console: Console,
    _ record: (borrowing NewFolder) throws(ToolError) -> Void
  ) throws(ToolError) {
    let place = try NewFolder(folder, on: console)
    try record(place)
    try place.commit()
  }

  private static var hasDisplay: Bool {
    !variable("DISPLAY").isEmpty || !variable("WAYLAND_DISPLAY").isEmpty
  }

  private static func variable(_ name: String) -> String {
    unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
  }
}
