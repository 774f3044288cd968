import FrameBudget
import FrameBudgetScenarios

/// The shortest scenario with a service and a workload, with further lines after it.
struct Minimal {
  static let text = """
    scenario: minimal
    display: {refresh: 60 Hz}
    duration: 10 s
    services: {gallery: {}, catalogue: {}}
    workloads:
      - name: add
        arrival: {once: 10}
        steps: [{service: gallery, cpu: 1 ms}]

    """

  static func scenario(_ more: String = "", _ overrides: String...) throws -> Scenario {
    try parse(more, overrides)
  }

  /// The error that `more` or the overrides give.
  static func error(_ more: String = "", _ overrides: String...) -> String? {
    do {
      _ = try parse(more, overrides)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func parse(_ more: String, _ overrides: [String]) throws -> Scenario {
    try ScenarioFile.parse(
      Array((text + more).utf8), file: "minimal.yaml",
      overrides: overrides.map { try Override(parsing: $0) })
  }

  /// The arrangement under `strategies` in `lines`, which begin with `as: mine`.
  static func arrangement(_ lines: String, more: String = "") throws -> Arrangement? {
    let item = lines.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    return try scenario("\(more)strategies:\n  -\n\(item)\n").strategies.first?.arrangement
  }
}
