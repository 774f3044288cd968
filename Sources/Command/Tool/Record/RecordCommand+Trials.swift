internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetLearning
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import SchedulableObjects

// --try: the app is recorded again with each of some changes.
extension RecordCommand {
  /// The changes as given, each once.
  var changes: [String] {
    trying.flatMap { $0.split(separator: ",").map { String($0.trimmed) } }.filter { !$0.isEmpty }
      .distinct()
  }

  func pageChanges() throws -> [PageChange] {
    try changes.map { text in
      do throws(PageChange.Untriable) {
        return try PageChange(text)
      } catch {
        throw ValidationError("--try: '\(text)' \(error.reason)")
      }
    }
  }

  /// Records the app with each change, and draws the page. After a failure, the table and the page still have the other trials.
  func tryChanges(
    of answer: RecordedFolder.Answer, in recorded: RecordedFolder, showing bar: ProgressLine?,
    on console: Console
  ) throws(ToolError) -> ExitStatus {
    var trials = ChangeTrials(in: recorded.folder, of: answer.learned)
    var failure: ToolError?
    func keepingFailure(_ step: () throws(ToolError) -> Void) {
      do throws(ToolError) { try step() } catch { failure = failure ?? error }
      bar?.wipe()
    }
    keepingFailure { () throws(ToolError) in
      switch subject {
      case .chrome: try tryOnPage(recorded, answer.learned, &trials, showing: bar, on: console)
      case .program: try tryArrangements(of: answer, &trials, showing: bar, on: console)
      // It runs already, as it is.
      case .window: break
      }
    }
    let isComplete = failure == nil
    keepingFailure { () throws(ToolError) in
      try show(trials, areComplete: isComplete, on: console)
    }
    keepingFailure { () throws(ToolError) in
      guard let page = answer.page else { return }
      try recorded.draw(
        page, tried: trials.tried, quiet: notes.quiet, showing: bar, on: console)
    }
    if let failure { throw failure }
    return Interruption.signal.map { .interrupted(by: $0) } ?? trials.status ?? answer.status
  }

  /// Writes and prints the table.
  private func show(
    _ trials: ChangeTrials, areComplete: Bool, on console: Console
  ) throws(ToolError) {
    let isInterrupted = Interruption.signal != nil
    if isInterrupted { console.note("interrupted; the table has the changes tried so far") }
    if !trials.tried.isEmpty || isInterrupted {
      try trials.write()
      try console.print("\n" + trials.text)
    } else if areComplete {
      console.note("there is no arrangement to try")
    }
  }

  /// Records the app with a change by `record`, and compares it with the prediction if the change has an effect in the recording.
  /// A recording that fails, or in which the app failed as `record` returns, leaves the other changes their answers.
  ///
  /// - Throws: what fails for all changes: a file that cannot be created or written.
  func attempt(
    _ change: AppChange, basis: ChangeEvidence.Basis, predicted: PredictedRun,
    _ trials: inout ChangeTrials, showing bar: ProgressLine?, on console: Console,
    hasEffect: (Recording) -> Bool = { _ in true },
    recording record: (borrowing NewFolder) throws(ToolError) -> String?
  ) throws(ToolError) {
    let place = trials.freePlace(of: predicted.name)
    do throws(ToolError) {
      var failure: String?
      try write(to: subject.file, in: place, on: console) { place throws(ToolError) in
        failure = try record(place)
      }
      // A recording that was cut short says nothing about the prediction.
      guard Interruption.signal == nil else { return }
      if let failure { throw ToolError(.unavailable, failure) }
      bar?.draw("comparing with the prediction")
      let recorded = try RecordedFolder.read("\(place)/\(subject.file)")
      if hasEffect(recorded) {
        try trials.add(recorded, in: place, of: change, basis: basis, predicted: predicted)
      } else {
        trials.leaveOut(predicted.name, because: "the page has nothing that it would change")
      }
    } catch {
      guard Interruption.signal == nil else { return }
      guard ![.cannotCreate, .cannotWrite].contains(error.status) else { throw error }
      trials.fail(predicted.name, because: error.message)
    }
    bar?.wipe()
    if !notes.quiet, let last = trials.tried.last { console.note(last.sentence) }
  }

  // MARK: Pages

  private func tryOnPage(
    _ recorded: RecordedFolder, _ learned: LearnedFolder, _ trials: inout ChangeTrials,
    showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) {
    var page = try pageRecording()
    let changes = (try? pageChanges()) ?? []
    bar?.draw("predicting")
    let events = try RecordedFolder.read(recorded.path, namesEvents: true)
    Interruption.install()
    for change in changes where Interruption.signal == nil {
      let predicted: PredictedRun
      switch try learned.predicted(change, in: events, from: recorded.path) {
      case .success(let run): predicted = run
      case .failure(let untriable):
        trials.leaveOut(change.text, because: untriable.reason)
        continue
      }
      announce(predicted, learned, showing: bar, on: console)
      page.change = change
      var hasBlocked = false
      try attempt(
        AppChange(change), basis: .page, predicted: predicted, &trials, showing: bar, on: console,
        hasEffect: { hasBlocked || ListenerLimits.wereUsed(in: $0) }
      ) { (place) throws(ToolError) in
        hasBlocked = try record(page, to: place, showing: bar, on: console)
        return nil
      }
    }
  }

  private func announce(
    _ predicted: PredictedRun, _ learned: LearnedFolder, showing bar: ProgressLine?,
    on console: Console
  ) {
    bar?.wipe()
    guard !notes.quiet else { return }
    console.note(
      "\(predicted.name): predicted \(learned.replayedDrops) -> \(predicted.drops) dropped")
  }

  // MARK: Programs

  /// The name for all arrangements of the advice.
  private static let advice = "advice"

  /// The arrangements to try, with their runs.
  private func predictions(_ answer: RecordedFolder.Answer) throws(ToolError) -> [PredictedRun] {
    var runs: [PredictedRun] = []
    for name in changes {
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

  private func tryArrangements(
    of answer: RecordedFolder.Answer, _ trials: inout ChangeTrials, showing bar: ProgressLine?,
    on console: Console
  ) throws(ToolError) {
    let predictions = try predictions(answer)
    let recording = try programRecording()
    let file = subject.file
    Interruption.install()
    for predicted in predictions where Interruption.signal == nil {
      let arrangement: AppArrangement
      do throws(AppArrangement.Untriable) {
        arrangement = try AppArrangement(of: predicted)
      } catch {
        trials.leaveOut(predicted.name, because: error.reason)
        continue
      }
      announce(predicted, answer.learned, showing: bar, on: console)
      if !notes.quiet {
        console.note("trying \(predicted.name): \(AppArrangement.variable)='\(arrangement)'")
      }
      let change = AppChange(
        arrangement: predicted.name, moved: arrangement.lanes.map(\.services),
        yields: arrangement.yields)
      try attempt(
        change, basis: .arrangement("\(arrangement)"), predicted: predicted, &trials,
        showing: bar, on: console
      ) { (place) throws(ToolError) in
        let failure = try recording.write(
          to: file, in: place.hidden, under: arrangement, showing: bar)
        return failure.map { "\(recording.name) \($0)" }
      }
    }
  }
}
