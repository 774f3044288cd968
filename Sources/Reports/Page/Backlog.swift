internal import FrameBudget

/// How many items waited, over time, under each strategy.
struct Backlog {
  let rows: [PageRow]

  private static let columns = 160

  /// Nil where nothing ever waited.
  var panels: Panels? {
    let curves = rows.compactMap { row in row.frames.map { (row.name, Self.points($0)) } }
    let values = curves.flatMap(\.1)
    guard let most = values.map(\.waiting).max(), most > 0 else { return nil }
    let last = rows.map(\.seconds).max() ?? 1
    return Panels(
      title: "Work waiting over time",
      summary: "Items that had arrived and were not done when a frame began.",
      x: Axis.linear("seconds", to: last, from: 0, to: Panels.width),
      y: Axis.linear("items waiting", to: Double(most), from: Panels.height, to: 0),
      curves: curves.map { name, points in
        Panels.Curve(
          name: name,
          points: points.map { Panels.Point(x: $0.second, y: Observation(Double($0.waiting))) })
      })
  }

  private static func points(_ run: RecordedRun) -> [(second: Double, waiting: Int)] {
    let stride = max(1, run.frames.count / columns)
    return run.frames.indices.compactMap { place in
      let frame = run.frames[place]
      // Around a hang the frames on both sides of it count.
      let isDrawn =
        place % stride == 0 || frame.dropped > 0 || place == run.frames.count - 1
        || place > 0 && run.frames[place - 1].dropped > 0
      guard isDrawn else { return nil }
      return (run.refresh.vsync(frame.beginVsync).sinceZero.inSeconds, frame.queueDepth)
    }
  }
}
