internal import FrameBudget

/// How much each of many varied numbers matters: for each a bar from the least to the most that the metric comes to on
/// average at one of its values, the widest on top.
struct Tornado {
  private let metric: Metric
  private let axis: Axis
  private let charts: [(name: String, bars: [Bar])]

  private struct Bar {
    let path: String
    let low: (mean: Double, value: Double)
    let high: (mean: Double, value: Double)

    var width: Double { high.mean - low.mean }
  }

  private static let mostBars = 12
  private static let mostCharts = 12

  init?(_ rows: VariedRows, _ metric: Metric, _ title: String) {
    let charts = rows.strategies.map { strategy in
      let bars = rows.paths.indices.compactMap {
        Self.bar(rows.paths[$0], $0, strategy.points, metric)
      }
      return (name: strategy.name, bars: bars.sorted { $0.width > $1.width })
    }
    guard let most = charts.flatMap({ $0.bars.map(\.high.mean) }).max(), most > 0 else {
      return nil
    }
    self.metric = metric
    self.charts = charts
    axis = Axis.linear(metric.words(title), to: most, from: 0, to: 1)
  }

  /// The least and the most mean over all rows that have one value at `place`; nil where nothing is known.
  private static func bar(
    _ path: String, _ place: Int, _ points: [VariedRows.Point], _ metric: Metric
  ) -> Bar? {
    let means = Dictionary(grouping: points) { $0.values[place] }.compactMap {
      (value, points) -> (mean: Double, value: Double)? in
      let known = points.compactMap { $0.row.value(metric.name) }
      return known.isEmpty ? nil : (mean: known.reduce(0, +) / Double(known.count), value: value)
    }
    guard let low = means.min(by: { ($0.mean, $0.value) < ($1.mean, $1.value) }),
      let high = means.max(by: { ($0.mean, $0.value) < ($1.mean, $1.value) })
    else { return nil }
    return Bar(path: path, low: low, high: high)
  }

  func markup(_ heading: Markup) -> Markup {
    """
    <section class="panels tornado">\(heading)<p class="lead">\(metric.name): \(metric.formula). \
    A bar goes from the least to the most that it comes to on average at one value of what is varied, over all values \
    of the rest; the ends say at which.</p>
    \(charts.prefix(Self.mostCharts).map(chart))</section>

    """
  }

  private func chart(_ chart: (name: String, bars: [Bar])) -> Markup {
    let bars: [Markup] = chart.bars.prefix(Self.mostBars).map(bar)
    return """
      <figure class="panel"><figcaption>\(chart.name)</figcaption>
      <table class="bars"><thead><tr><th scope="col">varied</th><th scope="col">least</th>\
      <th scope="col" class="span">0 to \(Axis.label(axis.ticks.last ?? 0)) \(axis.title)</th>\
      <th scope="col">most</th></tr></thead><tbody>\(bars)</tbody></table></figure>

      """
  }

  private func bar(_ bar: Bar) -> Markup {
    let start = axis.place(bar.low.mean)
    return """
      <tr><th scope="row">\(bar.path)</th><td>\(Self.end(bar.low))</td><td class="span"><div><i \
      style="left:\(share: start);width:\(share: axis.place(bar.high.mean) - start)"></i></div></td>\
      <td>\(Self.end(bar.high))</td></tr>

      """
  }

  private static func end(_ end: (mean: Double, value: Double)) -> String {
    "\(Figure.text(end.mean)) at \(Axis.label(end.value))"
  }
}
