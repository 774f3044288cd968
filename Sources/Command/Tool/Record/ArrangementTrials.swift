internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetReports
internal import SchedulableObjects

/// A predicted run under an arrangement, to be tried in the app.
struct PredictedRun {
  let name: String
  let scenario: Scenario
  let today: Arrangement
  let log: RunLog

  var arrangement: Arrangement { log.strategy.arrangement }
}

/// The recordings of a program under several arrangements, each beside its prediction.
struct ArrangementTrials {
  /// What came of trying one arrangement.
  private struct Trial {
    let name: String
    let outcome: Outcome

    enum Outcome {
      case recorded(ChangeEvidence)
      /// Why nothing can be compared.
      case untried(String)
    }

    var evidence: ChangeEvidence? {
      if case .recorded(let evidence) = outcome { evidence } else { nil }
    }
  }

  /// The table of all trials, with the columns of `after-the-change.csv`.
  static let file = "tried.csv"

  private let folder: String
  private let learned: LearnedFolder
  private var trials: [Trial] = []

  /// Trials of what was learned in `folder`.
  init(in folder: String, of learned: LearnedFolder) {
    (self.folder, self.learned) = (folder, learned)
  }

  /// Records the program under an arrangement, in a folder of its own, unless a program cannot have the arrangement.
  mutating func record(
    _ predicted: PredictedRun, _ record: (AppArrangement, String) throws(ToolError) -> Recording?
  ) throws(ToolError) {
    let arrangement: AppArrangement
    do throws(AppArrangement.Untriable) {
      arrangement = try AppArrangement(of: predicted)
    } catch {
      return trials.append(Trial(name: predicted.name, outcome: .untried(error.reason)))
    }
    let place = "\(folder)/try-\(predicted.name)"
    guard let recorded = try record(arrangement, place) else { return }
    let evidence = try learned.evidence(
      of: AppChange(
        arrangement: predicted.name, moved: arrangement.lanes.map(\.services),
        yields: arrangement.yields),
      under: "\(arrangement)", predicted: predicted.log, recorded: recorded, from: place)
    try OutputFiles.write(evidence.files, in: place)
    let unmoved = evidence.unmoved.map { "'\($0)'" }.joined(separator: ", ")
    trials.append(
      Trial(
        name: predicted.name,
        outcome: unmoved.isEmpty
          ? .recorded(evidence)
          : .untried("\(unmoved) stayed on the main thread: is it a service of ServiceHomes?")))
  }

  /// Writes the table of what was recorded.
  func write() throws(ToolError) {
    let recorded = trials.compactMap(\.evidence)
    guard !recorded.isEmpty else { return }
    try OutputFiles.write([(Self.file, ChangeEvidence.csv(recorded))], in: folder)
  }

  /// The exit status: the worst of the predictions; nil if none was tried.
  var status: ExitStatus? {
    let found = trials.compactMap(\.evidence).map { ExitStatus(of: $0.verdict) }
    return [.failed, .inconclusive, .success].first(where: found.contains)
  }

  /// The dropped frames as predicted and as recorded, for people.
  var text: String {
    var table = TextTable(
      titles: ["tried", "predicted", "recorded", "prediction"].map { ["", $0] })
    table.lines = trials.map { trial in
      switch trial.outcome {
      case .recorded(let evidence):
        let dropped = evidence.droppedInShort
        return .cells(
          [trial.name, dropped.predicted, dropped.recorded, evidence.verdict.rawValue].map {
            TextTable.Cell(text: $0)
          })
      case .untried(let reason):
        return .words(TextTable.Cell(text: "\(trial.name) was not tried: \(reason)"))
      }
    }
    return "Dropped frames, predicted and recorded in the program under each arrangement:\n\n"
      + table.text(isColored: false).joined(separator: "\n") + "\n"
  }
}

extension AppArrangement {
  /// Why an app cannot run under an arrangement.
  struct Untriable: Error {
    let reason: String
  }

  /// The lanes of an arrangement and the services there, if it changes nothing else of today's.
  fileprivate init(of predicted: PredictedRun) throws(Untriable) {
    let (arrangement, today) = (predicted.arrangement, predicted.today)
    let scenario = predicted.scenario
    if arrangement.placement.contains(where: { $0.lock != nil }) {
      throw Untriable(reason: "services under a lock")
    }
    var rest = arrangement
    (rest.lanes, rest.locks, rest.placement) = (today.lanes, today.locks, today.placement)
    (rest.entry, rest.yielding) = (today.entry, today.yielding)
    // What follows from the places is no rule of its own.
    if rest.reading == arrangement.fittingReading(scenario) { rest.reading = today.reading }
    if rest.returning == arrangement.fittingReturning(scenario) { rest.returning = today.returning }
    guard rest == today else { throw Untriable(reason: "it changes more than where services live") }
    let yields = arrangement.yielding != today.yielding
    if yields, arrangement.yielding != Yielding() {
      throw Untriable(reason: "tasks end after a time, and not after each call")
    }
    var lanes: [Lane] = []
    for lane in arrangement.lanes.indices.dropFirst() {
      let services = scenario.services.indexed.filter { arrangement.placement[$0.0] == .home(lane) }
      guard !services.isEmpty else { continue }
      let lane = arrangement.lanes[lane]
      guard lane.width == 1 else {
        throw Untriable(reason: "lane \(lane.name) has several threads")
      }
      lanes.append(
        Lane(
          name: LearnedFolder.name(of: lane.name), nice: lane.nice == 0 ? nil : lane.nice,
          isOvertaking: lane.overtaking,
          services: services.map(\.1.fileName).grouped { $0 }.map(\.0)))
    }
    self.init(lanes: lanes, yields: yields)
  }
}
