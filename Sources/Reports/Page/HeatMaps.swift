internal import FrameBudget

/// A metric over two numbers: a map for each strategy, all with the same axes and the same shades.
///
/// Shades are of red, as what is drawn is harm; nothing at all has none, so that where it begins is an edge.
struct HeatMaps {
  private let title: String
  private let metric: Metric
  private let x: Side
  private let y: Side
  private let maps: [(name: String, cells: [Cell])]
  private let most: Double

  private struct Side {
    let path: String
    let values: [Double]

    init(_ path: String, _ values: some Sequence<Double>) {
      self.path = path
      self.values = Set(values).sorted()
    }
  }

  private struct Cell {
    let x: Int
    let y: Int
    let value: Double
    let words: String
  }

  /// More maps than this are in the tables.
  private static let mostMaps = 12
  /// The lightest of what is not nothing, and the deepest.
  private static let shades = 0.2...1.0
  /// Cells have an edge, so that the lightest is seen; of more the edges would be all that is seen.
  private static let mostEdged = 900

  init?(_ rows: VariedRows, _ metric: Metric, _ title: String) {
    guard rows.paths.count == 2, let most = rows.most(metric) else { return nil }
    let points = rows.strategies.flatMap(\.points)
    // The last that was varied turns fastest: it goes to the right.
    let y = Side(rows.paths[0], points.map { $0.values[0] })
    let x = Side(rows.paths[1], points.map { $0.values[1] })
    self.title = title
    self.metric = metric
    (self.x, self.y, self.most) = (x, y, most)
    maps = rows.strategies.map { strategy in
      let cells = strategy.points.compactMap { point -> Cell? in
        guard let column = x.values.firstIndex(of: point.values[1]),
          let row = y.values.firstIndex(of: point.values[0]),
          let value = point.row.value(metric.name)
        else { return nil }
        let words =
          "\(y.path) \(Axis.label(point.values[0])), \(x.path) \(Axis.label(point.values[1])): "
          + point.row.text(metric.name)
        return Cell(x: column, y: row, value: value, words: words)
      }
      return (strategy.name, cells)
    }
  }

  func markup(_ heading: Markup) -> Markup {
    let rest = maps.count - Self.mostMaps
    let note: Markup =
      rest > 0 ? "<p class=\"note\">\(rest) more are in the numbers below.</p>\n" : ""
    return """
      <section class="panels heat">\(heading)<p class="lead">\(metric.name): \(metric.formula). \
      Upwards: \(y.path); to the right: \(x.path).</p>
      \(legend)<div class="grid">\(maps.prefix(Self.mostMaps).map(map))</div>\(note)</section>

      """
  }

  /// `0 □ … ■ 65 %`: what the shades mean.
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
      fill-opacity="\(Self.shade(cell.value / most))"><title>\(cell.words)</title></rect>
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
    x.values.count * y.values.count <= Self.mostEdged ? "edged" : ""
  }

  private func description(_ map: (name: String, cells: [Cell])) -> String {
    let free = map.cells.count { $0.value == 0 }
    let worst = map.cells.max { $0.value < $1.value }.map { "; most at \($0.words)" } ?? ""
    return "\(map.name): \(metric.name) over \(y.path) and \(x.path); none in \(free) of "
      + "\(map.cells.count) combinations\(worst)"
  }

  /// How much of the colour of harm a share of the most is drawn with.
  private static func shade(_ share: Double) -> String {
    guard share > 0 else { return "0" }
    let span = shades.upperBound - shades.lowerBound
    return Decimal.text(shades.lowerBound + span * min(share, 1), places: 2)
  }

  /// As many values as have room, each at the middle of its cells.
  private static func labels(_ values: [Double], _ side: String) -> Markup {
    let step = max(1, (values.count + 3) / 4)
    let spans: [Markup] = values.indices.filter { $0 % step == 0 }.map { place in
      let share = (Double(place) + 0.5) / Double(values.count)
      let edge: Markup = share > 0.9 ? " class=\"last\"" : share < 0.1 ? " class=\"first\"" : ""
      return "<span\(edge) style=\"\(side):\(share: share)\">\(Axis.label(values[place]))</span>"
    }
    return "\(spans)"
  }
}
