internal import FrameBudgetAdvice
internal import FrameBudget
internal import Glibc
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetCaptures
internal import FrameBudgetReports

/// A folder with a recording, to which the commands for scenario, advice and page add their results.
struct RecordedFolder {
  let folder: String
  private let recording: String
  /// The recorded app as given.
  private let subject: String

  init(_ folder: String, recording: String, of subject: String) {
    self.folder = folder
    self.recording = recording
    self.subject = subject
  }

  /// The folder of an earlier recording.
  static func existing(
    _ folder: String, recording: String, on console: Console
  ) throws(ToolError) -> RecordedFolder {
    guard unsafe access("\(folder)/\(recording)", R_OK) == 0 else {
      throw ToolError(
        .noInput,
        "cannot open \(folder)/\(recording): \(SystemError.last); --again needs a folder that record has made"
      )
    }
    try removeLeftovers(in: folder, on: console)
    return RecordedFolder(folder, recording: recording, of: "")
  }

  /// Completes and removes what a killed `record` has left.
  private static func removeLeftovers(in folder: String, on console: Console) throws(ToolError) {
    let advised = "\(folder)/advised"
    for place in [folder, advised] where OutputFiles.isFolder(place) {
      try OutputFiles.prepare(place, for: [], on: console)
    }
    for file in ["\(folder)/index.html", "\(advised)/frames.csv"] {
      StagedOutput.removeLeftovers(of: file, on: console)
    }
  }

  /// The first free name of a subfolder for a later recording.
  var next: String { Self.free("\(folder)/again-") }

  /// The first free name that begins with `name` and ends with a number.
  static func free(_ name: String) -> String {
    var number = 1
    var status = stat()
    while unsafe lstat("\(name)\(number)", &status) == 0 { number += 1 }
    return "\(name)\(number)"
  }

  /// Compares with the prediction from the recording in `before`, which was made before the change.
  func compare(
    with before: RecordedFolder, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) -> ExitStatus {
    bar?.draw("comparing with \(before.folder)/\(recording)")
    defer { bar?.wipe() }
    let (earlier, later) = (try before.read(), try read())
    if let old = earlier.page, let new = later.page, old != new {
      console.note(
        "warning: the earlier recording is of \(old.printable), and this one of \(new.printable)")
    }
    var learned = try LearnedFolder(earlier, from: before.path)
    try learned.compare(with: later, from: path)
    guard let evidence = learned.evidence else { return .success }
    try OutputFiles.write(evidence.files, in: folder)
    bar?.wipe()
    try console.print("\n" + evidence.text)
    return learned.status
  }

  /// What became of a recording.
  struct Answer {
    let status: ExitStatus
    let learned: LearnedFolder
    /// The arrangements of the advice that differ from today's, with their runs.
    var advised: [PredictedRun] = []
    /// The page, before it is drawn; nil if there is none, or it was drawn.
    var page: UndrawnPage?
  }

  /// The contents of the report page.
  struct UndrawnPage {
    fileprivate let rows: [ReportRow]
    fileprivate let circumstances: Circumstances
    /// Nil if the answer needed no search.
    fileprivate let advice: AdviceRecord?
    fileprivate let recording: PageRecordingWords
  }

  /// Learns, advises, and draws the page, unless that waits for the trials of changes.
  func complete(
    quiet: Bool, drawsPage: Bool, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) -> Answer {
    defer { bar?.wipe() }
    bar?.draw("learning from \(recording)")
    let learned = try learned()
    bar?.wipe()
    try console.print(learned.droppedInShort + "\n")
    for omission in learned.omissions { console.note("not part of the recording: \(omission)") }
    guard !learned.isContradicted else {
      console.note(
        "the replay contradicts the recording, so there is no advice; \(folder)/README.md has the reasons"
      )
      return Answer(status: learned.status, learned: learned)
    }
    Interruption.install()
    let results = "\(folder)/advised"
    var advice: Advice?
    if let answer = learned.need.answer {
      let lines = Paragraph.wrapped(answer, width: console.width)
      try console.print(lines.joined(separator: "\n") + "\n")
    } else {
      bar?.draw("searching for the smallest change")
      advice = try advise(learned, into: results, on: console)
      if let signal = Interruption.signal {
        let status = interrupted(
          by: signal, "\(results) has the best advice so far", bar, on: console)
        return Answer(status: status, learned: learned)
      }
      bar?.draw("running the advice")
    }
    let run = try run(advice, of: learned, into: results, on: console)
    if let signal = Interruption.signal {
      let status = interrupted(
        by: signal, "\(results) has the advice, without a page", bar, on: console)
      return Answer(status: status, learned: learned)
    }
    console.setLastWords("interrupted; \(results) has the advice and its run, without a page")
    Interruption.forget()
    let page = UndrawnPage(
      rows: run.rows, circumstances: run.circumstances, advice: advice?.record,
      recording: PageRecordingWords(
        dropped: learned.droppedInShort, omissions: learned.omissions, answer: learned.need.answer))
    if drawsPage { try draw(page, quiet: quiet, showing: bar, on: console) }
    bar?.wipe()
    // Also with --quiet: it qualifies the exit status.
    if learned.status != .success {
      let hint = advice == nil ? "" : ", so the advice is only a hint"
      console.note("the replay is not good\(hint); see README.md for the reasons")
    }
    let advised = advice.map { advice in
      run.rows.map(\.metrics).filter(\.log.strategy.isAdvised).map {
        PredictedRun(
          name: $0.log.strategy.name, scenario: advice.subject.scenario,
          today: advice.subject.today.arrangement, log: $0.log, range: $0.range)
      }
    }
    return Answer(
      status: learned.status(withAdvice: advice?.status), learned: learned, advised: advised ?? [],
      page: drawsPage ? nil : page)
  }

