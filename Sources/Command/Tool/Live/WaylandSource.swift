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
  private var hasEnded = false

  /// `metrics` are the platforms whose numbers are shown.
  init(_ client: WaylandClient, metrics: [MetricSet] = []) {
    (self.client, self.metrics) = (client, metrics)
  }

  /// What the view shows as its subject.
  static func session(of client: WaylandClient) -> LiveModel.Session {
    LiveModel.Session(
      scenario: client.name.printable, strategies: [], engines: [], refresh: RefreshRate(60),
      batch: 1, attached: .window)
  }

  private static let second = Duration.seconds(1)

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
    let isResting = thread?.isResting ?? false
    if isResting {
      alive = now
      log.rest(at: log.now + (now - heard) / .milliseconds(1))
    }
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
    observe(at: now, &model)
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
    var observation = frames.observation(at: now)
    observation.mainCPU = used?.main
    observation.backgroundCPU = used.map { max(.zero, $0.process - $0.main) }
    observation.isOver = hasEnded
    model.take(observation)
    let (late, facts) = (frames.lastLate, facts)
    model.updateVerdicts { LiveVerdict.words($0, late: late, facts) }
  }

  /// What was counted in the log, and which other windows it has.
  private var facts: [String] {
    guard let surface = log.window?.surface else { return ["no window has drawn a frame"] }
    let wanted = English.count(surface.requests, "frame")
    let counts = "\(English.count(surface.commits, "commit")), \(wanted) wanted"
    let others = log.others.prefix(3).map { "\($0.name.printable) (\($0.requests))" }
    return [counts] + (others.isEmpty ? [] : ["other windows: \(others.joined(separator: ", "))"])
  }

  mutating func stop() { client.stop() }
}
