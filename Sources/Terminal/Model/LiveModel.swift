public import FrameBudget

/// Everything the view shows and what keys change: a value that knows no terminal and no engine.
public struct LiveModel: Sendable {
  /// What can be watched in this session.
  public struct Session: Sendable {
    public var scenario: String
    /// Labels of the strategies to choose from; empty for a recorded run.
    public var strategies: [String]
    /// The engines to choose from; empty for a recorded run.
    public var engines: [EngineKind]
    /// The refresh rate that the scenario asks for.
    public var refresh: RefreshRate
    /// How many items a batch has at first.
    public var batch: Int

    public init(
      scenario: String, strategies: [String], engines: [EngineKind] = EngineKind.allCases,
      refresh: RefreshRate, batch: Int
    ) {
      self.scenario = scenario
      self.strategies = strategies
      self.engines = engines
      self.refresh = refresh
      self.batch = batch
    }
  }

  public private(set) var session: Session
  public internal(set) var engine: EngineKind?
  public internal(set) var refresh: RefreshRate
  /// The strategies that run, by their places in the list.
  public internal(set) var chosen: [Int] = []
  public internal(set) var batch: Int
  public internal(set) var isPaused = false
  /// How much faster than the wall clock virtual time goes.
  public internal(set) var speed = 1.0

  /// Whose the mouse is.
  public var pointer = Pointer.absent

  var panes: [Pane] = []
  /// Which of several strategies side by side keys replace.
  var selected = 0
  /// The strategy that was left last for the one that runs alone.
  var before: Int?
  /// Who ran one alone before two were put side by side.
  var engineAlone: EngineKind?
  /// How many vsyncs a column has where strategies are side by side.
  var zoom = 1
  /// Nil while the newest is shown.
  var look: LookBack?
  /// Runs that are over, newest last; one per strategy, engine and refresh rate.
  var finished: [TriedRun] = []
  var overlay: Overlay?
  /// Which part of the numbers is shown where not all of them fit.
  var page = 0
  var notice: String?

  enum Overlay: Hashable, Sendable {
    case help
    /// The list of strategies, with the place of the cursor and what is ticked to be run side by side.
    case strategies(cursor: Int, ticked: [Int])
  }

  public init(_ session: Session) {
    self.session = session
    engine = session.engines.first
    refresh = session.refresh
    batch = session.batch
  }

  var isSideBySide: Bool { panes.count > 1 }

  /// Whether time is simulated or recorded, so that it can stand still.
  public var ownsTime: Bool { engine != .real }

  /// Begins new runs, one beside the other, of the strategies at `chosen` in the list, in place of those that
  /// were under way.
  public mutating func begin(_ runs: [RunModel], chosen: [Int] = []) {
    precondition((1...4).contains(runs.count), "one to four runs")
    for pane in panes where pane.run.now != nil { keep(pane.run) }
    if chosen.count == 1 { before = self.chosen.last { $0 != chosen[0] } ?? before }
    self.chosen = chosen
    // Of those that are new beside one another the last one is what is being tried.
    if runs.count != panes.count { selected = runs.count - 1 }
    look = nil
    (engine, refresh) = (runs[0].engine, runs[0].refresh)
    for (index, run) in runs.enumerated() {
      let text = "\(run.label) \(run.refresh)"
      if index < panes.count {
        panes[index].begin(run, mark: text)
      } else {
        panes.append(Pane(run, mark: text))
      }
    }
    panes.removeLast(panes.count - runs.count)
    page = 0
  }

  /// Takes in what was seen of the run in `pane`.
  public mutating func take(_ glance: RunGlance, pane: Int = 0) {
    let passed = panes[pane].run.expected
    panes[pane].take(glance)
    if pane == 0 { look?.pass(panes[pane].run.expected - passed) }
  }

  /// Lets `words` say how each run under way stands.
  public mutating func judge(_ words: (Standing) -> StandingWords) {
    for pane in panes.indices {
      let run = panes[pane].run
      guard panes[pane].words == nil || panes[pane].judged != run.figures.at else { continue }
      panes[pane].judged = run.figures.at
      panes[pane].words = run.now.map { words(Standing(run, at: $0)) }
    }
  }

  public mutating func mark(_ text: String) {
    for index in panes.indices { panes[index].mark(text) }
  }

  /// Puts a strategy at the end of the list; returns its place.
  public mutating func offer(_ label: String) -> Int {
    session.strategies.append(label)
    return session.strategies.count - 1
  }

  /// The strategy that keys are about: of several side by side the selected one.
  public var current: Int? { chosen.indices.contains(selected) ? chosen[selected] : chosen.first }

  /// Shows a sentence until the next key.
  public mutating func note(_ text: String) { notice = text }

  /// The frames of each run under way that have ended by now.
  public var recorded: [(frames: [FrameRecord], until: TimeSpan)] {
    panes.map { ($0.run.frames, ($0.run.now ?? .zero).sinceZero) }
  }

  public var isOver: Bool { panes.allSatisfy(\.run.isOver) }

  /// Runs of this session, those under way last.
  var tried: [TriedRun] {
    finished + panes.map { TriedRun($0.run, isUnderWay: true) }
  }

  private mutating func keep(_ run: RunModel) {
    let row = TriedRun(run, isUnderWay: false)
    finished.removeAll { $0.isSame(as: row) }
    finished.append(row)
    if finished.count > 32 { finished.removeFirst() }
  }
}
