internal import FrameBudget

#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// How long the frames of several runs took: each share of them, with the long ones spread out.
struct FrameDistribution {
  private let runs: [(name: String, count: Int, times: Percentiles)]
  private let budget: Double

  /// Nil where there are no frames.
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
      title: "How long frames took",
      summary:
        "The time that so many of a hundred frames took at most, from the vsync to the end of the work.",
      x: x, y: y,
      curves: curves.map { name, points in
        Panels.Curve(
          name: name,
          points: points.map { Panels.Point(x: $0.rarity, y: Observation($0.milliseconds)) })
      },
      rule: (budget, "the budget, \(Decimal.text(budget, places: 2)) ms"))
  }

  /// How long one frame in `rarity` takes at least, from every frame to one in as many as there are.
  private static func curve(
    _ times: Percentiles, count: Int
  ) -> [(rarity: Double, milliseconds: Double)] {
    let steps = 80
    return (0...steps).compactMap { step in
      let rarity = pow(Double(count), Double(step) / Double(steps))
      let q = step == steps ? 1 : 1 - 1 / rarity
      return times.quantile(q).map { (rarity, $0 / 1e6) }
    }
  }
}
