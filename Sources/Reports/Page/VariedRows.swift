internal import FrameBudget

/// Rows by the numbers that `--vary` set, and by strategy.
struct VariedRows {
  /// What differs between the rows, in the order in which it was varied.
  let paths: [String]
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
    guard let first = settings.first, settings.count > 2 else { return nil }
    let paths = first.map(\.path).filter { path in
      let values = settings.map { row in row.first { $0.path == path }?.value }
      return !values.contains(nil) && Set(values).count > 1
    }
    guard !paths.isEmpty else { return nil }
    self.paths = paths
    var names: [String] = []
    var points: [String: [Point]] = [:]
    for (row, settings) in varied {
      let name = Self.name(row, paths)
      if points[name] == nil { names.append(name) }
      let values = paths.compactMap { path in settings.first { $0.path == path }?.value }
      points[name, default: []].append(Point(values: values, row: row))
    }
    strategies = names.map { name in
      (name, (points[name] ?? []).sorted { $0.values.lexicographicallyPrecedes($1.values) })
    }
  }

  /// The strategy; without its options where those are what is varied.
  private static func name(_ row: PageRow, _ paths: [String]) -> String {
    let strategy = row.repetitions.first?.strategy ?? ""
    guard paths.contains(where: { $0.hasPrefix("strategies.\(strategy).") }) else {
      return row.strategyAndEngine
    }
    return [row.origin, "\(strategy) (\(row.subject.engine))"].filter { !$0.isEmpty }
      .joined(separator: " · ")
  }

  /// The numbers in `PATH=VALUE;…`, their units left out.
  private static func settings(_ changes: String) -> [(path: String, value: Double)] {
    changes.split(separator: ";").compactMap { change in
      guard let equals = change.firstIndex(of: "=") else { return nil }
      let text = change[change.index(after: equals)...].drop { $0 == " " }
      guard let value = Double(text.prefix { "-.0123456789".contains($0) }),
        value.magnitude < ResultSet.greatest
      else { return nil }
      return (String(change[..<equals]), value)
    }
  }

  /// What the rows have of `metric`, without empty ones; nil where there is nothing of it.
  func most(_ metric: Metric) -> Double? {
    let values = strategies.flatMap { $0.points.compactMap { $0.row.value(metric.name) } }
    return values.max().flatMap { $0 > 0 ? $0 : nil }
  }
}

extension Metric {
  /// `title` with the unit, where there is one: `Slow answers, ms`.
  func words(_ title: String) -> String {
    unit == .count || unit == .none ? title : "\(title), \(unit.rawValue)"
  }
}
