internal import FrameBudget

/// Two to four strategies on one time axis, which is drawn between them: each instant has the same column for all
/// strategies.
///
/// Only vsyncs without a new frame are red.
struct SideBySide {
  let model: LiveModel

  func draw(on screen: inout Screen, in area: Area) {
    var area = area
    drawTable(on: &screen, in: &area)
    let count = model.panes.count
    let gutter = area.width >= 60 ? 11 : 0
    let axis = SharedAxis(model, columns: area.width - gutter)
    let columns = model.panes.map { axis.columns(of: $0) }
    let hasLegend = area.height > 2 * count + 1
    let legend = area.takeBottom(hasLegend ? 1 : 0)
    let share = Share(height: (area.height - 1) / count, model: model)
    let hasWaits = zip(model.panes, columns).contains {
      LaneStrips($0, $1[...], gutter: gutter).showsWaits
    }
    LegendLine(
      columns.flatMap(\.self), colors: .drops, hasTaps: share.taps > 0, hasLanes: share.lanes > 0,
      hasWaits: hasWaits && share.lanes > 1
    ).draw(on: &screen, in: legend)
    for index in model.panes.indices {
      let part = area.takeTop(share.height)
      draw(index, columns[index], on: axis, gutter, share, on: &screen, in: part)
      guard index == (count - 1) / 2 else { continue }
      let row = area.takeTop(1)
      AxisLine(seconds: axis.seconds, inspected: axis.inspected).draw(on: &screen, in: row)
      screen.writeTrailing(
        axis.scale.map { $0 + " " } ?? "", row.column, row.row, width: gutter, .quiet)
    }
  }

  /// Divides the rows of a strategy, the most compact information first.
  private struct Share {
    let height: Int
    let taps: Int
    let words: Int
    let deadlock: Int
    let lanes: Int

    init(height: Int, model: LiveModel) {
      self.height = height
      let runs = model.panes.map(\.run)
      taps = height >= 3 && runs.contains(where: \.awaitsResponses) ? 1 : 0
      words = height >= 6 ? 1 : 0
      deadlock = height >= 4 && runs.contains { !$0.deadlocks.isEmpty } ? 1 : 0
      let rows = runs.map { LaneStrips.height(of: $0, in: height - 4, share: height / 4) }
      lanes = height >= 12 ? rows.max() ?? 0 : 0
    }
  }

  private func draw(
    _ index: Int, _ columns: [VsyncColumn], on axis: SharedAxis, _ gutter: Int, _ share: Share,
    on screen: inout Screen, in area: Area
  ) {
    let pane = model.panes[index]
    var area = area
    screen.place(.pane(index), in: area)
    let inspection = axis.inspected.map { InspectionLine(column: columns[$0], pane: pane) }
    PaneHeader(
      run: pane.run, isSelected: index == model.selected,
      text: share.words == 0 ? inspection?.pieces : nil
    ).draw(on: &screen, in: area.takeTop(1))
    DeadlockLine(deadlocks: pane.run.deadlocks, role: .plain)
      .draw(on: &screen, in: area.takeTop(share.deadlock))
    let words = area.takeTop(share.words)
    if let inspection {
      inspection.draw(on: &screen, in: words)
    } else {
      VerdictLine(words: pane.words, badRole: .plain).draw(on: &screen, in: words)
    }
    LaneStrips(pane, columns[...], gutter: gutter)
      .draw(on: &screen, in: area.takeBottom(share.lanes))
    TapRow(taps: pane.run.taps, count: axis.count, gutter: gutter, place: axis.place)
      .draw(on: &screen, in: area.takeBottom(share.taps))
    FrameChart(pane, columns, inspected: axis.inspected, backs: axis.backs, gutter: gutter)
      .draw(on: &screen, in: area)
  }

  /// The runs of the session, if the charts leave room.
  private func drawTable(on screen: inout Screen, in area: inout Area) {
    let rows = min(12, model.sessionRuns.count + 2)
    guard area.height >= model.panes.count * 12 + rows else { return }
    SessionTable(runs: model.sessionRuns, badRole: .plain)
      .draw(on: &screen, in: area.takeBottom(rows - 1))
    _ = area.takeBottom(1)
  }
}

/// The header of one of several strategies side by side: its most important numbers, or `text`.
///
/// Does not use the colours of good and bad: red is reserved for the frames below.
struct PaneHeader {
  let run: RunModel
  /// Whether keys replace this strategy.
  var isSelected = false
  var text: [StyledRow.Piece]?

  func draw(on screen: inout Screen, in area: Area) {
    let name = StyledRow.Piece(
      "\(isSelected ? "▶" : " ") \(run.label)", Style(isSelected ? .mark : .plain, bold: true))
    StyledRow(pieces: [name] + (text ?? numbers)).draw(on: &screen, in: area)
  }

  private var numbers: [StyledRow.Piece] {
    let figures = run.figures
    var texts = ["dropped \(figures.frames.dropped)"]
    if let responses = figures.responses {
      texts.append("late \(figures.responsesLate) of \(responses.endedCount + responses.openCount)")
    }
    texts += [
      "hitch \(Number.text(figures.frames.hitchRatio)) \(figures.band?.rawValue ?? "")",
      "p99 \(Number.text(figures.frameTime(.p99))) ms",
    ]
    if let done = figures.done, let pending = figures.pending {
      texts += ["done \(done)", "pending \(pending)"]
    }
    if figures.responses != nil {
      texts.append("response p99 \(Number.text(figures.response(.p99))) ms")
    }
    return texts.enumerated().map { .init($1, Style(bold: $0 == 0)) }
  }
}

