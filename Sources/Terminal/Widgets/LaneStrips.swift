internal import FrameBudget

/// A row per thread, under the chart's columns: what the main thread spent each frame on, how busy the others were.
struct LaneStrips {
  let columns: ArraySlice<VsyncColumn>
  let lanes: [LaneHistory]
  /// The run that the lanes belong to.
  let run: Int
  let gutter: Int

  func draw(on screen: inout Screen, in area: Area) {
    var rest = area
    let main = rest.takeTop(1)
    guard main.height > 0 else { return }
    name("main", on: &screen, in: main)
    each(in: main) { column, x in
      if column.shape == .blank { return }
      let cause = column.phase?.cause ?? column.cause
      screen.put(cause?.smallLetter ?? "·", x, main.row, Style(cause?.ink ?? .quiet))
    }
    let fitting = lanes.count <= rest.height ? lanes.count : rest.height - 1
    for lane in lanes.prefix(max(0, fitting)) { draw(lane, on: &screen, in: rest.takeTop(1)) }
    if fitting < lanes.count && rest.height > 0 {
      let text = "… \(lanes.count - max(0, fitting)) more threads"
      screen.write(text, rest.column, rest.row, width: rest.width, .quiet)
    }
  }

  private func draw(_ lane: LaneHistory, on screen: inout Screen, in area: Area) {
    name(lane.name, on: &screen, in: area)
    each(in: area) { column, x in
      guard column.run == run, let use = lane.use(at: column.vsync) else { return }
      let (sign, ink) = sign(of: use, in: lane)
      screen.put(sign, x, area.row, Style(ink))
    }
  }

  /// A bar for its share of a period; a letter where it mostly waited for a lock.
  private func sign(of use: LaneUse, in lane: LaneHistory) -> (Unicode.Scalar, Ink) {
    let (busy, waiting) = (lane.share(use.busy), lane.share(use.waiting))
    if waiting > busy && waiting > 0.1 { return ("k", .lock) }
    let eighths = Int((busy * 8).rounded())
    return eighths == 0 ? ("·", .quiet) : (Glyphs.eighths[eighths], .mark)
  }

  private func each(in area: Area, _ body: (VsyncColumn, Int) -> Void) {
    for (offset, column) in columns.enumerated() {
      body(column, area.column + area.width - columns.count + offset)
    }
  }

  private func name(_ text: String, on screen: inout Screen, in area: Area) {
    guard gutter > 1 else { return }
    let shown = min(text.unicodeScalars.count, gutter - 1)
    screen.write(
      text, area.column + gutter - 1 - shown, area.row, width: gutter - 1, .quiet)
  }
}

extension VsyncColumn.Shape {
  var isDropped: Bool { if case .dropped = self { true } else { false } }
}