  private func interrupted(
    by signal: Int32, _ found: String, _ bar: ProgressLine?, on console: Console
  ) -> ExitStatus {
    bar?.wipe()
    console.note("interrupted; \(found), and \(folder)/README.md the learned scenario")
    return .interrupted(by: signal)
  }

  /// Advice, with the scenario that compares the arrangements.
  private struct Advice {
    let subject: AdvisedSubject
    let scenario: ScenarioSource
    let record: AdviceRecord
    let status: ExitStatus
  }

  /// Searches for advice, writes and prints it.
  private func advise(
    _ learned: LearnedFolder, into results: String, on console: Console
  ) throws(ToolError) -> Advice {
    let subject = try AdvisedSubject(learned.source(in: folder))
    let files = try AdviceFiles("\(results)/", on: console)
    var request = AdviceRequest(subject.scenario, today: subject.today)
    if case .beyond(let drops) = learned.need { request.negligibleDrops = drops }
    let advised = AdvisedArrangements(of: request, ConcurrentRuns(jobs: nil, showing: nil))
    let scenario = try files.write(advised, subject, quiet: true, on: console)
    try console.print(advised.text(width: console.width, isColored: console.isColored(.auto)))
    return Advice(
      subject: subject, scenario: scenario, record: advised.record, status: advised.status)
  }

  /// Runs what is advised, without advice the app as it was recorded, in virtual time, and writes the runs.
  private func run(
    _ advice: Advice?, of learned: LearnedFolder, into results: String, on console: Console
  ) throws(ToolError) -> (rows: [ReportRow], circumstances: Circumstances) {
    let source: ScenarioSource =
      if let advice { advice.scenario } else { try learned.source(in: folder) }
    let choice = ScenarioChoice(strategy: advice == nil ? [LearnedReplay.asRecorded] : [])
    let request = try Comparison.Request(choice, on: .virtual, repetitions: 1)
    let runs = try Comparison(source, request).runs
    var files = try ResultFiles(folder: results, frames: "\(results)/frames.csv", on: console)
    let rows = runs.simulated(.frames, ranges: true)
    for row in rows { try files.append(row) }
    var circumstances = Circumstances.now(isReal: false)
    circumstances.isInterrupted = Interruption.signal != nil
    try files.finish(rows, circumstances)
    let invalid = rows.first { !$0.log.violations.isEmpty }
    guard let invalid else { return (rows, circumstances) }
    throw ToolError(
      .brokenInvariant,
      "\(invalid.log.strategy.label) is invalid: \(invalid.log.violations.joined(separator: "; "))")
  }

  /// Draws the page that `report` draws of the folder with these results, with the changes that were tried.
  func draw(
    _ page: UndrawnPage, tried: [TriedChange] = [], quiet: Bool, showing bar: ProgressLine?,
    on console: Console
  ) throws(ToolError) {
    bar?.draw("drawing \(folder)/index.html")
    defer { bar?.wipe() }
    let report = ReportPage(
      title: subject, results: ResultSet(page.rows),
      runs: [RunFile(page.rows, page.circumstances)],
      frames: page.rows.compactMap(RecordedRun.init), advice: [page.advice].compactMap(\.self),
      tried: tried, recording: page.recording)
    var file = try ResultPlace("\(folder)/index.html", quiet: true, on: console)
    try file.write(
      ToolError.reading { () throws(InputError) in
        try report.html()
      })
    bar?.wipe()
    if !quiet {
      console.note(
        "\(folder)/index.html shows the advice, \(folder)/README.md the learned scenario")
    }
  }

  var path: String { "\(folder)/\(recording)" }

  private func read() throws(ToolError) -> Recording { try Self.read(path) }

  static func read(_ path: String, namesEvents: Bool = false) throws(ToolError) -> Recording {
    let choice = RecordingChoice(namesFunctions: true, namesEvents: namesEvents)
    var recording = try ToolError.reading { () throws(InputError) in
      try RecordingFile.read(path: path, choosing: choice)
    }
    if unsafe access(FilePath.folder(of: path) + lossFile, F_OK) == 0 {
      recording.omissions.append(loss)
    }
    return recording
  }

  /// The file beside a recording of which the browser has left out the beginning. The recording cannot say it.
  static let lossFile = "beginning-missing.txt"
  private static let loss = "the beginning, because the browser's buffer was full"

  static func noteLoss(in place: borrowing NewFolder) throws(ToolError) {
    try place.write(Array("\(loss)\n".utf8), to: lossFile)
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
}
