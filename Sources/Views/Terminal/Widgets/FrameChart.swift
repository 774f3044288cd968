internal import FrameBudget

/// The frames of a pane, one column per vsync: bars against the budget line, and the outcome of each below.
///
/// Rows from the top: the user's actions, the bars, and a strip that shows whether each vsync had a new frame. With little room
/// only the strip remains.
struct FrameChart {
  /// The meaning of the colour of a vsync without a new frame: its cause, or only that it was dropped.
  enum Colors { case causes, drops }

  let columns: ArraySlice<VsyncColumn>
  /// The number of vsyncs from each column to the newest one.
  let backs: [Int]
  /// The column that is inspected, from the left.
  let inspected: Int?
  private let colors: Colors
  let marks: [Timeline.Mark]
  let refresh: RefreshRate
  /// Room for labels on the left.
  let gutter: Int
  /// Whether the frame under way waits in a deadlock.
  private let isDeadlocked: Bool
  /// The number of the current run; columns of ended runs keep the state of their last frame.
  private let currentRun: Int
  /// The time of the figures, and the newest column by then: a hang under way is labelled as of the figures.
  private let figuresAt: Instant
  private let figuresVsync: Int

  /// The columns of `pane` that fit beside the labels, up to the newest or to the scroll position.
  init(_ pane: Pane, width: Int, gutter: Int, scrollPosition: ScrollPosition? = nil) {
    let underWay = pane.timeline.underWay(in: pane.run)
    let room = max(0, width - gutter)
    let position = scrollPosition?.showing(room)
    let back = position?.back ?? 0
    let newest = (pane.timeline.columns.suffix(room + back) + underWay).suffix(room + back)
    let shown = Array(newest.dropLast(back))
    let inspected = position?.inspected.map { shown.count - 1 + back - $0 }
    self.init(
      pane, shown, colors: .causes,
      inspected: inspected.flatMap { shown.indices.contains($0) ? $0 : nil },
      backs: shown.indices.map { shown.count - 1 - $0 + back }, gutter: min(gutter, width))
  }

  /// Columns of `pane`, aligned with other panes by instant.
  init(
    _ pane: Pane, _ columns: [VsyncColumn], colors: Colors = .drops, inspected: Int?, backs: [Int],
    gutter: Int
  ) {
    self.columns = columns[...]
    (self.colors, self.inspected, self.backs) = (colors, inspected, backs)
    marks = pane.timeline.marks
    refresh = pane.run.refresh
    isDeadlocked = pane.run.deadlocks.contains {
      pane.run.mainThread.map($0.threads.contains) ?? false
    }
    currentRun = pane.timeline.run
    let read = pane.run.figures.at
    figuresAt = read
    figuresVsync = pane.run.refresh.vsyncs(through: read) + 1 - pane.run.deadline
    self.gutter = gutter
  }

  /// The responses of the current run, under their columns.
  func taps(of pane: Pane, gutter: Int) -> TapRow {
    let newest = columns.lastIndex { $0.run == currentRun }
    // The column of vsync 0, which may be outside of those shown.
    let zero = newest.map { $0 - columns.startIndex - columns[$0].vsync }
    let refresh = refresh
    return TapRow(
      taps: zero == nil ? [] : pane.run.taps, count: columns.count, gutter: gutter
    ) { instant in
      (zero ?? 0) + refresh.vsyncs(through: instant)
    }
  }

  func draw(on screen: inout Screen, in area: Area) {
    var bars = area
    let strip = bars.takeBottom(1)
    guard strip.height > 0 else { return }
    let top = bars.takeTop(bars.height > 3 ? 1 : 0)
    drawBudgetLine(on: &screen, in: bars)
    for (offset, column) in columns.enumerated() {
      let x = place(offset, in: area)
      draw(column, at: x, on: &screen, in: bars)
      drawStrip(column, at: x, on: &screen, row: strip.row)
      if offset == inspected { drawCursor(at: x, on: &screen, bars, strip) }
      let cells = Area(column: x, row: area.row, width: 1, height: area.height)
      screen.place(.vsync(back: backs[offset]), in: cells)
    }
    labelHangs(on: &screen, in: bars)
    MarkRow(columns: columns, marks: marks, gutter: gutter).draw(on: &screen, in: top)
    screen.writeTrailing("shown ", area.column, strip.row, width: gutter, .quiet)
  }

  /// The newest column is at the right edge.
  private func place(_ offset: Int, in area: Area) -> Int {
    area.column + area.width - columns.count + offset
  }

  /// Draws a line through the empty cells; the strip keeps its colour.
  private func drawCursor(at x: Int, on screen: inout Screen, _ bars: Area, _ strip: Area) {
    for row in bars.row..<(bars.row + bars.height)
    where [" ", "╌"].contains(screen[x, row].character) {
      screen.put("│", x, row, Style(.mark, bold: true))
    }
    screen.put("▲", x, strip.row, screen[x, strip.row].style)
  }

  // MARK: Bars

  /// The number of rows for a period; the budget line is right above them.
  private func budgetRows(_ bars: Area) -> Int { max(1, bars.height * 2 / 3) }

  private func drawBudgetLine(on screen: inout Screen, in bars: Area) {
    let row = bars.row + bars.height - 1 - budgetRows(bars)
    guard row >= bars.row else { return }
    let label = "\(Number.fixed(refresh.milliseconds(ofPeriods: 1), places: 1)) ms "
    screen.writeTrailing(label, bars.column, row, width: gutter, .quiet)
    for x in (bars.column + gutter)..<(bars.column + bars.width) { screen.put("╌", x, row, .quiet) }
  }

