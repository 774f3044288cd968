internal import ArgumentParser
internal import FrameBudget

/// Whose numbers are shown.
struct MetricsOptions: ParsableArguments {
  @Option(
    help:
      "Show the numbers that a platform's own tools print; left out, those of the scenario's 'like', or of the recording."
  )
  var metrics: Choice?

  struct Choice: ExpressibleByArgument {
    let sets: [MetricSet]

    private static let all = "all"
    static let allValueStrings = MetricSet.allCases.map(\.rawValue) + [all]
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    init?(argument: String) {
      if argument == Self.all {
        sets = MetricSet.allCases
      } else if let set = MetricSet(rawValue: argument) {
        sets = [set]
      } else {
        return nil
      }
    }
  }

  /// What was chosen, or else what suits a scenario for `platform`.
  func sets(for platform: ScreenPlatform?) -> [MetricSet] {
    metrics?.sets ?? [platform?.metrics].compactMap(\.self)
  }
}
