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
  private var advice: AttachedAdvice?
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
    case .record: record(&model)
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
    takeAdvice(&model)
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
    var observation = frames.observation(at: .now)
    observation.mainCPU = cost.used?.main
    observation.backgroundCPU = cost.used.map { max(.zero, $0.process - $0.main) }
    observation.isOver = ending != nil
    model.take(observation)
    let (late, cost) = (frames.lastLate, cost.words)
    model.updateVerdicts { LiveVerdict.words($0, late: late, [cost].compactMap(\.self)) }
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
      begin(frames.refresh, &model)
    }
  }

  mutating func stop() {
    advice?.stop()
    advice = nil
    page.endReports()
  }

  // MARK: Advice

  private mutating func record(_ model: inout LiveModel) {
    if let advice { return model.note(advice.progress) }
    do throws(ToolError) {
      advice = try AttachedAdvice(on: page.port.number, page: page.page.id)
      model.mark("record")
      model.note(advice?.progress ?? "")
    } catch {
      model.note(error.message.printable)
    }
  }

  private mutating func takeAdvice(_ model: inout LiveModel) {
    guard let lines = advice?.lines() else { return }
    advice?.stop()
    advice = nil
    model.show(lines.map(\.printable))
  }
}

extension LiveVerdict {
  /// The verdict, the last late frame, and other facts about an app that runs by itself.
  static func words(
    _ status: RunStatus, late: WindowFrames.LateFrame?, _ facts: [String]
  ) -> StatusWords {
    let verdict = words(status)
    let frame = late.map { late in
      let work = late.work.map {
        "\($0.name.printable) \(Figure.span(milliseconds: $0.span.inMilliseconds))"
      }
      let span = Figure.span(milliseconds: late.span.inMilliseconds)
      return "last late frame \(span): \(work ?? late.cause.traits.words)"
    }
    return StatusWords(
      pieces: verdict.pieces, isProblem: verdict.isProblem,
      details: [frame].compactMap(\.self) + facts)
  }
}

extension LiveModel {
  /// Writes the frames so far, which are those of a page or a window; returns a message with the result.
  func save(_ frames: WindowFrames, as kind: Session.Attached) -> String {
    let scenario = Scenario(
      name: kind.rawValue, display: Display(refresh: frames.refresh), duration: .seconds(1))
    let plan = RunPlan(
      scenario, under: Strategy(name: "attached", arrangement: .onMain(scenario)))
    return save([plan], on: .real, cores: HostFacts.usableCores)
  }
}
