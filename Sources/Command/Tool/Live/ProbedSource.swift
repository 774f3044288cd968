internal import CFrameBudgetLinux
internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetTerminal

/// Feeds the view from probes on a Wayland client that runs already.
struct ProbedSource: LiveSource {
  private let probes: WindowProbes
  private let metrics: [MetricSet]
  private let thread: ClientThread
  private var client: ProbedClient
  private var text = TracedText()
  /// Until vsyncs tell the display's rate, it is assumed to be this one.
  private var frames = WindowFrames(RefreshRate(60))
  private var cost = PageCost()
  /// The processor time of this thread at the last update: all of it is the view's.
  private var spent: Int64?
  private var rate = EventRate()
  /// When the client last drew the window, and when it last did that or waited for events.
  private var heard = ContinuousClock.now
  private var alive = ContinuousClock.now
  private var looked: ContinuousClock.Instant?
  private var isStopped = false
  /// Dropped events that were told.
  private var lost = 0
  private var recording = AttachedRecording()
  /// How it ended; nil while the client runs.
  private(set) var ending: String?

  /// `metrics` are the platforms whose numbers are shown.
  init(_ probes: WindowProbes, metrics: [MetricSet] = []) {
    (self.probes, self.metrics) = (probes, metrics)
    let process = probes.process
    thread = ClientThread(of: process.number)
    let kin = ProcessKin(of: process)
    client = ProbedClient(Int(process.number), Set(process.threads)) { kin.has($0) }
  }

  /// What the view shows as its subject.
  static func session(of probes: WindowProbes) -> LiveModel.Session {
    LiveModel.Session(
      scenario: probes.process.name.printable, strategies: [], engines: [],
      refresh: RefreshRate(60), batch: 1, attached: .window)
  }

  private static let glance = Duration.milliseconds(250)
  /// A client that draws all the time makes requests more often.
  private static let short = Duration.milliseconds(25)
  /// A rate differs by more, as a share, if it is another one.
  private static let change = 0.05

  mutating func perform(_ command: Command, on model: inout LiveModel) {
    switch command {
    case .start:
      _ = client.choose(keep: false)
      begin(frames.refresh, &model)
    case .record:
      recording.begin(
        ["window", "\(probes.process.number)"] + probes.work.flatMap { ["--function", $0] },
        into: "window-", on: &model)
      if let other = client.log.busier {
        model.note("the advice is for \(other.printable), which draws more".printable)
      }
    case .save: model.note(model.save(frames, as: .window))
    case .add, .advise, .compare, .step, .quit: break
    }
  }

  /// Begins a run: of another window, at another rate, or of the same from now on.
  private mutating func begin(_ refresh: RefreshRate, _ model: inout LiveModel) {
    frames = WindowFrames(refresh)
    model.begin([RunModel(label: label, refresh: refresh, metrics: metrics)])
  }

  private var label: String {
    let surface = client.log.window.map { " \($0.name)" } ?? ""
    return "\(probes.process.name)\(surface)".printable
  }

  mutating func update(_ model: inout LiveModel) {
    recording.show(on: &model)
    guard ending == nil else { return }
    let now = ContinuousClock.now
    addCost()
    look(at: now, &model)
    takeEvents(at: now, &model)
    let isQuiet = now - heard > Self.short
    tellStop(isQuiet && thread.isStopped, &model)
    let isResting = isStopped || isQuiet && thread.isResting(drawing: drawer)
    if isResting { alive = now }
    if isStopped {
      client.stop(at: clinux_monotonic())
    } else if isResting {
      client.rest(at: clinux_monotonic())
    }
    let isSilent = now - alive > .nanoseconds(FrameThresholds.hang.nanoseconds)
    let report = client.report(isResting: isResting, isSilent: isSilent || ending != nil)
    frames.take(report, at: alive)
    if let ending {
      frames.stop()
      probes.close()
      model.note("\(ending); the view keeps what was seen".printable)
    }
    observe(at: now, &model)
  }

