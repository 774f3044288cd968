internal import SchedulableThreads
internal import Dispatch
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetTerminal

/// The session of the view, on its own thread.
struct LiveSession: Sendable {
  let subject: LiveSubject
  let stage: MainThreadRunner
  let console: Console
  let asciiOnly: Bool
  /// Whether the view receives clicks at the start, if the terminal reports them.
  let takesMouse: Bool
  /// The shortest run in a terminal, where the user can end it.
  private static let minDuration = TimeSpan.seconds(600)

  /// Shows the session until the user quits; without a terminal, until the scenario's end.
  func show() {
    do throws(ToolError) {
      try showOrPrint()
      stage.close()
    } catch {
      stage.close(after: error)
    }
  }

  private func showOrPrint() throws(ToolError) {
    // Before the terminal is taken over, so that an error is a line on a normal screen.
    let opened = try open()
    // However the view ends, and after the terminal is restored.
    defer {
      opened.probes?.close()
      if let remains = opened.probes?.remains { console.note(remains) }
    }
    defer { opened.client?.report.forEach(console.note) }
    do throws(TerminalProblem) {
      var terminal = try CursesTerminal(
        asciiOnly: asciiOnly, isColored: console.isColored(.auto))
      watch(opened, on: &terminal)
    } catch {
      console.note("\(error): a line per second instead")
      try print(opened)
    }
  }

  /// A subject that is ready to be shown.
  private enum Opened {
    case content(LiveContent)
    case page(AttachedPage, metrics: [MetricSet])
    case client(WaylandClient, metrics: [MetricSet])
    case window(WindowProbes, metrics: [MetricSet])

    var probes: WindowProbes? { if case .window(let probes, _) = self { probes } else { nil } }
    var client: WaylandClient? { if case .client(let client, _) = self { client } else { nil } }
  }

  private func open() throws(ToolError) -> Opened {
    switch subject {
    case .content(let content): return .content(content)
    case .attached(let place, let page, let metrics):
      return .page(try AttachedPage(place, page: page), metrics: metrics)
    case .running(let process, let work, let metrics):
      let probes = try WindowProbes(on: process, work: work, console: console)
      return .window(probes, metrics: metrics)
    case .started(let command, let metrics):
      let client = try WaylandClient(command, in: ProcessInfo.processInfo.environment)
      return .client(client, metrics: metrics)
    }
  }

  private func watch(_ opened: Opened, on terminal: inout CursesTerminal) {
    var (model, source) = begin(opened, least: Self.minDuration)
    model.pointer = !terminal.hasMouse ? .absent : takesMouse ? .taken : .left
    terminal.watch(&model, fedBy: &source, while: isRunning)
    source.stop()
  }

  /// Starts the runs.
  private func begin(
    _ opened: Opened, least: TimeSpan = .zero
  ) -> (LiveModel, any LiveSource) {
    var model: LiveModel
    var source: any LiveSource
    var first = Command.start([], RefreshRate(60), .virtual)
    switch opened {
    case .page(let page, let metrics):
      model = LiveModel(AttachedSource.session(of: page))
      source = AttachedSource(page, metrics: metrics)
    case .client(let client, let metrics):
      model = LiveModel(WaylandSource.session(of: client))
      source = WaylandSource(client, metrics: metrics)
    case .window(let probes, let metrics):
      model = LiveModel(ProbedSource.session(of: probes))
      source = ProbedSource(probes, metrics: metrics)
    case .content(let content):
      model = LiveModel(content.session)
      switch content {
      case .engines(let plan):
        source = EngineSource(plan, stage: stage, least: least)
        first = .start(plan.chosen, model.refresh, plan.engine)
      case .recorded(let runs, let metrics): source = ReplaySource(runs, metrics: metrics)
      }
    }
    source.perform(first, on: &model)
    return (model, source)
  }

  private func print(_ opened: Opened) throws(ToolError) {
    var (model, source) = begin(opened)
    defer { source.stop() }
    let clock = ContinuousClock()
    var due = clock.now + .seconds(1)
    while isRunning() && !model.isOver {
      usleep(50_000)
      if let failure = stage.failure { throw failure }
      source.update(&model)
      guard clock.now >= due || model.isOver else { continue }
      due += .seconds(1)
      for line in PlainView(model).lines { try console.print(line.printable + "\n") }
    }
    for line in PlainView(model).verdicts { try console.print(line.printable + "\n") }
    if let ending = (source as? AttachedSource)?.ending ?? (source as? ProbedSource)?.ending {
      console.note(ending)
    }
    if !isRunning() { console.note("interrupted; this is the verdict so far") }
  }

  private func isRunning() -> Bool { Interruption.signal == nil }
}

