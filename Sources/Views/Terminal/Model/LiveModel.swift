public import FrameBudget

/// The state of the view, which keys change. It depends on no terminal and no engine.
public struct LiveModel: Sendable {
  /// What the user chose since the start.
  public struct Session: Sendable {
    public var scenario: String
    /// Labels of the strategies to choose from; empty for a recorded run.
    public var strategies: [String]
    /// The engines to choose from; empty for a recorded run.
    public var engines: [EngineKind]
    /// The refresh rate of the scenario.
    public var refresh: RefreshRate
    /// The initial number of items in a batch.
    public var batch: Int
    /// What is shown of an app that runs by itself; nil for runs of scenarios.
    public var attached: Attached?
    /// Whether it can be recorded while it is shown.
    public var isRecordable = true

    public enum Attached: String, Sendable { case page, window }

    public init(
      scenario: String, strategies: [String], engines: [EngineKind] = EngineKind.allCases,
      refresh: RefreshRate, batch: Int, attached: Attached? = nil
    ) {
      self.scenario = scenario
      self.strategies = strategies
      self.engines = engines
      self.refresh = refresh
      self.batch = batch
      self.attached = attached
    }
  }

  public private(set) var session: Session
  public internal(set) var engine: EngineKind?
  public internal(set) var refresh: RefreshRate
  /// The strategies that run, as indices of the list.
  public internal(set) var chosen: [Int] = []
  public internal(set) var batch: Int
  public internal(set) var isPaused = false
  /// The speed of virtual time relative to the wall clock.
  public internal(set) var speed = 1.0

  /// The owner of the mouse.
  public var pointer = Pointer.absent

  var panes: [Pane] = []
  /// The strategy, of several side by side, that keys replace.
  var selected = 0
  /// The strategy that ran before the current one.
  var previousStrategy: Int?
  /// The strategy that `run` or `advise` recommends; nil before it is known.
  public var recommended: Int?
  /// The engine that was used before strategies ran side by side.
  var engineAlone: EngineKind?
  /// The number of vsyncs in a column when strategies run side by side.
  var zoom = 1
  /// Nil while the newest frame is shown.
  var scrollPosition: ScrollPosition?
  /// Runs that have ended, newest last; one per strategy, engine and refresh rate.
  var finished: [SessionRun] = []
  var overlay: Overlay?
  /// The page of numbers that is shown if not all of them fit.
  var page = 0
  /// The page of help.
  var helpPage = 0
  public internal(set) var notice: String?
  /// What was learned of an attached app, in lines; nil if it is not shown.
  var advice: [String]?

  enum Overlay: Hashable, Sendable {
    case help
    /// The list of strategies, with the cursor and the strategies ticked to run side by side.
    case strategies(cursor: Int, ticked: [Int])
  }

  public init(_ session: Session) {
    self.session = session
    engine = session.engines.first
    refresh = session.refresh
    batch = session.batch
  }

  var isSideBySide: Bool { panes.count > 1 }

  /// Whether time is simulated or recorded, so that it can be paused.
  public var canControlTime: Bool { engine != .real && session.attached == nil }

  /// Begins new runs, side by side, of the strategies at `chosen` in the list. They replace the current runs.
  public mutating func begin(_ runs: [RunModel], chosen: [Int] = []) {
    precondition((1...4).contains(runs.count), "one to four runs")
    for pane in panes where pane.run.now != nil { keep(pane.run) }
    if chosen.count == 1, let previous = self.chosen.last(where: { $0 != chosen[0] }) {
      previousStrategy = previous
    }
    self.chosen = chosen
    // If the number of strategies changes, the last one is selected.
    if runs.count != panes.count { selected = runs.count - 1 }
    scrollPosition = nil
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

  /// Adds an observation to the run in `pane`.
  public mutating func take(_ observation: RunObservation, pane: Int = 0) {
    let passed = panes[pane].run.expected
    panes[pane].take(observation)
    if pane == 0 { scrollPosition?.pass(panes[pane].run.expected - passed) }
  }

  /// Updates the verdict of each current run.
  public mutating func updateVerdicts(_ words: (RunStatus) -> StatusWords) {
    for pane in panes.indices {
      let run = panes[pane].run
      let made = (run.figures.at, run.isOver)
      // The end may come at the same instant as the last figures, which were then not final.
      guard panes[pane].words == nil || panes[pane].verdictMade.map({ $0 != made }) ?? true else {
        continue
      }
      panes[pane].verdictMade = made
      panes[pane].words = run.now.map { words(RunStatus(run, at: $0)) }
    }
  }

  public mutating func mark(_ text: String) {
    for index in panes.indices { panes[index].mark(text) }
  }

  /// Appends a strategy to the list; returns its index.
  public mutating func appendStrategy(_ label: String) -> Int {
    session.strategies.append(label)
    return session.strategies.count - 1
  }

  /// The strategy that keys refer to: the selected one if several run side by side.
  public var current: Int? { chosen.indices.contains(selected) ? chosen[selected] : chosen.first }

  /// Shows a notice until the next key.
  public mutating func note(_ text: String) { notice = text }

  /// Shows what was learned, instead of numbers.
  public mutating func show(_ advice: [String]) {
    self.advice = advice
    page = 0
    notice = nil
  }

  /// The frames of each current run that have ended.
  public var recorded: [(frames: [FrameRecord], until: TimeSpan)] {
    panes.map { ($0.run.frames, ($0.run.now ?? .zero).sinceZero) }
  }

  /// Whether the first run hangs: steps stop there, because its frame may take seconds.
  public var isHanging: Bool { panes.first?.run.hang != nil }

  public var isOver: Bool { panes.allSatisfy(\.run.isOver) }

  /// The runs so far, the current ones last.
  var sessionRuns: [SessionRun] {
    finished + panes.map { SessionRun($0.run, isUnderWay: true) }
  }

  private mutating func keep(_ run: RunModel) {
    let row = SessionRun(run, isUnderWay: false)
    finished.removeAll { $0.isSame(as: row) }
    finished.append(row)
    if finished.count > 32 { finished.removeFirst() }
  }
}

// Looking back: by keys, the wheel, and clicks.

extension LiveModel {
  /// Performs the action of a click on `target`.
  public mutating func handleClick(on target: Target) -> Command? {
    notice = nil
    switch target {
    case .strategy(let place):
      overlay = nil
      return start(place)
    case .listed(let place): return selectRow(place)
    case .tick(let place): return toggleRow(place)
    case .pane(let place): selected = place
    case .vsync(let back): inspect(scrollPosition?.inspected == back ? nil : back)
    }
    return nil
  }

