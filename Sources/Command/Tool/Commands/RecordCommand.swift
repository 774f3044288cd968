internal import ArgumentParser
internal import FrameBudget
internal import Glibc
internal import FrameBudgetRealTime

/// Records an app, learns from the recording, and recommends changes.
struct RecordCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "record",
      success: "the replay is good, and there is advice or nothing to change",
      failed: "the replay is poor, or nothing meets the aims",
      inconclusive:
        "the replay is fair, or too short to judge, or lacks most of the recorded dropped frames"),
    LearnCommand.outcomes("record --again", of: "the prediction"),
    CommandOutcomes(
      form: "record --try", success: "all predictions are good", failed: "one is poor",
      inconclusive: "one is fair, or too short to judge, or its recording failed, or none was made"),
  ]

  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract:
      "Record a web page, a program or a window, learn a scenario from it, and recommend changes.",
    usage: """
      framebudget record chrome <page> [<options>]
      framebudget record chrome [<page>] --attach <browser> [<options>]
      framebudget record program <program> [<options>] [-- <argument> ...]
      framebudget record window <pid> [<options>]
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
      recording; the command says with which status, unless that is 0.

      'record window' does the same for a Wayland client that runs, as root: probes on its libwayland-client and the switches \
      of its threads are recorded into recording.ftrace. The client goes on. --function names work of it, which the advice can \
      then move: a function of the program or of a library, by its symbol. It must return: an exception that leaves it ends \
      the program.

      --attach records a page of a browser that runs already, as it is: nothing is opened, denied or ended. Here PAGE is a \
      part of its address or title; by default it is the page that was used last.

      --again records after a change, into a new subfolder of an earlier recording: again-1, again-2, and so on. It compares \
      the new recording with the prediction from the earlier one, and explains differences.

      The browser answers the page's dialogs, and denies downloads, new windows, permissions, and files outside the page's \
      folder; the command says what the page has tried. A page that crashes or does not answer ends its recording; what was \
      recorded is kept. Of a page that is closed the browser keeps nothing.

      --try records the app again with each of some changes, in folders try-NAME, and prints the predicted dropped frames \
      beside the recorded ones. The status is that of the worst prediction; one whose recording failed is inconclusive.

      Changes to a page are made by the browser, before the page's scripts: without:FILE (its scripts of that name are not \
      loaded), debounce:EVENT=SPAN, throttle:EVENT=SPAN and latest:EVENT (its listeners get only the newest events, as with the \
      keys of 'admission'). A change that the recording cannot predict is not made.

      A program is recorded under arrangements. Names are advice, for all of the advice, and learned strategies, joined by + if \
      made together. The program has to create its services by ServiceHomes, under the names of their intervals, and with \
      AppArrangement.fromEnvironment.

      --flow replays a user's actions: record them in DevTools' Recorder, export them as JSON, and name the file. PAGE \
      replaces the flow's first address. There is half a second between steps.

      \(outcomes[0].sentence) With --again, the status is that of 'learn --compare-with'.

      EXAMPLES:
        framebudget record chrome http://localhost:8000 --for 20s -o app
        framebudget record chrome page.html --headless -o app
        framebudget record chrome http://localhost:8000 --flow flow.json -o app
        framebudget record chrome http://localhost:8000 --for 20s --again app
        framebudget record chrome --attach chrome:9222 --for 10s -o app
        framebudget record chrome page.html --flow flow.json -o app \\
          --try debounce:input=150ms,without:analytics.js
        framebudget record program ./MyApp --for 20s -o app -- --scene large
        framebudget record program ./MyApp --for 20s -o app --try advice
        sudo framebudget record window 4711 --for 20s -o app
        sudo framebudget record window 4711 --function load_items -o app
        framebudget record chrome https://example.org/ --browser google-chrome \\
          --for "1 min" -o app
      """)

  /// The kind of recorded app.
  enum Subject: String, CaseIterable {
    case chrome, program, window

    static func parse(_ word: String) throws -> Subject {
      if let subject = Subject(rawValue: word) { return subject }
      throw ValidationError(
        "it is chrome, program or window, as in 'framebudget record chrome \(word)'")
    }

    /// The name of the recording.
    var file: String {
      switch self {
      case .chrome: "page.json.gz"
      case .program: "program.json"
      case .window: "recording.ftrace"
      }
    }
  }

  @Argument(
    help:
      """
      The kind of app: chrome for a page in a Chromium-based browser, program for one that uses FrameRecorder, or window for a \
      Wayland client that runs.
      """,
    completion: .list(Subject.allCases.map(\.rawValue)), transform: Subject.parse)
  var subject: Subject

  @Argument(
    help:
      "The address or file of the page, the name or path of the program, or the PID of the window's process.",
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
      "Record the app again with changes: of a page, such as debounce:input=150ms; of a program, advice or learned strategies.",
      valueName: "change[,...]"))
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
    if !trying.isEmpty, changes.isEmpty { throw ValidationError("--try names no change") }
    if page == nil, attachment.attach == nil {
      throw ValidationError(
        "name the page or the program, as in 'framebudget record chrome page.html'")
    }
    if case .process(let number) = attachment.attach {
      throw ValidationError(
        "--attach PID is for live; 'framebudget record window \(number)' records that process")
    }
    let options = [
      ("--flow", flow != nil), ("--browser", browser != nil), ("--headless", headless != nil),
      ("--any-address", anyAddress),
    ]
    let given = options.first(where: \.1)?.0
    try attachment.requireNoFunctions(unless: subject == .window)
    switch subject {
    case .chrome:
      if attachment.attach != nil, let given = given ?? (trying.isEmpty ? nil : "--try") {
        throw ValidationError(
          "\(given) is for a browser that record starts; leave it out with --attach")
      }
      if !arguments.isEmpty {
        throw ValidationError("a page has no arguments; leave out the arguments after --")
      }
      _ = try pageChanges()
    case .program:
      if let option = attachment.attach != nil ? "--attach" : given {
        throw ValidationError("\(option) is for a page; leave it out with a program")
      }
    case .window:
      if let option = attachment.attach != nil ? "--attach" : given {
        throw ValidationError("\(option) is for a page; leave it out with a window")
      }
      if !trying.isEmpty {
        throw ValidationError("--try is for what record starts; leave it out with a window")
      }
      if !arguments.isEmpty {
        throw ValidationError("a window runs already; leave out the arguments after --")
      }
      if WindowProcess.number(page ?? "") == nil {
        throw ValidationError("a window has the number of its process, as in 'record window 4711'")
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
    let (record, app) = try recorder(on: console)
    let isTrying = !trying.isEmpty
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
    let recorded = RecordedFolder(folder, recording: file, of: app)
    let answer = try recorded.complete(
      quiet: notes.quiet, drawsPage: !isTrying, showing: bar, on: console)
    guard [.success, .failed, .inconclusive].contains(answer.status) else { return answer.status }
    guard let before else {
      guard isTrying else { return answer.status }
      return try tryChanges(of: answer, in: recorded, showing: bar, on: console)
    }
    console.setLastWords("interrupted; nothing was compared with the earlier recording")
    return try recorded.compare(with: before, showing: bar, on: console)
  }

  private static func withoutTrailingSlash(_ folder: String) -> String {
    folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  private typealias Recorder = (borrowing NewFolder, ProgressLine?) throws(ToolError) -> Void

  /// Checks that all that recording needs is available, before anything is written. Returns what records, and the name of the app.
  private func recorder(on console: Console) throws(ToolError) -> (Recorder, app: String) {
    let (file, name) = (subject.file, page ?? "")
    if subject == .program {
      let recording = try programRecording()
      let record: Recorder = { (place, bar) throws(ToolError) in
        if let failure = try recording.write(to: file, in: place.hidden, showing: bar) {
          console.note("\(recording.name) \(failure); the recording ends there")
        }
      }
      return (record, name)
    }
    if subject == .window, let number = WindowProcess.number(name) {
      // A signal then ends the recording, which removes its probes.
      Interruption.install()
      let recording = try WindowRecording(
        of: number, work: attachment.functions, for: length ?? Self.defaultLength, on: console)
      let record: Recorder = { (place, bar) throws(ToolError) in
        let descriptor = try place.open(file)
        defer { close(descriptor) }
        try recording.write(to: descriptor, showing: bar, on: console)
      }
      return (record, recording.app)
    }
    if let place = attachment.attach?.browser {
      LockedFolder.removeLeftovers(on: console)
      // Connects now, so that an error leaves no folder.
      let page = try AttachedPage(place, page: page)
      let length = length ?? Self.defaultLength
      let record: Recorder = { (place, bar) throws(ToolError) in
        let descriptor = try place.open(file)
        defer { close(descriptor) }
        try page.record(for: length, to: descriptor, showing: bar, on: console)
        if page.lacksBeginning { try RecordedFolder.noteLoss(in: place) }
      }
      return (record, page.page.address)
    }
    let recording = try pageRecording()
    let record: Recorder = { (place, bar) throws(ToolError) in
      try self.record(recording, to: place, showing: bar, on: console)
    }
    return (record, name)
  }

  func programRecording() throws(ToolError) -> ProgramRecording {
    try ProgramRecording(
      page ?? "", arguments, length: length ?? Self.defaultLength,
      searching: Self.variable("PATH"))
  }

  func pageRecording() throws(ToolError) -> PageRecording {
    let page = try PageAddress(page ?? "")
    let flow = try flow.map { path throws(ToolError) in try userFlow(path, on: page) }
    return PageRecording(
      page: page, program: try BrowserProgram(browser, searching: Self.variable("PATH")),
      length: length ?? (flow == nil ? Self.defaultLength : .zero), flow: flow,
      isHeadless: headless ?? !Self.hasDisplay,
      isAnyAddress: anyAddress)
  }

  @discardableResult
  func record(
    _ page: PageRecording, to place: borrowing NewFolder, showing bar: ProgressLine?,
    on console: Console
  ) throws(ToolError) -> Bool {
    let descriptor = try place.open(subject.file)
    defer { close(descriptor) }
    let result = try page.write(to: descriptor, showing: bar, on: console)
    if result.lacksBeginning { try RecordedFolder.noteLoss(in: place) }
    return result.hasBlocked
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
  func write(
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
