internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetLearning
internal import FrameBudgetReports
internal import SchedulableObjects

/// A predicted run under a change, to be tried in the app.
struct PredictedRun {
  let name: String
  let scenario: Scenario
  let today: Arrangement
  let log: RunLog
  /// The range of its figures; nil if it is unknown.
  let range: PredictionRange?
  /// What is expected of a page with the change; nil for an arrangement.
  var expected: LearnedScenario?

  var arrangement: Arrangement { log.strategy.arrangement }

  /// `2 of 698 (0–1.2 %)`
  var drops: String {
    let frames = RunMetrics(log).frames
    let range = range?.droppedInShort.map { " (\($0))" } ?? ""
    return "\(frames.dropped) of \(frames.expected)\(range)"
  }
}

/// The recordings of an app under several changes, each beside its prediction.
struct ChangeTrials {
  /// The table of all trials, with the columns of `after-the-change.csv`.
  static let file = "tried.csv"

  /// What became of each change, for the page.
  private(set) var tried: [TriedChange] = []
  private var recorded: [ChangeEvidence] = []
  private var hasFailed = false
  private let folder: String
  private let learned: LearnedFolder

  /// Trials of what was learned in `folder`.
  init(in folder: String, of learned: LearnedFolder) {
    (self.folder, self.learned) = (folder, learned)
  }

  /// A folder for the recording under a change. Several names can have the same file name.
  func freePlace(of name: String) -> String {
    NewFile.firstFree("\(folder)/try-\(Self.fileName(name))")
  }

  private static func fileName(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || "-_.+".contains($0) ? $0 : "-" }.prefix(100))
  }

  mutating func leaveOut(_ name: String, because reason: String) {
    tried.append(TriedChange(name: name, outcome: .untried(reason)))
  }

  /// Leaves out a change whose recording has failed.
  mutating func fail(_ name: String, because reason: String) {
    hasFailed = true
    leaveOut(name, because: reason)
  }

  /// Compares the recording under a change, in the folder `place`, with its prediction.
  mutating func add(
    _ recording: Recording, in place: String, of change: AppChange, basis: ChangeEvidence.Basis,
    predicted: PredictedRun
  ) throws(ToolError) {
    let evidence = try learned.evidence(
      of: change, basis: basis, predicted: predicted, recorded: recording, from: place)
    guard evidence.unmoved.isEmpty else {
      let unmoved = evidence.unmoved.map { "'\($0)'" }.joined(separator: ", ")
      return fail(
        predicted.name,
        because: "\(unmoved) stayed on the main thread: is it a service of ServiceHomes?")
    }
    try OutputFiles.write(evidence.files, in: place)
    recorded.append(evidence)
    let drops = evidence.droppedInShort
    tried.append(
      TriedChange(
        name: predicted.name,
        outcome: .recorded(
          predicted: TriedChange.Drops(before: drops.replayed.before, after: drops.replayed.after),
          made: TriedChange.Drops(before: drops.recorded.before, after: drops.recorded.after),
          verdict: evidence.verdict.rawValue),
        rangeMeaning: ChangeEvidence.meaning(ofRangesIn: [evidence])))
  }

  /// Writes the table of what was recorded.
  func write() throws(ToolError) {
    guard !recorded.isEmpty else { return }
    try OutputFiles.write([(Self.file, ChangeEvidence.csv(recorded))], in: folder)
  }

  /// The exit status: the worst of the predictions, of which one without its recording is inconclusive, as all are if each was left
  /// out; nil if there was none.
  var status: ExitStatus? {
    if tried.isEmpty { return nil }
    let isOpen = hasFailed || recorded.isEmpty
    let found = recorded.map { ExitStatus(of: $0.verdict) } + (isOpen ? [.inconclusive] : [])
    return [.failed, .inconclusive, .success].first(where: found.contains)
  }

  /// The dropped frames as predicted and as recorded, for people.
  var text: String {
    var table = TextTable(
      titles: ["tried", "predicted", "recorded", "prediction"].map { ["", $0] })
    table.lines = tried.map { trial in
      switch trial.outcome {
      case .recorded(let predicted, let made, let verdict):
        let cells = [trial.name, predicted.after, made.after, verdict]
        return .cells(cells.map { TextTable.Cell(text: $0) })
      case .untried: return .words(TextTable.Cell(text: trial.sentence))
      }
    }
    let note = ChangeEvidence.meaning(ofRangesIn: recorded).map { "range: \($0)\n" } ?? ""
    return
      "Dropped frames with each change; without one, \(learned.recordedDrops) (the replay: \(learned.replayedDrops)):\n\n"
      + table.text(isColored: false).joined(separator: "\n") + "\n" + note
  }
}

extension AppArrangement {
  /// Why an app cannot run under an arrangement.
  struct Untriable: Error {
    let reason: String
  }

  /// The lanes of an arrangement and the services there, if it changes nothing else of today's.
  init(of predicted: PredictedRun) throws(Untriable) {
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
