internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports
internal import FrameBudgetTerminal

/// Feeds the view from the log of a Wayland client that was started for it.
struct WaylandSource: LiveSource {
  private let client: WaylandClient
  private let metrics: [MetricSet]
  private var log = WaylandLog()
  /// Until the display's rate is known, it is assumed to be this one.
  private var frames = WindowFrames(RefreshRate(60))
  /// When the newest message arrived, and when the client last wrote one or waited for events.
  private var heard = ContinuousClock.now
  private var alive = ContinuousClock.now
  private var measurement: ContinuousClock.Instant?
  private var used: (process: TimeSpan, main: TimeSpan)?
  private var isStopped = false
  private var hasEnded = false
  private let start = ContinuousClock.now
  private var hasTold = false

  /// `metrics` are the platforms whose numbers are shown.
  init(_ client: WaylandClient, metrics: [MetricSet] = []) {
    (self.client, self.metrics) = (client, metrics)
  }

  /// What the view shows as its subject.
  static func session(of client: WaylandClient) -> LiveModel.Session {
    var session = LiveModel.Session(
      scenario: client.name.printable, strategies: [], engines: [], refresh: RefreshRate(60),
      batch: 1, attached: .window)
    session.isRecordable = false
    return session
  }

  private static let second = Duration.seconds(1)
  /// The time that a client has to request its first frame.
  private static let patience = Duration.seconds(3)

  mutating func perform(_ command: Command, on model: inout LiveModel) {
    switch command {
    case .start:
      _ = log.choose(keep: false)
      begin(&model)
    case .record:
      model.note("no advice: a Wayland log does not say what takes the time")
    case .save: model.note(model.save(frames, as: .window))
    case .add, .advise, .compare, .step, .quit: break
    }
  }

  /// Begins a run: of another window, at another rate, or of the same from now on.
  private mutating func begin(_ model: inout LiveModel) {
    frames = WindowFrames(log.refresh ?? frames.betterRate ?? frames.refresh)
    model.begin([RunModel(label: label, refresh: frames.refresh, metrics: metrics)])
  }

  private var label: String { String((log.window?.name ?? client.name).prefix(40)).printable }

  mutating func update(_ model: inout LiveModel) {
    guard !hasEnded else { return }
    let now = ContinuousClock.now
    takeMessages(at: now, &model)
    let thread = client.thread()
    tellStop(thread?.isStopped ?? false, &model)
    let isResting = isStopped || thread?.isResting ?? false
    if isResting { alive = now }
    let time = log.now + (now - heard) / .milliseconds(1)
    if isStopped { log.stop(at: time) } else if isResting { log.rest(at: time) }
    hasEnded = client.ending != nil
    let isSilent = now - alive > .nanoseconds(FrameThresholds.hang.nanoseconds)
    frames.take(log.report(isResting: isResting, isSilent: isSilent || hasEnded), at: alive)
    if now - (measurement ?? now - Self.second) >= Self.second {
      (measurement, used) = (now, thread?.used ?? used)
    }
    if let end = client.ending {
      frames.stop()
      model.note("\(end); the view keeps what was seen".printable)
    }
    if !hasTold, now - start > Self.patience {
      hasTold = true
      if log.window == nil { model.note(log.countedWords[0]) }
    }
    observe(at: now, &model)
  }

  private mutating func tellStop(_ isStopped: Bool, _ model: inout LiveModel) {
    guard isStopped != self.isStopped else { return }
    self.isStopped = isStopped
    model.note("\(client.name) \(isStopped ? "is stopped" : "goes on")".printable)
  }

  private mutating func takeMessages(at now: ContinuousClock.Instant, _ model: inout LiveModel) {
    let messages = client.messages()
    guard !messages.isEmpty else { return }
    let hadWindow = log.window != nil
    for message in messages { log.take(message) }
    (heard, alive) = (now, now)
    if log.choose() {
      if hadWindow { model.note("now shows \(label)") }
      begin(&model)
    } else if let refresh = log.refresh, refresh != frames.refresh {
      begin(&model)
    }
  }

  private mutating func observe(at now: ContinuousClock.Instant, _ model: inout LiveModel) {
    if frames.isFull || log.refresh == nil && frames.betterRate != nil { begin(&model) }
    model.take(&frames, used: used, isOver: hasEnded, at: now, log.countedWords)
  }

  mutating func stop() { client.stop() }
}

extension WaylandLog {
  /// What was counted, and which other windows there are.
  var countedWords: [String] {
    guard let surface = window?.surface else {
      return ["\(English.count(commits, "commit")), but no window has requested a frame"]
    }
    let wanted = English.count(surface.requests, "frame")
    let counts = "\(English.count(surface.commits, "commit")), \(wanted) wanted"
    let others = others.prefix(3).map { "\($0.name.printable) (\($0.requests))" }
    return [counts] + (others.isEmpty ? [] : ["other windows: \(others.joined(separator: ", "))"])
  }
}
