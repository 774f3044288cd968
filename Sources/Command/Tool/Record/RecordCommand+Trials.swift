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
  private var changes: [String] {
    trying.flatMap { $0.split(separator: ",").map { String($0.trimmed) } }.distinct()
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

  /// Records the app with each change, and draws the page.
  func tryChanges(
    of answer: RecordedFolder.Answer, in recorded: RecordedFolder, showing bar: ProgressLine?,
    on console: Console
  ) throws(ToolError) -> ExitStatus {
    defer { bar?.wipe() }
    var trials = ChangeTrials(in: recorded.folder, of: answer.learned)
    switch subject {
    case .chrome: try tryOnPage(recorded, answer.learned, &trials, showing: bar, on: console)
    case .program: try tryArrangements(of: answer, &trials, showing: bar, on: console)
    }
    bar?.wipe()
    let signal = Interruption.signal
    if trials.tried.isEmpty, signal == nil {
      console.note("there is no arrangement to try")
    } else {
      try trials.write()
      try console.print("\n" + trials.text)
    }
    if signal != nil { console.note("interrupted; the table has the changes tried so far") }
    if let page = answer.page {
      try recorded.draw(
        page, tried: trials.tried, quiet: notes.quiet, showing: bar, on: console)
    }
    return signal.map { .interrupted(by: $0) } ?? trials.status ?? answer.status
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
      var effects: Int?
      do throws(ToolError) {
        try write(to: subject.file, in: trials.place(of: change.text), on: console) {
          (place) throws(ToolError) in
          effects = try record(page, to: place, showing: bar, on: console)
        }
      } catch {
        // The other changes have their answers.
        trials.leaveOut(change.text, because: error.message)
        continue
      }
      // A recording that was cut short says nothing about the prediction.
      guard Interruption.signal == nil else { break }
      guard effects != 0 else {
        trials.leaveOut(change.text, because: "the page has nothing that it would change")
        continue
      }
      bar?.draw("comparing with the prediction")
      let place = "\(trials.place(of: change.text))/\(subject.file)"
      try trials.add(
        RecordedFolder.read(place), of: AppChange(change), basis: .page, predicted: predicted)
      report(trials, showing: bar, on: console)
    }
  }

  private func announce(
    _ predicted: PredictedRun, _ learned: LearnedFolder, showing bar: ProgressLine?,
    on console: Console
  ) {
    bar?.wipe()
    guard !notes.quiet else { return }
    console.note(
      "\(predicted.name): predicted \(learned.recordedDrops) -> \(predicted.drops) dropped")
  }

  private func report(_ trials: ChangeTrials, showing bar: ProgressLine?, on console: Console) {
    bar?.wipe()
    guard !notes.quiet, let last = trials.tried.last else { return }
    console.note(last.sentence)
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
      try write(to: file, in: trials.place(of: predicted.name), on: console) {
        (place) throws(ToolError) in
        try recording.write(to: file, in: place.hidden, under: arrangement, showing: bar)
      }
      guard Interruption.signal == nil else { break }
      bar?.draw("comparing with the prediction")
      let place = "\(trials.place(of: predicted.name))/\(file)"
      try trials.add(
        RecordedFolder.read(place),
        of: AppChange(
          arrangement: predicted.name, moved: arrangement.lanes.map(\.services),
          yields: arrangement.yields),
        basis: .arrangement("\(arrangement)"), predicted: predicted)
      report(trials, showing: bar, on: console)
    }
  }
}
