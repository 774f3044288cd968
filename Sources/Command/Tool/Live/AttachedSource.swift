internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetTerminal

/// Feeds the view from a page of a browser that runs already.
struct AttachedSource: LiveSource {
  private let page: AttachedPage
  private let metrics: [MetricSet]
  /// Until the page's own rate is known, it is assumed to be this one.
  private var frames = WindowFrames(RefreshRate(60))
  private var cost = PageCost()
  private var isHidden = false
  /// The address of the document that is shown; nil before it has reported.
  private var address: String?
  private var recording = AttachedRecording()
  /// Why nothing more comes; nil while the page reports.
  private(set) var ending: String?

  /// `metrics` are the platforms whose numbers are shown.
  init(_ page: AttachedPage, metrics: [MetricSet] = []) {
    (self.page, self.metrics) = (page, metrics)
    page.beginReports()
  }

  /// What the view shows as its subject.
  static func session(of page: AttachedPage) -> LiveModel.Session {
    LiveModel.Session(
      scenario: page.port.browser.printable, strategies: [], engines: [],
      refresh: RefreshRate(60), batch: 1, attached: .page)
  }

  mutating func perform(_ command: Command, on model: inout LiveModel) {
    switch command {
    case .start: begin(frames.refresh, &model)
    case .record:
      let place = AttachPlace(port: page.port.number).text
      recording.begin(["chrome", page.page.id, "--attach", place], into: "page-", on: &model)
    case .save: model.note(model.save(frames, as: .page))
    case .add, .advise, .compare, .step, .quit: break
    }
  }

  /// Begins a run: of another document, or of the same from now on.
  private mutating func begin(_ refresh: RefreshRate, _ model: inout LiveModel) {
    frames = WindowFrames(refresh)
    let label = Self.label(of: address ?? page.page.address)
    model.begin([RunModel(label: label, refresh: refresh, metrics: metrics)])
  }

  /// The end of an address, without its scheme.
  static func label(of address: String) -> String {
    let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
    return (rest.count > 40 ? "…" + rest.suffix(39) : String(rest)).printable
  }

  mutating func update(_ model: inout LiveModel) {
    recording.show(on: &model)
    guard ending == nil else { return }
    do throws(ToolError) {
      for news in try page.news() { take(news, &model) }
    } catch {
      frames.release()
      ending = "\(error.message); the view keeps what was seen"
      model.note(ending?.printable ?? "")
    }
    if ending == nil, let rate = frames.betterRate ?? (frames.isFull ? frames.refresh : nil) {
      begin(rate, &model)
    }
    model.take(
      &frames, used: cost.used, isOver: ending != nil, at: .now, [cost.words].compactMap(\.self))
  }

  private mutating func take(_ news: AttachedPage.News, _ model: inout LiveModel) {
    switch news {
    case .report(let report):
      frames.take(report, at: .now)
      cost.add(report.cost)
      if report.isHidden != isHidden { model.mark(report.isHidden ? "hidden" : "visible") }
      isHidden = report.isHidden
    case .used(let process, let main): cost.take(process: process, main: main)
    case .left: frames.stop()
    case .opened(let opened):
      if address != nil { model.note("the page opened \(String(opened.prefix(200)).printable)") }
      address = opened
      cost = PageCost()
      begin(frames.refresh, &model)
    }
  }

  mutating func stop() {
    recording.stop()
    page.endReports()
  }
}

extension LiveVerdict {
  /// The verdict, the last late frame, and other facts about an app that runs by itself.
  static func words(
    _ status: RunStatus, late: WindowFrames.LateFrame?, _ facts: [String]
  ) -> StatusWords {
    let verdict = words(status, hasPrice: false)
    let frame = late.map { late in
      let work = late.work.map {
        "\($0.name.printable) \(Figure.span(milliseconds: $0.span.inMilliseconds))"
      }
      let span = Figure.span(milliseconds: late.span.inMilliseconds)
      return "last late frame \(span): \(work ?? late.spent?.words ?? late.cause.traits.words)"
    }
    return StatusWords(
      pieces: verdict.pieces, isProblem: verdict.isProblem,
      details: [frame].compactMap(\.self) + facts)
  }
}

extension WindowReport.Spent {
  /// Where most of the time has gone; nil without any.
  var words: String? {
    func quoted(_ name: String?) -> String? { name.map { "'\($0.printable)'" } }
    let parts: [(span: Double, words: String)] = [
      (own, "own code"),
      (waiting, "waiting for \(quoted(waker.name) ?? "a timer or a device")"),
      (taken, "taken by \(quoted(taker.name) ?? "others")"),
      (shared, "taken by its own \(quoted(sharer.name) ?? "threads")"),
      (starting, "waking up"),
    ]
    let most = parts.filter { $0.span >= max(0.1, all / 20) }.sorted { $0.span > $1.span }
    guard !most.isEmpty else { return nil }
    let words = most.prefix(3).map { "\(Figure.span(milliseconds: $0.span)) \($0.words)" }
    return (words + [called].compactMap(\.self)).joined(separator: ", ")
  }

  /// The function that took most of it.
  private var called: String? {
    guard let name = work.name, work.span >= max(0.1, all / 20) else { return nil }
    return "\(Figure.span(milliseconds: work.span)) of it in \(name.printable)"
  }
}

extension LiveModel {
  /// Takes what has happened to frames of another app, and shows its verdict with `facts`; `used` is the app's processor time.
  mutating func take(
    _ frames: inout WindowFrames, used: (process: TimeSpan, main: TimeSpan)?, isOver: Bool,
    at instant: ContinuousClock.Instant, _ facts: [String]
  ) {
    var observation = frames.observation(at: instant)
    observation.mainCPU = used?.main
    observation.backgroundCPU = used.map { max(.zero, $0.process - $0.main) }
    observation.isOver = isOver
    take(observation)
    let late = frames.lastLate
    updateVerdicts { LiveVerdict.words($0, late: late, facts) }
  }

  /// Writes the frames so far, which are those of a page or a window; returns a message with the result.
  func save(_ frames: WindowFrames, as kind: Session.Attached) -> String {
    let scenario = Scenario(
      name: kind.rawValue, display: Display(refresh: frames.refresh), duration: .seconds(1))
    let plan = RunPlan(
      scenario, under: Strategy(name: "attached", arrangement: .onMain(scenario)))
    return save([plan], on: .real, cores: HostFacts.usableCores)
  }
}
