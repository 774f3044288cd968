internal import FrameBudget

/// The distribution of frame times of several runs, with long frames spread out.
struct FrameDistribution {
  private let runs: [(name: String, count: Int, times: Percentiles)]
  private let budget: Double

  /// Nil without frames.
  init?(_ rows: [PageRow]) {
    let known = rows.compactMap { row in row.frames.map { (name: row.name, run: $0) } }
    guard let first = known.first else { return nil }
    runs = known.map { name, run in
      let times = run.frames.map { frame in
        (frame.workEnd - run.refresh.vsync(frame.beginVsync)).nanoseconds
      }
      return (name, times.count, Percentiles(times))
    }
    budget = first.run.refresh.milliseconds(ofPeriods: 1)
  }

  var panels: Panels {
    let curves = runs.map { ($0.name, Self.curve($0.times, count: $0.count)) }
    let rarest = curves.flatMap { $0.1.map(\.rarity) }.max() ?? 10
    var x = Axis.logarithmic("% of frames", [1, rarest], from: 0, to: Panels.width)
    x.tickText = { Decimal.text(100 - 100 / $0, places: 4) }
    let y = Axis.logarithmic(
      "ms at most", curves.flatMap { $0.1.map(\.milliseconds) } + [budget], from: Panels.height,
      to: 0)
    return Panels(
      title: "Frame times",
      summary:
        "For each percentage of frames: their longest time from the vsync to the end of the work.",
      x: x, y: y,
      curves: curves.map { name, points in
        Panels.Curve(
          name: name,
          points: points.map { Panels.Point(x: $0.rarity, y: Observation($0.milliseconds)) })
      },
      limitLine: (budget, "the budget, \(Decimal.text(budget, places: 2)) ms"))
  }

  /// For each rarity, the time that only one frame in `rarity` exceeds: from 1, every frame, to the number of frames.
  private static func curve(
    _ times: Percentiles, count: Int
  ) -> [(rarity: Double, milliseconds: Double)] {
    let steps = 80
    return (0...steps).compactMap { step in
      let rarity = Double(count).raised(to: Double(step) / Double(steps))
      let q = step == steps ? 1 : 1 - 1 / rarity
      return times.quantile(q).map { (rarity, $0 / 1e6) }
    }
  }
}

/// The number of waiting items over time, under each strategy.
struct WaitingWork {
  let rows: [PageRow]

  private static let columns = 160

  /// Nil if nothing ever waited.
  var panels: Panels? {
    let curves = rows.compactMap { row in row.frames.map { (row.name, Self.points($0)) } }
    let values = curves.flatMap(\.1)
    guard let most = values.map(\.waiting).max(), most > 0 else { return nil }
    let last = rows.map(\.seconds).max() ?? 1
    return Panels(
      title: "Waiting work over time",
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
      // The frames on both sides of a hang are kept.
      let isDrawn =
        place % stride == 0 || frame.dropped > 0 || place == run.frames.count - 1
        || place > 0 && run.frames[place - 1].dropped > 0
      guard isDrawn else { return nil }
      return (run.refresh.vsync(frame.beginVsync).sinceZero.inSeconds, frame.queueDepth)
    }
  }
}
