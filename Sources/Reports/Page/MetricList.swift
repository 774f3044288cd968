internal import FrameBudget

/// Every metric with its formula, and its value in every run.
struct MetricList {
  let rows: [PageRow]
  let metrics: [String]

  var markup: Markup {
    let entries: [Markup] = metrics.compactMap { name in
      let values = rows.map { (row: $0.name, text: $0.text(name)) }
      guard values.contains(where: { !$0.text.isEmpty }) else { return nil }
      return """
        <div><dt><b>\(name)</b> \(Self.unit(name)) <span>\(Self.formula(name))</span></dt>\(Self.cells(values))</div>

        """
    }
    return entries.isEmpty ? "" : "<dl class=\"metrics\">\(entries)</dl>\n"
  }

  private static func cells(_ values: [(row: String, text: String)]) -> Markup {
    if values.count > 1, let first = values.first, values.allSatisfy({ $0.text == first.text }) {
      return "<dd class=\"all\"><span>all</span> \(first.text)</dd>"
    }
    let cells: [Markup] = values.filter { !$0.text.isEmpty }.map {
      "<dd><span>\($0.row)</span> \($0.text)</dd>"
    }
    return "\(cells)"
  }

  private static func unit(_ name: String) -> String {
    guard let metric = MetricCatalog.metric(name), metric.unit != .count else { return "" }
    return metric.unit.rawValue
  }

  private static func formula(_ name: String) -> String {
    MetricCatalog.metric(name)?.formula ?? ""
  }
}
