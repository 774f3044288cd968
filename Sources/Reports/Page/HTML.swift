internal import FrameBudget
internal import Parsing

/// Text made safe for the inside of an element or of a quoted attribute.
enum HTML {
  static func escaped(_ text: some StringProtocol) -> String {
    var escaped = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A table with a header; numbers stand to the right.
  static func table(_ header: [String], _ rows: [[String]]) -> String {
    let head = header.map(heading).joined()
    let body = rows.map { row in
      let first = row.first.map { "<th scope=\"row\">\(escaped($0))</th>" } ?? ""
      let rest = row.dropFirst().map { "<td>\(escaped($0))</td>" }.joined()
      return "<tr>\(first)\(rest)</tr>\n"
    }
    return "<div class=\"scroll\"><table><thead><tr>\(head)</tr></thead>\n<tbody>"
      + "\(body.joined())</tbody></table></div>\n"
  }

  /// The head of a column; of a metric with its unit, and its formula as a title.
  static func heading(_ name: String) -> String {
    guard let metric = MetricCatalog.metric(name) else {
      return "<th scope=\"col\">\(escaped(name))</th>"
    }
    let unit = metric.unit == .count ? "" : metric.unit.rawValue
    return "<th scope=\"col\" title=\"\(escaped(metric.formula))\">"
      + "\(escaped(name))<small>\(escaped(unit))</small></th>"
  }
}