  /// The vsyncs of a column, of a turn of the wheel, and of a page.
  private var column: Int { isSideBySide ? zoom : 1 }
  var wheel: Int { max(1, second / 4) }
  var second: Int { Int(refresh.hertz.rounded(.up)) * column }

  /// The number of vsyncs that the view can scroll back.
  private var furthest: Int {
    max(0, (panes.map { isSideBySide ? $0.run.expected : $0.shownVsyncs }.max() ?? 0) - 1)
  }

  mutating func scrollBack(by vsyncs: Int) {
    let back = min(max(0, (scrollPosition?.back ?? 0) + vsyncs), furthest)
    scrollPosition = back == 0 ? nil : ScrollPosition(back: back)
  }

  private mutating func inspect(_ vsync: Int?) {
    guard let vsync else {
      scrollPosition?.inspected = nil
      if scrollPosition?.back == 0 { scrollPosition = nil }
      return
    }
    scrollPosition = ScrollPosition(
      back: scrollPosition?.back ?? 0, inspected: min(vsync, furthest))
  }

  /// Moves the inspection to the previous or next column.
  mutating func moveInspection(older: Bool) {
    guard let inspected = scrollPosition?.inspected else { return }
    inspect(older ? inspected + column : max(0, inspected - column))
  }

  /// Begins to inspect the newest complete column, or ends the inspection.
  mutating func toggleInspection() {
    inspect(scrollPosition?.inspected == nil ? (scrollPosition?.back ?? 0) + 1 : nil)
  }
}

/// The position of a view that looks back: the picture stops while the run continues.
struct ScrollPosition: Hashable, Sendable {
  /// Vsyncs between the newest and the last one shown.
  var back = 0
  /// Vsyncs between the newest and the one that is inspected.
  var inspected: Int?

  /// Keeps the position after this number of further vsyncs.
  mutating func pass(_ vsyncs: Int) {
    back += vsyncs
    inspected = inspected.map { $0 + vsyncs }
  }

  /// Keeps the inspected vsync within this number of shown vsyncs.
  func showing(_ vsyncs: Int) -> ScrollPosition {
    guard let inspected else { return self }
    let back = min(max(back, inspected - vsyncs + 1), inspected)
    return ScrollPosition(back: max(0, back), inspected: inspected)
  }
}

/// The owner of the mouse.
public enum Pointer: Hashable, Sendable {
  /// The terminal reports no mouse.
  case absent
  /// The view's: clicks select and inspect.
  case taken
  /// The terminal's: it selects text.
  case left
}

/// A strategy on the screen: its current run, and a chart of all its runs.
struct Pane: Sendable {
  var run: RunModel
  var timeline = Timeline()
  /// The verdict on the run; nil before the first one.
  var words: StatusWords?
  /// The time of the figures of that verdict: words change only with the figures, so that they stay readable.
  var verdictMade: (at: Instant, isOver: Bool)?

  init(_ run: RunModel, mark: String) {
    self.run = run
    timeline.beginRun(after: nil, mark: mark)
  }

  mutating func take(_ observation: RunObservation) {
    for frame in observation.frames { timeline.append(frame, refresh: run.refresh) }
    run.take(observation)
  }

  mutating func begin(_ new: RunModel, mark: String) {
    timeline.beginRun(after: run, mark: mark)
    run = new
    words = nil
  }

  /// The number of vsyncs in the chart, including those that the current frame has missed.
  var shownVsyncs: Int { timeline.columns.count + timeline.underWay(in: run).count }

  mutating func mark(_ text: String) { timeline.mark(text, at: run.expected) }
}
