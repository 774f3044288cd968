internal import FrameBudget
internal import Glibc
internal import Learning
internal import Parsing
internal import Recordings

/// A folder with a recording, to which the commands for scenario, advice and page add their results.
struct RecordedFolder {
  private let folder: String
  private let recording: String
  /// The recorded app as given.
  private let subject: String

  init(_ folder: String, recording: String, of subject: String) {
    self.folder = folder
    self.recording = recording
    self.subject = subject
  }

  /// The folder of an earlier recording.
  static func existing(_ folder: String, recording: String) throws(ToolError) -> RecordedFolder {
    guard unsafe access("\(folder)/\(recording)", R_OK) == 0 else {
      throw ToolError(
        .noInput,
        "cannot open \(folder)/\(recording): \(SystemError.last); --again needs a folder that record has made"
      )
    }
    return RecordedFolder(folder, recording: recording, of: "")
  }

  /// The first free name of a subfolder for a later recording.
  var next: String {
    var number = 1
    var status = stat()
    while unsafe lstat("\(folder)/again-\(number)", &status) == 0 { number += 1 }
    return "\(folder)/again-\(number)"
  }

  /// Compares with the prediction from the recording in `before`, which was made before the change.
  func compare(
    with before: RecordedFolder, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) -> ExitStatus {
    bar?.draw("comparing with \(before.folder)/\(recording)")
    defer { bar?.wipe() }
    var learned = try LearnedFolder(before.read(), from: before.path)
    try learned.compare(with: read(), from: path)
    guard let evidence = learned.evidence else { return .success }
    try NewFile.write(evidence.text, to: "\(folder)/after-the-change.md")
    try NewFile.write(evidence.csv, to: "\(folder)/\(ChangeEvidence.file)")
    bar?.wipe()
    try console.print("\n" + evidence.text)
    return learned.status
  }

  func complete(
    quiet: Bool, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) -> ExitStatus {
    defer { bar?.wipe() }
    bar?.draw("learning from \(recording)")
    let learned = try learned()
    bar?.wipe()
    try console.print(learned.droppedInShort + "\n")
    guard !learned.isContradicted else {
      console.note(
        "the replay contradicts the recording, so there is no advice; \(folder)/README.md has the reasons"
      )
      return learned.status
    }
    bar?.draw("searching for the smallest change")
    let results = "\(folder)/advised"
    let advised = perform(
      ["advise", "\(folder)/\(learned.scenario)", "-o", "\(results)/"], console)
    guard advised == .success || advised == .failed else { return advised }
    bar?.draw("drawing \(folder)/index.html")
    // The page shows the results; the output is only the advice.
    var silent = console
    silent.output = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(silent.output) }
    let run = perform(
      [
        "run", "\(results)/advice.yaml", "--engine", "virtual", "-o", results, "--frames",
        "\(results)/frames.csv",
      ], silent)
    guard run == .success || run == .failed else { return run }
    let drawn = perform(
      ["report", results, "-o", "\(folder)/index.html", "--title", subject], silent)
    guard drawn == .success else { return drawn }
    bar?.wipe()
    if !quiet {
      if learned.status != .success {
        console.note(
          "the replay is not good, so the advice is only a hint; see README.md for the reasons")
      }
      console.note(
        "\(folder)/index.html shows the advice, \(folder)/README.md the learned scenario")
    }
    return learned.status == .success ? advised : learned.status
  }

  private var path: String { "\(folder)/\(recording)" }

  private func read() throws(ToolError) -> Recording {
    try ToolError.reading { () throws(InputError) in
      try RecordingFile.read(path: path, choosing: RecordingChoice(namesFunctions: true))
    }
  }

  private func learned() throws(ToolError) -> LearnedFolder {
    let learned = try LearnedFolder(read(), from: path)
    guard learned.wantedFrames > 0 else {
      throw ToolError(
        .badInput,
        "\(path): no frame was wanted; use the page or the program while it is recorded, or replay a flow with --flow"
      )
    }
    try learned.add(to: folder)
    return learned
  }

  private func perform(_ arguments: [String], _ console: Console) -> ExitStatus {
    FrameBudgetTool.run(arguments + ["--quiet"], on: console)
  }
}
