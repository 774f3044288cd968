internal import FrameBudget

/// Rows over the numbers in `--vary`: curves over one of them, heat maps over two, and for more the influence of each.
struct VariationPictures {
  let rows: VariedRows

  /// Nil unless the rows differ by numbers.
  init?(_ rows: [PageRow]) {
    guard let rows = VariedRows(rows) else { return nil }
    self.rows = rows
  }

  /// Nil without data.
  func picture(_ metric: Metric, _ title: String, _ heading: (String) -> Markup) -> Markup? {
    let over = heading("\(title) over \(rows.names.joined(separator: " and "))")
    switch rows.paths.count {
    case 1: return panels(metric, title)?.markup(over)
    case 2: return HeatMaps(rows, metric, title)?.markup(over)
    default:
      return Tornado(rows, metric, title)?.markup(heading("\(title): influence of each value"))
    }
  }

  /// Curves over the single varied number.
  func panels(_ metric: Metric, _ title: String) -> Panels? {
    guard let name = rows.names.first, rows.names.count == 1 else { return nil }
    let bands = rows.strategies.map { $0.points.map { Self.band($0.row, metric) } }
    let highest = bands.joined().compactMap { $0?.upperBound }.max() ?? 0
    guard let most = rows.most(metric) ?? (highest > 0 ? highest : nil) else { return nil }
    let values = rows.strategies.flatMap { $0.points.map { $0.values[0] } }
    return Panels(
      title: title, summary: "\(metric.name): \(metric.formula).\(words)",
      x: Axis.span(name, values, from: 0, to: Panels.width),
      y: Axis.linear(
        metric.words(title.prefix(1).lowercased() + title.dropFirst()), to: max(most, highest),
        from: Panels.height, to: 0),
      curves: zip(rows.strategies, bands).map { strategy, bands in
        Self.curve(strategy.name, strategy.points, bands, metric)
      })
  }

  /// What a point of the line is, if it is of several runs.
  private var words: String {
    let points = rows.strategies.flatMap(\.points)
    let seeds = points.map { Self.seeds($0.row) }.max() ?? 1
    if seeds > 1 {
      return " The line is the median over up to \(seeds) seeds; the band contains nine of ten."
    }
    let runs = points.compactMap { $0.row.repetitions?.count }.max() ?? 1
    return runs > 1 ? " The line is the median over up to \(runs) runs." : ""
  }

  private static func curve(
    _ name: String, _ points: [VariedRows.Point], _ bands: [ClosedRange<Double>?], _ metric: Metric
  ) -> Panels.Curve {
    let shown = points.compactMap { point in
      point.row.median(metric.name).map { observed in
        Panels.Point(
          x: point.values[0], y: observed,
          words: "\(Axis.label(point.values[0])): \(PageRow.text(observed))")
      }
    }
    let band = zip(points, bands).compactMap { point, band in
      band.map { Panels.Band(x: point.values[0], range: $0) }
    }
    return Panels.Curve(name: name, points: shown, band: band)
  }

  /// The range of nine out of ten seeds; nil with one seed.
  private static func band(_ row: PageRow, _ metric: Metric) -> ClosedRange<Double>? {
    guard seeds(row) > 1 else { return nil }
    let values = (row.repetitions?.counted ?? []).compactMap { $0[metric.name] }.sorted()
    guard !values.isEmpty else { return nil }
    let low = Double(values.count - 1) * 0.05
    let high = Double(values.count - 1) * 0.95
    return values[Int(low.rounded(.down))]...values[Int(high.rounded(.up))]
  }

  private static func seeds(_ row: PageRow) -> Int {
    Set((row.repetitions?.counted ?? []).map(\.seed)).count
  }
}

/// Rows by the numbers in `--vary`, and by strategy.
struct VariedRows {
  /// The varied paths, in their order.
  let paths: [String]
  /// The same in words.
  let names: [String]
  /// Each strategy, with its rows and their numbers in the order of `paths`.
  let strategies: [(name: String, points: [Point])]

  struct Point {
    let values: [Double]
    let row: PageRow
  }

  /// Nil unless the rows differ by numbers.
  init?(_ rows: [PageRow]) {
    let varied = rows.map { ($0, Self.settings($0.subject.changes)) }.filter { !$0.1.isEmpty }
    let settings = varied.map(\.1)
    let paths = ChangedValues.variedPaths(settings)
    guard settings.count > 2, !paths.isEmpty else { return nil }
    self.paths = paths
    names = ChangedValues.words(paths)
    let namesEngine = Set(rows.map(\.subject.engine)).count > 1
    strategies = varied.grouped { Self.name($0.0, paths, namesEngine) }.map { name, rows in
      let points = rows.map { row, settings in
        let values = paths.compactMap { path in settings.first { $0.path == path }?.value }
        return Point(values: values, row: row)
      }
      return (name, points.sorted { $0.values.lexicographicallyPrecedes($1.values) })
    }
  }