  private func draw(_ column: VsyncColumn, at x: Int, on screen: inout Screen, in bars: Area) {
    switch column.shape {
    case .frame(let budgets, let late):
      let eighths = budgets * Double(budgetRows(bars) * 8)
      let height = max(1, Int(min(eighths, Double(bars.height * 8))))
      let role = late > 0 ? role(of: column.cause) : .good
      drawBar(height, at: x, on: &screen, in: bars, Style(colors == .drops ? .quiet : role))
    case .dropped:
      let style = Style(role(of: column.cause))
      for row in bars.row..<(bars.row + bars.height) { screen.put("▒", x, row, style) }
    case .blank: break
    }
  }

  private func role(of cause: Cause?) -> ColorRole {
    colors == .drops ? .poor : cause.map(ColorRole.cause) ?? .poor
  }

  private func drawBar(
    _ eighths: Int, at x: Int, on screen: inout Screen, in bars: Area, _ style: Style
  ) {
    for offset in 0..<min(bars.height, (eighths + 7) / 8) {
      let part = min(8, eighths - offset * 8)
      screen.put(Glyphs.eighths[part], x, bars.row + bars.height - 1 - offset, style)
    }
  }

  private func drawStrip(_ column: VsyncColumn, at x: Int, on screen: inout Screen, row: Int) {
    let role = role(of: column.cause)
    switch column.shape {
    case .frame(_, let late):
      screen.put("·", x, row, late > 0 && colors == .causes ? Style(role) : .quiet)
    case .dropped:
      screen.put(
        column.cause?.traits.letter ?? "?", x, row, Style(role, bold: true, reversed: true))
    case .blank: break
    }
  }

  // MARK: Hangs

  /// Labels each wide gap with the length of the frame and the number of vsyncs that it dropped.
  private func labelHangs(on screen: inout Screen, in bars: Area) {
    let row = bars.row + bars.height / 2
    // Figures that are older than a frame do not know its gap.
    for gap in gaps where bars.height > 0 && gap.late > 0 {
      guard let text = gap.labels.first(where: { $0.count + 2 <= gap.count }) else { continue }
      let x = place(gap.first, in: bars) + (gap.count - text.count) / 2
      let style = Style(role(of: gap.cause), bold: true, reversed: true)
      screen.write(text, x, row, width: text.count, style)
    }
  }

  private struct Gap {
    let first: Int
    var count: Int
    /// The vsync after which nothing new was shown.
    let start: Int
    let run: Int
    let span: TimeSpan
    let cause: Cause?
    let isUnderWay: Bool
    var isDeadlocked = false
    var late = 0

    var labels: [String] {
      let length = "\(Number.text(span.inMilliseconds)) ms"
      let why = isDeadlocked ? "deadlock" : cause?.name ?? "unknown"
      let text = " \(length), \(late) dropped: \(why)"
      let texts = (isUnderWay ? ["\(text), still running "] : []) + ["\(text) "]
      return texts + [" \(late) dropped ", " \(late) "]
    }
  }

  /// Runs of consecutive vsyncs that the same frame dropped.
  private var gaps: [Gap] {
    var gaps: [Gap] = []
    for (offset, column) in columns.enumerated() {
      guard case .dropped(let start, var span) = column.shape else { continue }
      var end = column.vsync
      if column.isUnderWay && column.run == currentRun {
        end = min(end, figuresVsync)
        span = min(span, figuresAt - refresh.vsync(column.frame ?? start))
      }
      if let last = gaps.last, last.start == start, last.run == column.run {
        gaps[gaps.count - 1].count += 1
      } else {
        gaps.append(
          Gap(
            first: offset, count: 1, start: start, run: column.run, span: span, cause: column.cause,
            isUnderWay: column.isUnderWay, isDeadlocked: column.isUnderWay && isDeadlocked))
      }
      gaps[gaps.count - 1].late = end - start
    }
    return gaps
  }
}

/// Actions of the user, above their vsyncs.
struct MarkRow {
  let columns: ArraySlice<VsyncColumn>
  let marks: [Timeline.Mark]
  let gutter: Int

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let left = area.column + gutter
    let right = area.column + area.width
    let style = Style(.mark, bold: true)
    // A newer mark replaces the one before.
    var limit = right
    for mark in marks.reversed() {
      guard let x = place(of: mark, right: right), x >= left, x < limit else { continue }
      screen.put("▼", x, area.row, style)
      let text = mark.text.unicodeScalars.count
      if x + 1 + text <= limit {
        screen.write(mark.text, x + 1, area.row, width: text, style)
        limit = x - 1
      } else if limit == right && x - text >= left {
        screen.write(mark.text, x - text, area.row, width: text, style)
        limit = x - text - 1
      } else {
        screen.write(mark.text, x + 1, area.row, width: limit - x - 1, style)
        limit = x - 1
      }
    }
  }

  private func place(of mark: Timeline.Mark, right: Int) -> Int? {
    guard let first = columns.first, let last = columns.last else { return nil }
    if mark.run == last.run && mark.vsync > last.vsync { return right - 1 }
    if mark.run < first.run || mark.run > last.run { return nil }
    let place = columns.firstIndex { $0.run == mark.run && $0.vsync >= mark.vsync }
    guard let place, columns[place].vsync == mark.vsync || place > columns.startIndex else {
      return nil
    }
    return right - columns.count + (place - columns.startIndex)
  }
}

extension VsyncColumn.Shape {
  var isDropped: Bool { if case .dropped = self { true } else { false } }
}
