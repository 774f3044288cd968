internal import FrameBudget
internal import Glibc

/// How long the frames of several runs took: each share of them, with the long ones spread out.
struct FrameDistribution {
  private let runs: [(name: String, count: Int, times: Percentiles)]
  private let budget: Double

  /// More runs than colours cannot be told apart.
  private static let most = 8
  private static let named = [0.5, 0.9, 0.99, 0.999, 1]

  /// Nil where there are no frames.
  init?(_ series: [FrameSeries]) {
    guard let first = series.first else { return nil }
    runs = series.prefix(Self.most).map { series in
      let times = series.frames.map { Int64($0.milliseconds * 1e6) }
      return (series.name, times.count, Percentiles(times))
    }
    budget = first.refresh.milliseconds(ofPeriods: 1)
  }

  func plot() -> Plot {
    let curves = runs.map { ($0.name, Self.curve($0.times, count: $0.count)) }
    let rarest = curves.flatMap { $0.1.map(\.rarity) }.max() ?? 10
    var x = Axis.logarithmic(
      "% of frames that took no longer", [1, rarest], from: Plot.left, to: Plot.right)
    x.tickText = { Decimal.text(100 - 100 / $0, places: 4) }
    let y = Axis.logarithmic(
      "frame time, ms", curves.flatMap { $0.1.map(\.milliseconds) } + [budget], from: Plot.bottom,
      to: Plot.top)
    var plot = Plot(
      title: "Distribution of frame times", summary: "Percentiles of frame times", x: x, y: y,
      table: table)
    for (index, (name, points)) in curves.enumerated() {
      plot.marks.append(
        Plot.line(
          points.map { (x.place($0.rarity), y.place($0.milliseconds)) }, color: Plot.color(index),
          tip: name))
    }
    plot.marks.append(
      Plot.rule(y: y.place(budget), label: "budget \(Decimal.text(budget, places: 2)) ms"))
    plot.legend = curves.enumerated().map { ($1.0, Plot.color($0)) }
    return plot
  }

  /// How long one frame in `rarity` takes at least, from every frame to one in as many as there are.
  private static func curve(
    _ times: Percentiles, count: Int
  ) -> [(rarity: Double, milliseconds: Double)] {
    let steps = 120
    return (0...steps).compactMap { step in
      let rarity = pow(Double(count), Double(step) / Double(steps))
      let q = step == steps ? 1 : 1 - 1 / rarity
      return times.quantile(q).map { (rarity, $0 / 1e6) }
    }
  }

  private var table: (header: [String], rows: [[String]]) {
    (
      ["run"] + Self.named.map { "p\(Decimal.text($0 * 100, places: 1)), ms" },
      runs.map { run in
        let cells = Self.named.map { q in
          run.times.quantile(q).map { Decimal.text($0 / 1e6, places: 3) } ?? ""
        }
        return [run.name] + cells
      }
    )
  }
}
