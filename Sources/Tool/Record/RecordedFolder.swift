internal import FrameBudget
internal import Glibc
internal import Parsing
internal import Recordings

/// A folder with a recording, to which the answers are added: the scenario, the advice and the page, by the commands that
/// make them.
struct RecordedFolder {
  private let folder: String
  private let recording: String
  private let page: PageAddress

  init(_ folder: String, recording: String, of page: PageAddress) {
    self.folder = folder
    self.recording = recording
    self.page = page
  }

  func complete(
    quiet: Bool, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) -> ExitStatus {
    defer { bar?.wipe() }
    bar?.draw("learning from \(recording)")
    let learned = try learned()
    bar?.draw("looking for the smallest change")
    let results = "\(folder)/advised"
    let advised = perform(
      ["advise", "\(folder)/\(learned.scenario)", "-o", "\(results)/"], console)
    guard advised == .success || advised == .failed else { return advised }
    bar?.draw("drawing \(folder)/index.html")
    // The page shows the results; the output is the advice alone.
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
      ["report", results, "-o", "\(folder)/index.html", "--title", page.text], silent)
    guard drawn == .success else { return drawn }
    bar?.wipe()
    if !quiet {
      if learned.status != .success {
        console.note("the replay is not good, so take the advice as a hint; README.md says why")
      }
      console.note("\(folder)/index.html shows this, \(folder)/README.md what was learned")
    }
    return learned.status == .success ? advised : learned.status
  }

  private func learned() throws(ToolError) -> LearnedFolder {
    let path = "\(folder)/\(recording)"
    let index = try ToolError.reading { () throws(InputError) in try RecordingFile.index(path: path)
    }
    let recorded = try ToolError.reading { () throws(InputError) in
      try RecordingFile.read(path: path, choosing: RecordingChoice(process: Self.process(index)))
    }
    let learned = try LearnedFolder(recorded, from: path)
    guard learned.wantedFrames > 0 else {
      throw ToolError(
        .badInput,
        "\(path): the page wanted no frame; use it while it is recorded, or replay a flow with --flow"
      )
    }
    try learned.add(to: folder)
    return learned
  }

  /// The page's process. A browser has other renderers, for its own surface and for pages to come.
  private static func process(_ index: RecordingIndex) -> String? {
    let pages = index.threads.filter {
      $0.process.name == "Renderer" && $0.name == "CrRendererMain"
    }
    return pages.max { $0.tasks < $1.tasks }.map { String($0.process.number) }
  }

  private func perform(_ arguments: [String], _ console: Console) -> ExitStatus {
    FrameBudgetTool.run(arguments + ["--quiet"], on: console)
  }
}
