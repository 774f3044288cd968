internal import FrameBudget

/// Two to four strategies on one time axis, which stands between them: the same instant in the same column of each.
///
/// A vsync without a new frame is red, and nothing else is.
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
    LegendLine(
      columns.flatMap(\.self), colors: .harm, hasTaps: share.taps > 0, hasLanes: share.lanes > 0
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

  /// How the rows of a strategy are shared out: what says most in least room comes first.
  private struct Share {
    let height: Int
    let taps: Int
    let words: Int
    let deadlock: Int
    let lanes: Int

    init(height: Int, model: LiveModel) {
      self.height = height
      let runs = model.panes.map(\.run)
      let lanes = 1 + (runs.map(\.lanes.count).max() ?? 0)
      taps = height >= 3 && runs.contains(where: \.awaitsResponses) ? 1 : 0
      words = height >= 6 ? 1 : 0
      deadlock = height >= 4 && runs.contains { !$0.deadlocks.isEmpty } ? 1 : 0
      self.lanes = height >= 12 ? min(lanes, height / 4) : 0
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
      told: share.words == 0 ? inspection?.pieces : nil
    ).draw(on: &screen, in: area.takeTop(1))
    DeadlockLine(deadlocks: pane.run.deadlocks, ink: .plain)
      .draw(on: &screen, in: area.takeTop(share.deadlock))
    let words = area.takeTop(share.words)
    if let inspection {
      inspection.draw(on: &screen, in: words)
    } else {
      VerdictLine(words: pane.words, harm: .plain).draw(on: &screen, in: words)
    }
    LaneStrips(
      columns: columns[...], lanes: pane.run.lanes, run: pane.timeline.run, gutter: gutter
    ).draw(on: &screen, in: area.takeBottom(share.lanes))
    TapRow(taps: pane.run.taps, axis: axis, gutter: gutter)
      .draw(on: &screen, in: area.takeBottom(share.taps))
    FrameChart(pane, columns, inspected: axis.inspected, backs: axis.backs, gutter: gutter)
      .draw(on: &screen, in: area)
  }

  /// The runs of the session, where the charts leave room.
  private func drawTable(on screen: inout Screen, in area: inout Area) {
    let rows = min(12, model.tried.count + 2)
    guard area.height >= model.panes.count * 12 + rows else { return }
    TriedTable(runs: model.tried, harm: .plain)
      .draw(on: &screen, in: area.takeBottom(rows - 1))
    _ = area.takeBottom(1)
  }
}