  /// The strategy; without its options if they are varied.
  private static func name(_ row: PageRow, _ paths: [String], _ namesEngine: Bool) -> String {
    let strategy = row.run?.strategy ?? ""
    let isVaried = paths.contains { $0.hasPrefix("strategies.\(strategy).") }
    let label = isVaried ? strategy : row.subject.label
    return [row.origin, namesEngine ? "\(label) (\(row.subject.engine))" : label]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// The numbers in the changes of a run, without their units.
  private static func settings(_ changes: String) -> [(path: String, value: Double)] {
    ChangedValues(changes).pairs.compactMap { path, value in
      ChangedValues.number(value).map { (path, $0.value) }
    }
  }

  /// The largest value of `metric` in the rows; nil without values.
  func most(_ metric: Metric) -> Double? {
    let values = strategies.flatMap { $0.points.compactMap { $0.row.median(metric.name)?.value } }
    return values.max().flatMap { $0 > 0 ? $0 : nil }
  }
}

extension Metric {
  /// `title` with the unit, if there is one: `Slow answers, ms`.
  func words(_ title: String) -> String {
    unit == .count || unit == .none ? title : "\(title), \(unit.rawValue)"
  }
}

/// The influence of each varied number: for each a bar from the least to the largest mean of the metric over its values, the
/// widest on top.
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

  private static let maxBars = 12
  private static let maxCharts = 12