/// The time axis of strategies side by side: each instant has the same column for all of them.
///
/// Its unit is the vsync of the first strategy's display. A column has one or more vsyncs and shows the worst, so that every
/// dropped frame is visible.
struct SharedAxis {
  /// The number of columns that fit.
  let count: Int
  private let ruler: RefreshRate
  private let zoom: Int
  /// The newest vsync, and the last column shown.
  private let newest: Int
  private let last: Int
  /// The column that is inspected, from the left.
  let inspected: Int?

  init(_ model: LiveModel, columns: Int) {
    let run = model.panes[0].run
    let (zoom, newest) = (model.zoom, run.expected)
    let position = model.scrollPosition?.showing(columns * zoom)
    let count = min(columns, newest / zoom + 1)
    let last = max(count - 1, (newest - (position?.back ?? 0)) / zoom)
    let column = position?.inspected.map { max(0, newest - $0) / zoom - last + count - 1 }
    inspected = column.flatMap { (0..<count).contains($0) ? $0 : nil }
    (ruler, self.zoom, self.newest) = (run.refresh, zoom, newest)
    (self.count, self.last) = (count, last)
  }

  /// The number of the axis' first column, from time 0.
  private var first: Int { last - count + 1 }

  /// The columns of `pane` at their instants.
  func columns(of pane: Pane) -> [VsyncColumn] {
    (first...last).map { worst(of: pane, in: vsyncs(of: $0, pane.run.refresh)) }
  }

  private func worst(of pane: Pane, in vsyncs: ClosedRange<Int>) -> VsyncColumn {
    let all = vsyncs.map { pane.run.column(at: $0, run: pane.timeline.run) }
    return all.max { $0.shape.badness < $1.shape.badness }
      ?? VsyncColumn(blankAt: vsyncs.lowerBound, run: pane.timeline.run, pane.run.refresh)
  }

  /// Vsyncs in a column for a display with `refresh`: at least the one that is still visible there.
  private func vsyncs(of column: Int, _ refresh: RefreshRate) -> ClosedRange<Int> {
    let vsyncs = column * zoom...column * zoom + zoom - 1
    guard refresh != ruler else { return vsyncs }
    let next = refresh.firstVsync(atOrAfter: ruler.vsync(vsyncs.upperBound + 1))
    let first = refresh.firstVsync(atOrAfter: ruler.vsync(vsyncs.lowerBound))
    return max(0, min(first, next - 1))...max(0, next - 1)
  }

  /// The column of `instant` from the left; it may be outside of those shown.
  func place(of instant: Instant) -> Int { ruler.vsyncs(through: instant) / zoom - first }

  /// The whole second that begins in each column.
  var seconds: [Int?] {
    (first...last).map { column in
      (column * zoom..<(column + 1) * zoom).lazy.compactMap { VsyncColumn.second($0, ruler) }.first
    }
  }

  /// The number of vsyncs from each column to the newest one.
  var backs: [Int] { (first...last).map { max(0, newest - $0 * zoom) } }

  /// The scale of a column, if it is not one vsync.
  var scale: String? { zoom > 1 ? "\(zoom) vsyncs" : nil }
}

extension VsyncColumn.Shape {
  /// A vsync that represents others must be the worst of them.
  fileprivate var badness: Double {
    switch self {
    case .dropped: .infinity
    case .frame(let budgets, _): budgets
    case .blank: -1
    }
  }
}

/// The seconds of the run, under the columns in which they begin.
struct AxisLine {
  /// By column; nil if no second begins there.
  let seconds: [Int?]
  /// The column that is inspected, from the left.
  var inspected: Int?

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let left = area.column + area.width - seconds.count
    let end = area.column + area.width
    var free = left
    for (offset, second) in seconds.enumerated() {
      guard let second else { continue }
      let x = left + offset
      screen.put("│", x, area.row, .quiet)
      let text = "\(second) s"
      guard x >= free, x + 1 + text.count <= end else { continue }
      screen.write(text, x + 1, area.row, width: text.count, .quiet)
      free = x + text.count + 3
    }
    if let inspected { screen.put("▲", left + inspected, area.row, Style(.mark, bold: true)) }
  }
}

/// Responses at the vsyncs of their inputs: on time, or late with a line to the response.
struct TapRow {
  let taps: [ObservedResponse]
  /// The number of columns.
  let count: Int
  let gutter: Int
  /// The column of an instant from the left; it may be outside of those shown.
  let place: (Instant) -> Int

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    screen.writeTrailing("taps ", area.column, area.row, width: gutter, .quiet)
    let shown = taps.map { (from: place($0.at), to: end(of: $0), isLate: $0.isLate) }
      .filter { $0.to >= 0 && $0.from < count }
    let left = area.column + area.width - count
    for tap in shown where tap.isLate {
      for column in max(0, tap.from)..<max(0, tap.from, min(tap.to + 1, count)) {
        screen.put("─", left + column, area.row, .quiet)
      }
    }
    for tap in shown where tap.from >= 0 {
      screen.put(
        tap.isLate ? Self.late : Self.inTime, left + tap.from, area.row, Style(.plain, bold: true))
    }
  }

  static let inTime: Unicode.Scalar = "o"
  static let late: Unicode.Scalar = "x"

  private func end(of tap: ObservedResponse) -> Int { tap.answer.map(place) ?? count - 1 }
}
