public import FrameBudget
internal import FrameBudgetParsing

/// Text broken into lines.
public enum Paragraph {
  /// `text` in lines of at most `width` characters, as far as its words allow; all lines but the first are indented.
  public static func wrapped(_ text: String, width: Int, indent: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.printable.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " \(word)"
      } else {
        lines.append(line)
        line = indent + word
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// The text of groups of lines, with an empty line between two; without empty groups.
  package static func joined(_ parts: [[String]]) -> String {
    parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }
}

/// Numbers for people, without meaningless digits.
public enum Figure {
  /// About three digits: `6510`, `16.7`, `1.85`, `0.02`.
  public static func text(_ value: Double) -> String {
    let size = value.magnitude
    if size > 0 && size < 0.005 { return "<0.01" }
    return Decimal.text(value, places: size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)
  }

  /// The same for an observation, which may be a lower bound: `>5760`.
  public static func text(_ observation: Observation) -> String {
    guard observation.isBound else { return text(observation.value) }
    return atLeast(observation.value < 0.005 ? "0" : text(observation.value))
  }

  /// A lower bound, from its text.
  static func atLeast(_ text: String) -> String { ">\(text)" }

  /// An upper bound, from its text.
  static func atMost(_ text: String) -> String { "<\(text)" }

  /// A share with one decimal, so that one frame of many does not look like zero: `65`, `0.2`, `<0.1`.
  public static func percent(_ value: Double) -> String { Decimal.percent(value) }

  /// A span in a suitable unit: `6.5 s`, `16.7 ms`, `12 µs`.
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

  /// A range, with the digits of shares or of times: `0–21.5`, `16.7–33.3`.
  static func range(_ range: ClosedRange<Double>, of metric: Metric) -> String {
    func figure(_ value: Double) -> String {
      metric.unit == .percent ? percent(value) : text(value)
    }
    return "\(figure(range.lowerBound))–\(figure(range.upperBound))"
  }

  /// With a sign, for differences: `+1`, `-0.3`, `0`.
  static func signed(_ value: Double) -> String {
    let text = text(value.magnitude)
    return text == "0" ? text : (value < 0 ? "-" : "+") + text
  }
}

/// The number of places at which a scenario's code calls a service, and of those at which the service lives on another lane.
///
/// A place counts once, regardless of the number of items and of copies of a workload. The UI's call that hands an item to its
/// first service counts; a service that continues with its own step makes no call.
struct CallCount {
  private(set) var all = 0
  private(set) var acrossLanes = 0

  init(_ scenario: Scenario, under arrangement: Arrangement) {
    var seen = Set<String>()
    for (index, workload) in scenario.workloads.indexed
    where seen.insert(workload.fileName).inserted {
      var caller: (service: ServiceIndex?, lane: LaneIndex) = (nil, .main)
      for step in WorkloadPlan(index, in: scenario, under: arrangement).steps {
        if caller.service != step.service { all += 1 }
        if caller.lane == step.lane {
          caller.service = step.service
        } else {
          acrossLanes += 1
          // The caller of a fork continues with the next step itself.
          if !step.isFork { caller = (step.service, step.lane) }
        }
      }
    }
  }
}