  init?(_ rows: VariedRows, _ metric: Metric, _ title: String) {
    let charts = rows.strategies.map { strategy in
      let bars = rows.paths.indices.compactMap {
        Self.bar(rows.names[$0], $0, strategy.points, metric)
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

  /// The least and the largest mean over all rows that have one value at `place`; nil without values.
  private static func bar(
    _ path: String, _ place: Int, _ points: [VariedRows.Point], _ metric: Metric
  ) -> Bar? {
    let means = Dictionary(grouping: points) { $0.values[place] }.compactMap {
      (value, points) -> (mean: Double, value: Double)? in
      let known = points.compactMap { $0.row.median(metric.name)?.value }
      return known.mean.map { (mean: $0, value: value) }
    }
    guard let low = means.min(by: { ($0.mean, $0.value) < ($1.mean, $1.value) }),
      let high = means.max(by: { ($0.mean, $0.value) < ($1.mean, $1.value) })
    else { return nil }
    return Bar(path: path, low: low, high: high)
  }

  func markup(_ heading: Markup) -> Markup {
    """
    <section class="panels tornado">\(heading)<p class="lead">\(metric.name): \(metric.formula). \
    Each bar spans the smallest to the largest mean of the metric over the values of one setting, averaged \
    over all others. The labels at its ends name those values.</p>
    \(charts.prefix(Self.maxCharts).map(chart))</section>

    """
  }

  private func chart(_ chart: (name: String, bars: [Bar])) -> Markup {
    let bars: [Markup] = chart.bars.prefix(Self.maxBars).map(bar)
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

/// A metric over two numbers: a map for each strategy, all with the same axes and the same shades.
///
/// Shades are of red, because the metrics measure problems; zero has no shade, so that the threshold is visible as an edge.
struct HeatMaps {
  private let title: String
  private let metric: Metric
  private let x: Side
  private let y: Side
  /// Strategies with the same cells share a map.
  private let maps: [(name: String, cells: [Cell])]
  /// `time-sliced: 0 everywhere`
  private let constants: [String]
  private let most: Double
  /// The most runs of one cell.
  private let runs: Int

  private struct Side {
    let name: String
    let values: [Double]

    init(_ name: String, _ values: some Sequence<Double>) {
      self.name = name
      self.values = Set(values).sorted()
    }
  }

  private struct Cell: Hashable {
    let x: Int
    let y: Int
    let value: Double
    let text: String
  }

  /// The limit for maps; further ones are only in the tables.
  private static let maxMaps = 12
  /// The lightest shade of values above zero, and the deepest one.
  private static let shades = 0.2...1.0
  /// Cells have a border, so that the lightest shade is visible; above this number the borders would hide everything.
  private static let maxEdged = 900

  init?(_ rows: VariedRows, _ metric: Metric, _ title: String) {
    guard rows.paths.count == 2, let most = rows.most(metric) else { return nil }
    let points = rows.strategies.flatMap(\.points)
    // The number that was varied last changes fastest; it is the horizontal axis.
    let y = Side(rows.names[0], points.map { $0.values[0] })
    let x = Side(rows.names[1], points.map { $0.values[1] })
    self.title = title
    self.metric = metric
    (self.x, self.y, self.most) = (x, y, most)
    runs = points.compactMap { $0.row.repetitions?.count }.max() ?? 1
    let all = rows.strategies.map { strategy in
      let cells = strategy.points.compactMap { point -> Cell? in
        guard let column = x.values.firstIndex(of: point.values[1]),
          let row = y.values.firstIndex(of: point.values[0]),
          let observed = point.row.median(metric.name)
        else { return nil }
        return Cell(x: column, y: row, value: observed.value, text: PageRow.text(observed))
      }
      return (name: strategy.name, cells: cells)
    }.grouped(by: \.cells).map { cells, strategies in
      (name: English.list(strategies.map(\.name), most: 4), cells: cells)
    }
    maps = all.filter { Set($0.cells.map(\.text)).count > 1 }
    constants = all.compactMap { name, cells in
      let values = Set(cells.map(\.text))
      return values.count == 1 ? values.first.map { "\(name): \($0) everywhere" } : nil
    }
  }

  private func words(_ cell: Cell) -> String {
    "\(y.name) \(Axis.label(y.values[cell.y])), \(x.name) \(Axis.label(x.values[cell.x])): \(cell.text)"
  }

  func markup(_ heading: Markup) -> Markup {
    let rest = maps.count - Self.maxMaps
    var note: Markup =
      rest > 0 ? "<p class=\"note\">\(rest) more are only in the numbers below.</p>\n" : ""
    if !constants.isEmpty {
      note += "<p class=\"note\">\(constants.joined(separator: "; ")).</p>\n"
    }
    return """
      <section class="panels heat">\(heading)<p class="lead">\(metric.name): \(metric.formula). \
      Vertical: \(y.name); horizontal: \(x.name).\(runs > 1 ? " Cells are medians over up to \(runs) runs." : "")</p>
      \(legend)<div class="grid">\(maps.prefix(Self.maxMaps).map(map))</div>\(note)</section>

      """
  }

  /// `0 □ … ■ 65 %`: the legend of the shades.
  private var legend: Markup {
    let steps = [0.0, 0.25, 0.5, 0.75, 1]
    let swatches: [Markup] = steps.map { share in
      "<span><i style=\"opacity:\(Self.shade(share))\"></i>\(Axis.label(share * most))</span>"
    }
    return "<p class=\"scale\">\(metric.words(title)): \(swatches)</p>\n"
  }

  private func map(_ map: (name: String, cells: [Cell])) -> Markup {
    let rectangles: [Markup] = map.cells.filter { $0.value > 0 }.map { cell in
      """
      <rect x="\(cell.x)" y="\(y.values.count - 1 - cell.y)" width="1" height="1" \
      fill-opacity="\(Self.shade(cell.value / most))"><title>\(words(cell))</title></rect>
      """
    }
    return """
      <figure class="panel"><figcaption>\(map.name)</figcaption>
      <div class="plot"><div class="values" aria-hidden="true">\(Self.labels(y.values.reversed(), "top"))</div>\
      <div class="box" role="img" aria-label="\(description(map))">\
      <svg viewBox="0 0 \(x.values.count) \(y.values.count)" preserveAspectRatio="none" aria-hidden="true">\
      <g class="\(edges)">\(rectangles)</g></svg></div>\
      <div class="ticks" aria-hidden="true">\(Self.labels(x.values, "left"))</div></div></figure>

      """
  }

  private var edges: String {
    x.values.count * y.values.count <= Self.maxEdged ? "edged" : ""
  }

  private func description(_ map: (name: String, cells: [Cell])) -> String {
    let free = map.cells.count { $0.value == 0 }
    let worst = map.cells.max { $0.value < $1.value }.map { "; most at \(words($0))" } ?? ""
    return "\(map.name): \(metric.name) over \(y.name) and \(x.name); none in \(free) of "
      + "\(map.cells.count) combinations\(worst)"
  }

  /// The strength of the colour for a share of the largest value.
  private static func shade(_ share: Double) -> String {
    guard share > 0 else { return "0" }
    let span = shades.upperBound - shades.lowerBound
    return Decimal.text(shades.lowerBound + span * min(share, 1), places: 2)
  }

  /// Labels at the middle of their cells.
  private static func labels(_ values: [Double], _ side: String) -> Markup {
    let all = values.indices.map { place in
      (place: (Double(place) + 0.5) / Double(values.count), text: Axis.label(values[place]))
    }
    return Axis.labels(all, side)
  }
}