/// Hands runs from the view's thread to the process's main thread, where the frame loop must run.
final class MainThreadRunner: Sendable {
  struct Piece: Sendable {
    let plan: RunPlan
    let watch: RunWatch
  }

  private struct Content {
    var pieces: [Piece?] = []
    var problem: String?
    /// The reason why a run could not be made.
    var failure: ToolError?
    var error: ToolError?
  }

  private let content = Locked(Content())
  private let available = DispatchSemaphore(value: 0)

  // MARK: For the view's thread

  /// Asks for a run, after the one before it has been stopped.
  func ask(for piece: Piece) { append(piece) }

  /// Ends the stage, possibly with the view's error.
  func close(after error: ToolError? = nil) {
    content.withLock { $0.error = error }
    append(nil)
  }

  private func append(_ piece: Piece?) {
    content.withLock { $0.pieces.append(piece) }
    available.signal()
  }

  /// The problem since the last call, if any.
  func takeProblem() -> String? { content.withLock { $0.problem.take() } }

  /// The error of the newest run that could not be made.
  var failure: ToolError? { content.withLock { $0.failure } }

  // MARK: For the main thread

  /// Makes one run after another until the view closes the stage.
  func perform(_ options: RealEngine.Options) throws(ToolError) {
    while let piece = next() {
      do {
        let log = try RealEngine(options, carriers: .ofThisBuild)
          .run(piece.plan, watch: piece.watch)
        if let violation = log.violations.first { fail("the run is invalid: \(violation)") }
      } catch {
        content.withLock { $0.failure = ToolError(error, of: piece.plan.strategy.label) }
        fail("\(error)")
      }
    }
    if let error = content.withLock({ $0.error }) { throw error }
  }

  private func next() -> Piece? {
    available.wait()
    return content.withLock { $0.pieces.removeFirst() }
  }

  private func fail(_ problem: String) { content.withLock { $0.problem = problem } }
}

/// The verdict on a run under way, in the words of all other verdicts.
enum LiveVerdict {
  static func words(_ status: RunStatus) -> StatusWords { words(status, hasPrice: true) }

  /// An app that runs by itself has no price of an arrangement.
  static func words(_ status: RunStatus, hasPrice: Bool) -> StatusWords {
    let outcome = StrategyOutcome(status)
    let isProblem = outcome.ownDrops > 0 || outcome.lateResponses > 0
    var pieces = outcome.smoothness
    if let hang = status.hang {
      let span = hang.span.inMilliseconds
      // Short, so that two panes fit side by side.
      let frames = English.count(outcome.expectedFrames, "frame")
      pieces[0] = "\(outcome.ownDrops) of \(frames) dropped"
      let words = StrategyOutcome.hang(of: span, by: hang.cause, isOver: status.isOver)
      pieces.insert("HANGS: \(words)", at: 0)
    } else {
      // A problem comes first.
      if isProblem && outcome.ownDrops == 0 { pieces.append(pieces.removeFirst()) }
      let state = isProblem ? "not smooth" : status.isOver ? "smooth" : "smooth so far"
      pieces[0] = "\(state): \(pieces[0])"
    }
    if let waiting = status.waiting, waiting > 0 {
      let items = English.count(waiting, "item")
      pieces.append(status.isOver ? "\(items) left undone" : "\(items) waiting")
    }
    if status.incomplete > 0 {
      pieces.append("\(English.count(status.incomplete, "frame")) incomplete")
    }
    if hasPrice, let price = price(status) { pieces.append(price) }
    return StatusWords(pieces: pieces, isProblem: isProblem)
  }

  /// The price so far, in the words of `run`; only lock waits for a recorded run, whose frames do not contain the rest.
  private static func price(_ status: RunStatus) -> String? {
    let lockWait = status.lockWait.inMilliseconds
    guard let copying = status.copying else {
      return lockWait > 0 ? "the UI waited \(Figure.span(milliseconds: lockWait)) for locks" : nil
    }
    let price = StrategyPrice(
      lockWait: lockWait, copying: copying.inMilliseconds, handOff: status.handOff.inMilliseconds,
      waits: status.arrangement.map { StrategyPrice.Waits($0) } ?? .locks)
    return price.total > 0 ? "price: \(price.words)" : nil
  }
}

extension StrategyOutcome {
  fileprivate init(_ status: RunStatus) {
    self.init(
      watched: status.label, engine: status.engine, expectedFrames: status.expected,
      drops: status.drops, longestGap: status.longestGap,
      longestGapMilliseconds: status.longestGapMilliseconds, hangs: status.hangs,
      work: status.awaited.map {
        [
          WorkOutcome(
            name: $0, arrived: status.responses, left: 0, late: status.responsesLate,
            slowest: status.slowest)
        ]
      } ?? [])
  }
}
