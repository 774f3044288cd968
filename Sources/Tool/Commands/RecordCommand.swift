internal import ArgumentParser
internal import FrameBudget
internal import Glibc
internal import RealTime
internal import Recordings

/// Records an app, learns from the recording, and says what to change.
struct RecordCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a page in a browser, learn from that, and say what to change.",
    discussion: """
      Starts the browser that is installed, in a profile of its own, opens the page, and records it once it has loaded. Then \
      does what 'learn', 'advise', 'run' and 'report' do with the recording. The folder has the recording (.json.gz), the \
      scenario with its tables, README.md (how far the replay agrees with the recording), advised/ (the advice, and a run of it), and index.html.

      Where there is a display the browser shows a window, and you use the page while it is recorded; elsewhere, and with \
      --headless, it shows none. Ctrl-C ends the recording early and goes on with what was recorded. Whatever ends the command, \
      the browser and its profile go with it.

      --flow replays what a user does: record it in DevTools' Recorder, export it as JSON, and name the file. PAGE takes the \
      place of the flow's first address. Steps follow one another as a person would take them, with half a second between.

      The exit status is that of 'learn', or else of 'advise'.

      EXAMPLES:
        framebudget record chrome http://localhost:8000 --for 20s -o app
        framebudget record chrome page.html --headless -o app && xdg-open app/index.html
        framebudget record chrome http://localhost:8000 --flow flow.json -o app
        framebudget record chrome https://example.org/ --browser google-chrome --for "1 min" -o app
      """)

  /// What is recorded.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case chrome
  }

  @Argument(help: "What is recorded: a page in a browser of Chrome's kind.")
  var subject: Subject

  @Argument(help: "The page: an address, or the path of a file.")
  var page: String

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long to record, from 1 s to 10 min; 20 s if not said, and with --flow until that has ended.",
      valueName: "span"),
    transform: Self.span)
  var length: TimeSpan?

  @Option(
    help: ArgumentHelp("Replay what DevTools' Recorder exported as JSON.", valueName: "file"))
  var flow: String?

  @Option(
    name: .output,
    help: ArgumentHelp("Write the recording and what was learned there.", valueName: "dir"))
  var folder: String

  @Option(
    help: ArgumentHelp(
      "The browser, by name or path, if not the first found.", valueName: "program"))
  var browser: String?

  @Flag(inversion: .prefixedNo, help: "Show no window; without a display there is none.")
  var headless: Bool?

  @OptionGroup var notes: NoteOptions

  private static let lengths = TimeSpan.seconds(1)...TimeSpan.seconds(600)

  private static func span(_ text: String) throws -> TimeSpan {
    let span: TimeSpan
    do throws(Quantity.Failure) {
      span = try Quantity.timeSpan(text)
    } catch {
      throw ValidationError("it \(error.reason)")
    }
    guard lengths.contains(span) else {
      throw ValidationError("it is out of range; allowed are durations from 1 s to 10 min")
    }
    return span
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let flow = try flow.map { path throws(ToolError) in try UserFlow(path) }
    let recording = PageRecording(
      page: try PageAddress(page),
      program: try BrowserProgram(browser, searching: Self.variable("PATH")),
      length: length ?? (flow == nil ? .seconds(20) : .zero), flow: flow,
      isHeadless: headless ?? !Self.hasDisplay)
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let file = "page.json.gz"
    Interruption.install()
    let bar = notes.quiet ? nil : ProgressLine(on: console)
    try write(recording, to: file, in: folder, showing: bar, on: console)
    // What ended the recording early ends only that, if it came from the keyboard.
    if let signal = Interruption.signal, signal != SIGINT {
      console.note("interrupted; the recording is \(folder)/\(file)")
      return .interrupted(by: signal)
    }
    Interruption.forget()
    return try RecordedFolder(folder, recording: file, of: recording.page).complete(
      quiet: notes.quiet, showing: bar, on: console)
  }

  /// The recording is kept whatever is made of it later.
  private func write(
    _ recording: PageRecording, to file: String, in folder: String, showing bar: ProgressLine?,
    on console: Console
  ) throws(ToolError) {
    let place = try NewFolder(folder, on: console)
    let descriptor = try place.open(file)
    defer {
      close(descriptor)
      bar?.wipe()
    }
    try recording.write(to: descriptor, showing: bar, on: console)
    try place.commit()
  }

  private static var hasDisplay: Bool {
    !variable("DISPLAY").isEmpty || !variable("WAYLAND_DISPLAY").isEmpty
  }

  private static func variable(_ name: String) -> String {
    unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
  }
}
