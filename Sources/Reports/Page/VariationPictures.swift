internal import FrameBudget

/// Curves over the value that `--vary` set, a line for each strategy.
struct VariationPictures {
  let path: String
  private let curves: [(name: String, points: [(x: Double, row: PageRow)])]

  /// Nil unless the rows differ by one number.
  init?(_ rows: [PageRow]) {
    let varied = rows.compactMap { row in Self.number(row.changes).map { ($0.path, $0.value, row) }
    }
    guard let path = varied.first?.0, varied.count > 2, varied.allSatisfy({ $0.0 == path }),
      Set(varied.map(\.1)).count > 1
    else { return nil }
    self.path = path
    var names: [String] = []
    for (_, _, row) in varied where !names.contains(row.strategyAndEngine) {
      names.append(row.strategyAndEngine)
    }
    curves = names.map { name in
      let points = varied.filter { $0.2.strategyAndEngine == name }.map { (x: $0.1, row: $0.2) }
      return (name, points.sorted { $0.x < $1.x })
    }
  }

  /// The number in the last `PATH=VALUE` of `changes`, its unit left out.
  private static func number(_ changes: String) -> (path: String, value: Double)? {
    guard let last = changes.split(separator: ";").last, let equals = last.firstIndex(of: "=")
    else {
      return nil
    }
    let text = last[last.index(after: equals)...].drop { $0 == " " }
    guard let value = Double(text.prefix { "-.0123456789".contains($0) }),
      value.magnitude < ResultSet.greatest
    else { return nil }
    return (String(last[..<equals]), value)
  }

  func plot(_ metric: Metric) -> Plot? {
    let values = curves.flatMap { $0.points.compactMap { $0.row.value(metric.name) } }
    guard let most = values.max(), most > 0 else { return nil }
    let x = Axis.span(path, curves.flatMap { $0.points.map(\.x) }, from: Plot.left, to: Plot.right)
    let y = Axis.linear(
      metric.unit == .none ? metric.name : "\(metric.name), \(metric.unit.rawValue)", to: most,
      from: Plot.bottom, to: Plot.top)
    var plot = Plot(
      title: "\(metric.name) over \(path)", summary: "\(metric.formula), for each strategy", x: x,
      y: y,
      table: (
        ["run", path, metric.name],
        curves.flatMap { curve in
          curve.points.map { [curve.name, Axis.label($0.x), $0.row.text(metric.name)] }
        }
      ))
    for (index, curve) in curves.enumerated() {
      let points = curve.points.compactMap { point in
        point.row.observed(metric.name).map { observed in
          (place: (x: x.place(point.x), y: y.place(observed.value)), observed, point)
        }
      }
      plot.marks.append(Plot.line(points.map(\.place), color: Plot.color(index), tip: curve.name))
      plot.marks += points.map { place, observed, point in
        Plot.dot(
          place, of: observed, toward: .up, color: Plot.color(index),
          tip: "\(curve.name) at \(Axis.label(point.x)): \(point.row.text(metric.name))")
      }
    }
    plot.legend = curves.enumerated().map { ($1.name, Plot.color($0)) }
    return plot
  }
}
