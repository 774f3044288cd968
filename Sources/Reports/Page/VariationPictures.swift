internal import FrameBudget

/// Curves over the value that `--vary` set, one for each strategy.
struct VariationPictures {
  let path: String
  private let curves: [(name: String, points: [(x: Double, row: PageRow)])]

  /// Nil unless the rows differ by one number.
  init?(_ rows: [PageRow]) {
    let varied = rows.compactMap { row in
      Self.number(row.subject.changes).map { ($0.path, $0.value, row) }
    }
    guard let path = varied.first?.0, varied.count > 2, varied.allSatisfy({ $0.0 == path }),
      Set(varied.map(\.1)).count > 1
    else { return nil }
    self.path = path
    var names: [String] = []
    var points: [String: [(x: Double, row: PageRow)]] = [:]
    for (_, value, row) in varied {
      let name = row.strategyAndEngine
      if points[name] == nil { names.append(name) }
      points[name, default: []].append((value, row))
    }
    curves = names.map { name in (name, (points[name] ?? []).sorted { $0.x < $1.x }) }
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

  /// Nil where there is nothing of it.
  func panels(_ metric: Metric, _ title: String) -> Panels? {
    let values = curves.flatMap { $0.points.compactMap { $0.row.value(metric.name) } }
    guard let most = values.max(), most > 0 else { return nil }
    let x = Axis.span(path, curves.flatMap { $0.points.map(\.x) }, from: 0, to: Panels.width)
    let unit = metric.unit == .count || metric.unit == .none ? "" : ", \(metric.unit.rawValue)"
    let y = Axis.linear(
      title.prefix(1).lowercased() + title.dropFirst() + unit, to: most, from: Panels.height, to: 0)
    return Panels(
      title: title, summary: "\(metric.name): \(metric.formula).", x: x, y: y,
      curves: curves.map { curve in
        Panels.Curve(
          name: curve.name,
          points: curve.points.compactMap { point in
            point.row.observed(metric.name).map { observed in
              Panels.Point(
                x: point.x, y: observed,
                words: "\(Axis.label(point.x)): \(point.row.text(metric.name))")
            }
          })
      })
  }
}
