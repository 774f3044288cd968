internal import FrameBudget

/// The whole view: what a model looks like on a screen of a given size.
public struct LiveView {
  let model: LiveModel

  public init(_ model: LiveModel) { self.model = model }

  static let smallest = (columns: 40, rows: 12)

  public func screen(columns: Int, rows: Int) -> Screen {
    var screen = Screen(columns: columns, rows: rows)
    guard columns >= Self.smallest.columns, rows >= Self.smallest.rows else {
      showRequiredSize(on: &screen)
      return screen
    }
    var area = screen.area
    TitleBar(model: model).draw(on: &screen, in: area.takeTop(1))
    if !model.session.strategies.isEmpty {
      StrategyBar(names: model.session.strategies, chosen: model.chosen)
        .draw(on: &screen, in: area.takeTop(1))
    }
    let keys = area.takeBottom(1)
    let pages = drawBody(on: &screen, in: area)
    KeyLine(model: model, pages: pages).draw(on: &screen, in: keys)
    return screen
  }

  private func showRequiredSize(on screen: inout Screen) {
    let wanted = "\(Self.smallest.columns) x \(Self.smallest.rows)"
    let lines = ["too small:", "\(screen.columns) x \(screen.rows)", "needs", wanted, "q quit"]
    for (row, line) in lines.prefix(screen.rows).enumerated() {
      screen.write(line, 0, row, width: screen.columns)
    }
  }

  /// Draws the area between the bars; returns the number of pages of numbers.
  private func drawBody(on screen: inout Screen, in area: Area) -> Int {
    switch model.overlay {
    case .help: return HelpPanel(page: model.helpPage).draw(on: &screen, in: area)
    case .strategies(let cursor, let ticked):
      StrategyPanel(names: model.session.strategies, cursor: cursor, ticked: ticked)
        .draw(on: &screen, in: area)
    case nil:
      if !model.isSideBySide { return drawSingle(model.panes[0], on: &screen, in: area) }
      SideBySide(model: model).draw(on: &screen, in: area)
    }
    return 1
  }

  // MARK: One strategy

  private func drawSingle(_ pane: Pane, on screen: inout Screen, in area: Area) -> Int {
    var area = area
    let height = panelHeight(in: area)
    let panel = area.takeBottom(model.advice == nil ? height : max(height, area.height / 2))
    drawChart(pane, on: &screen, in: area)
    if let advice = model.advice {
      return AdvicePanel(lines: advice, page: model.page).draw(on: &screen, in: panel)
    }
    return NumberPanel(
      figures: pane.run.figures, runs: model.sessionRuns, page: model.page,
      source: model.session.attached?.rawValue ?? "file"
    ).draw(on: &screen, in: panel)
  }

  /// The numbers get as many rows as they need, as long as the chart stays the larger part.
  private func panelHeight(in area: Area) -> Int {
    let across = max(1, area.width / NumberGroups.width)
    let groups = (6 + across - 1) / across * NumberGroups.height
    if area.height >= groups + 15 {
      // Higher bars are not easier to read, so the table of runs gets the rest.
      return max(groups + 4, area.height - 24)
    }
    return area.height >= groups + 10 ? groups : NumberGroups.height
  }

  private func drawChart(_ pane: Pane, on screen: inout Screen, in area: Area) {
    var area = area
    let deadlock = DeadlockLine(deadlocks: pane.run.deadlocks)
    deadlock.draw(on: &screen, in: area.takeTop(deadlock.height))
    let gutter = area.width >= 60 ? 11 : 0
    let chart = FrameChart(
      pane, width: area.width, gutter: gutter, scrollPosition: model.scrollPosition)
    drawWords(pane, chart, on: &screen, in: &area)
    let hasLanes = area.height >= 8
    let hasTaps = area.height >= 10 && pane.run.awaitsResponses
    let lanes = LaneStrips(pane, chart.columns, gutter: gutter)
    LegendLine(
      Array(chart.columns), colors: .causes, hasTaps: hasTaps, hasLanes: hasLanes,
      hasWaits: hasLanes && lanes.showsWaits
    ).draw(on: &screen, in: area.takeBottom(area.height >= 4 ? 1 : 0))
    if hasLanes {
      AxisLine(seconds: chart.columns.map(\.second), inspected: chart.inspected)
        .draw(on: &screen, in: area.takeBottom(1))
      let height = LaneStrips.height(
        of: pane.run, in: area.height, share: max(1, area.height / 3))
      lanes.draw(on: &screen, in: area.takeBottom(height))
    }
    if hasTaps {
      chart.taps(of: pane, gutter: gutter).draw(on: &screen, in: area.takeBottom(1))
    }
    chart.draw(on: &screen, in: area)
  }

  /// The verdict on the run, or the inspected vsync.
  private func drawWords(
    _ pane: Pane, _ chart: FrameChart, on screen: inout Screen, in area: inout Area
  ) {
    if let inspected = chart.inspected {
      InspectionLine(column: chart.columns[inspected], pane: pane)
        .draw(on: &screen, in: area.takeTop(area.height > 3 ? 1 : 0))
    } else {
      let verdict = VerdictLine(words: pane.words)
      verdict.draw(on: &screen, in: area.takeTop(area.height > 6 ? verdict.height : 0))
    }
  }
}

/// The view without a terminal: a line per strategy and second.
public struct PlainView {
  let model: LiveModel

  public init(_ model: LiveModel) { self.model = model }

  public var lines: [String] { model.panes.compactMap { Self.line(for: $0.run) } }

  /// The verdict of each run, after its label.
  public var verdicts: [String] {
    model.panes.compactMap { pane in
      pane.words.map { "\(pane.run.label): \(($0.pieces + $0.details).joined(separator: "; "))" }
    }
  }

  private static func line(for run: RunModel) -> String? {
    guard let now = run.now else { return nil }
    let figures = Figures(run, at: now)
    var parts = [
      "\(Number.fixed(now.sinceZero.inSeconds, places: 1)) s", run.label,
      "dropped \(figures.frames.dropped) (\(figures.frames.droppedLastSecond) in the last second)",
      "hitch \(Number.text(figures.frames.hitchRatio)) ms/s \(figures.band?.rawValue ?? "")",
      "p99 \(Number.text(figures.frameTime(.p99))) ms",
    ]
    if let done = figures.done, let pending = figures.pending {
      parts.append("items \(done) done, \(pending) pending")
    }
    parts += run.waits.filter { $0.now > 0 }.map { "\($0.now) suspended in \($0.name)" }
    parts += run.deadlocks.map(\.line)
    return parts.joined(separator: "  ")
  }
}
