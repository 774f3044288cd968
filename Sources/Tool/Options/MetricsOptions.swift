internal import ArgumentParser
internal import FrameBudget

/// Whose numbers are shown.
struct MetricsOptions: ParsableArguments {
  @Option(
    help:
      "Show the numbers that a platform's own tools print; left out, those of the scenario's 'like'."
  )
  var metrics: Choice?

  enum Choice: String, CaseIterable, ExpressibleByArgument {
    case apple, android, chrome, flutter, games, all

    /// The sets it stands for.
    var sets: [MetricSet] { MetricSet(rawValue: rawValue).map { [$0] } ?? MetricSet.allCases }
  }

  /// What was chosen, or else what suits a scenario for `platform`.
  func sets(for platform: ScreenPlatform?) -> [MetricSet] {
    metrics?.sets ?? [platform?.metrics].compactMap(\.self)
  }
}
