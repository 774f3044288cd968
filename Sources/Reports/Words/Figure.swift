public import FrameBudget

/// Numbers as people read them: no more digits than mean anything.
public enum Figure {
  /// About three digits: `6510`, `16.7`, `1.85`, `0.02`.
  public static func text(_ value: Double) -> String {
    let size = value.magnitude
    if size > 0 && size < 0.005 { return "<0.01" }
    return Decimal.text(value, places: size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)
  }

  /// The same of what may be a lower bound: `>5760`.
  public static func text(_ observation: Observation) -> String {
    guard observation.isBound else { return text(observation.value) }
    return atLeast(observation.value < 0.005 ? "0" : text(observation.value))
  }

  /// A lower bound, already as text.
  static func atLeast(_ text: String) -> String { ">\(text)" }

  /// An upper bound, already as text.
  static func atMost(_ text: String) -> String { "<\(text)" }

  /// A share with one decimal, so that one frame of many does not look like none: `65`, `0.2`, `<0.1`.
  public static func percent(_ value: Double) -> String {
    value > 0 && value < 0.05 ? "<0.1" : Decimal.text(value, places: 1)
  }

  /// A span in the unit that suits it: `6.5 s`, `16.7 ms`, `12 µs`.
  public static func span(milliseconds: Double) -> String {
    if milliseconds >= 60_000 { return minutes(milliseconds / 1000) }
    if milliseconds >= 999.5 { return "\(Decimal.text(milliseconds / 1000, places: 1)) s" }
    if milliseconds >= 0.9995 || milliseconds == 0 { return "\(text(milliseconds)) ms" }
    return "\(text(milliseconds * 1000)) µs"
  }

  private static func minutes(_ seconds: Double) -> String {
    let whole = Int64(seconds.rounded())
    return whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s"
  }

  /// From the least to the most, with the digits of shares or of times: `0–21.5`, `16.7–33.3`.
  static func range(_ range: ClosedRange<Double>, of metric: Metric) -> String {
    func figure(_ value: Double) -> String {
      metric.unit == .percent ? percent(value) : text(value)
    }
    return "\(figure(range.lowerBound))–\(figure(range.upperBound))"
  }

  /// With a sign, where more or less is what matters: `+1`, `-0.3`, `0`.
  static func signed(_ value: Double) -> String {
    let text = text(value.magnitude)
    return text == "0" ? text : (value < 0 ? "-" : "+") + text
  }
}
