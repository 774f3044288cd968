internal import FrameBudget

/// Numbers as the view writes them: as many decimals as can be read at a glance.
enum Number {
  /// Three or so significant digits: `8.25`, `16.7`, `2610`.
  static func text(_ value: Double?) -> String {
    guard let value else { return "–" }
    return fixed(value, places: value < 10 ? 2 : value < 1000 ? 1 : 0)
  }

  /// The same of what may be a lower bound: `>2610`.
  static func text(_ observation: Observation?) -> String {
    (observation?.isBound == true ? ">" : "") + text(observation?.value)
  }

  static func percent(_ value: Double?) -> String {
    value.map { fixed($0, places: $0 < 99.95 ? 1 : 0) + " %" } ?? "–"
  }

  static func count(_ value: Int?) -> String { value.map { "\($0)" } ?? "–" }

  /// `value` with exactly so many decimals.
  static func fixed(_ value: Double, places: Int) -> String {
    var text = Decimal.text(value, places: places)
    guard places > 0 else { return text }
    let decimals = text.split(separator: ".").dropFirst().first?.count ?? 0
    if decimals == 0 { text += "." }
    return text + String(repeating: "0", count: places - decimals)
  }
}