  private var drawer: Int { client.drawer ?? Int(probes.process.number) }

  private mutating func addCost() {
    let used = clinux_thread_cpu()
    cost.add(.nanoseconds(max(0, used - (spent ?? used))))
    spent = used
  }

  private mutating func tellStop(_ isStopped: Bool, _ model: inout LiveModel) {
    guard isStopped != self.isStopped else { return }
    self.isStopped = isStopped
    model.note("\(probes.process.name) \(isStopped ? "is stopped" : "goes on")".printable)
  }

  /// Looks at the process itself, some times a second.
  private mutating func look(at now: ContinuousClock.Instant, _ model: inout LiveModel) {
    if let looked, now - looked < Self.glance { return }
    looked = now
    let process = probes.process
    if let end = process.ending {
      ending = "\(process.name) (process \(process.number)) \(end)"
      return
    }
    client.add(process.threads)
    do {
      try probes.follow()
    } catch {
      model.note("cannot trace its new threads: \(error)")
    }
    if let used = thread.used { cost.take(process: used.process, main: used.main) }
    rate.take(client.events, at: now)
  }

  private mutating func takeEvents(at now: ContinuousClock.Instant, _ model: inout LiveModel) {
    var events: [TracedEvent] = []
    text.add(probes.read()) { events.append($0) }
    let (requests, hadWindow) = (client.requests, client.log.window != nil)
    client.take(events, upTo: ending == nil ? clinux_monotonic() : .max)
    if client.requests != requests { (heard, alive) = (now, now) }
    if text.lost != lost {
      lost = text.lost
      model.note("the kernel has dropped events: some frames are wrong")
    }
    if client.choose() {
      if hadWindow { model.note("now shows \(label)") }
      begin(refresh, &model)
    }
  }

  /// The display's rate, which is measured anew with each vsync.
  private var refresh: RefreshRate {
    guard let seen = client.refresh, abs(seen.hertz / frames.refresh.hertz - 1) > Self.change else {
      return frames.refresh
    }
    return seen
  }

  private mutating func observe(at now: ContinuousClock.Instant, _ model: inout LiveModel) {
    if frames.isFull || refresh != frames.refresh { begin(refresh, &model) }
    model.take(&frames, used: cost.used, isOver: ending != nil, at: now, facts)
  }

  /// What was counted, which other windows there are, and what the view takes.
  private var facts: [String] {
    var facts = client.log.countedWords
    let share = cost.percent.map {
      "this view takes \(Decimal.text($0, places: 1)) % of its CPU time"
    }
    facts += [share, rate.words].compactMap(\.self)
    if lost > 0 { facts.append("\(English.count(lost, "event")) dropped by the kernel") }
    return facts
  }

  mutating func stop() {
    recording.stop()
    probes.close()
  }
}

/// How many events come in a second.
private struct EventRate {
  private var first: (count: Int, at: ContinuousClock.Instant)?
  private(set) var words: String?

  mutating func take(_ count: Int, at now: ContinuousClock.Instant) {
    guard let before = first else { return first = (count, now) }
    let seconds = (now - before.at) / .seconds(1)
    guard seconds >= 1 else { return }
    words = "\(Int(Double(count - before.count) / seconds)) events a second"
    first = (count, now)
  }
}

/// Which threads do the work of an app in other processes: those that it has started. Each is looked at once.
private final class ProcessKin {
  private let process: WindowProcess
  private var known: [Int: Bool] = [:]

  private static let most = 4096

  init(of process: WindowProcess) { self.process = process }

  func has(_ thread: Int) -> Bool {
    if let answer = known[thread] { return answer }
    if known.count >= Self.most { known.removeAll() }
    let answer = thread > 0 && process.hasStarted(thread)
    known[thread] = answer
    return answer
  }
}
