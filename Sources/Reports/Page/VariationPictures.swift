internal import FrameBudget

/// What rows come to over the numbers that `--vary` set: curves over one of them, heat maps over two, and over more
/// by how much each of them matters.
struct VariationPictures {
  let rows: VariedRows

  /// Nil unless the rows differ by numbers.
  init?(_ rows: [PageRow]) {
    guard let rows = VariedRows(rows) else { return nil }
    self.rows = rows
  }

  /// Nil where there is nothing of it.
  func picture(_ metric: Metric, _ title: String, _ heading: (String) -> Markup) -> Markup? {
    let over = heading("\(title) over \(rows.paths.joined(separator: " and "))")
    switch rows.paths.count {
    case 1: return panels(metric, title)?.markup(over)
    case 2: return HeatMaps(rows, metric, title)?.markup(over)
    default:
      return Tornado(rows, metric, title)?.markup(heading("\(title): what matters most"))
    }
  }

  /// Curves over the one number that is varied.
  func panels(_ metric: Metric, _ title: String) -> Panels? {
    guard let path = rows.paths.first, rows.paths.count == 1 else { return nil }
    let bands = rows.strategies.map { $0.points.map { Self.band($0.row, metric) } }
    let seeds = rows.strategies.flatMap { $0.points.map { Self.seeds($0.row) } }.max() ?? 1
    let highest = bands.joined().compactMap { $0?.upperBound }.max() ?? 0
    guard let most = rows.most(metric) ?? (highest > 0 ? highest : nil) else { return nil }
    let values = rows.strategies.flatMap { $0.points.map { $0.values[0] } }
    let band =
      seeds > 1
      ? " The line is the median over up to \(seeds) seeds; nine of ten lie in the band around it."
      : ""
    return Panels(
      title: title, summary: "\(metric.name): \(metric.formula).\(band)",
      x: Axis.span(path, values, from: 0, to: Panels.width),
      y: Axis.linear(
        metric.words(title.prefix(1).lowercased() + title.dropFirst()), to: max(most, highest),
        from: Panels.height, to: 0),
      curves: zip(rows.strategies, bands).map { strategy, bands in
        Self.curve(strategy.name, strategy.points, bands, metric)
      })
  }

  private static func curve(
    _ name: String, _ points: [VariedRows.Point], _ bands: [ClosedRange<Double>?], _ metric: Metric
  ) -> Panels.Curve {
    let shown = points.compactMap { point in
      point.row.observed(metric.name).map { observed in
        Panels.Point(
          x: point.values[0], y: observed,
          words: "\(Axis.label(point.values[0])): \(point.row.text(metric.name))")
      }
    }
    let band = zip(points, bands).compactMap { point, band in
      band.map { Panels.Band(x: point.values[0], range: $0) }
    }
    return Panels.Curve(name: name, points: shown, band: band)
  }

  /// Between which values nine of ten seeds lie; nil with one seed.
  private static func band(_ row: PageRow, _ metric: Metric) -> ClosedRange<Double>? {
    guard seeds(row) > 1 else { return nil }
    let values = row.repetitions.compactMap { $0[metric.name] }.sorted()
    guard !values.isEmpty else { return nil }
    let low = Double(values.count - 1) * 0.05
    let high = Double(values.count - 1) * 0.95
    return values[Int(low.rounded(.down))]...values[Int(high.rounded(.up))]
  }

  private static func seeds(_ row: PageRow) -> Int { Set(row.repetitions.map(\.seed)).count }
}
