internal import ArgumentParser
internal import FrameBudget
internal import Reports
internal import ShippedScenarios

/// Lists what there is: strategies, carriers, metrics, scenarios.
struct ListCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract:
      "List strategies with their options, carriers, metrics with their formulas, scenarios.",
    discussion: """
      As CSV and JSON, each option of a strategy or a carrier is a row of its own.

      EXAMPLES:
        framebudget list
        framebudget list strategies
        framebudget list metrics --format csv -o metrics.csv
      """)

  enum Topic: String, CaseIterable, ExpressibleByArgument {
    case strategies, carriers, metrics, scenarios
  }

  @Argument(help: "What to list; everything if left out.")
  var topic: Topic?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var place = try target.open(on: console, quiet: output.quiet)
    let topics = try (topic.map { [$0] } ?? Topic.allCases).map { topic throws(ToolError) in
      (topic, try entries(topic, on: console))
    }
    switch output.format {
    case .table:
      let isColored = place.isColored(output.color)
      let parts = topics.map { topic, entries in
        let title = topics.count > 1 ? TextStyle.bold.paint(topic.rawValue, isColored) + "\n" : ""
        return title
          + Glossary(entries.map(\.term)).text(width: place.width, isColored: isColored)
      }
      try place.write(parts.joined(separator: "\n"))
    case .csv: try place.write(ListEntry.table(topics).csv)
    case .json: try place.write(ListEntry.table(topics).json)
    }
    return .success
  }

  private func entries(_ topic: Topic, on console: Console) throws(ToolError) -> [ListEntry] {
    switch topic {
    case .strategies:
      StrategyCatalog.all.map {
        ListEntry(name: $0.name, meaning: $0.summary, options: $0.options)
      }
    case .carriers:
      CarrierKind.allCases.map(\.description).map {
        ListEntry(name: $0.name, meaning: $0.summary, carrier: $0, options: $0.options)
      }
    case .metrics:
      MetricCatalog.all.map { metric in
        ListEntry(
          name: metric.name, meaning: metric.formula, unit: metric.unit.rawValue,
          judgement: metric.judgement,
          tools: PlatformMetric.all.filter { $0.metric.name == metric.name }
            .map { "\($0.set.rawValue): \($0.theirs)" })
      }
    case .scenarios:
      try ShippedScenarios.all.map { shipped throws(ToolError) in
        let scenario = try ScenarioSource(shipped.name, on: console).scenario()
        return ListEntry(name: shipped.name, meaning: scenario.about)
      }
    }
  }
}

extension Metric {
  /// Which of its values are good ones, where those are not simply the small ones.
  fileprivate var judgement: String? {
    if let bands { return "\(bands)" }
    return direction == .higherIsBetter ? "more is better" : nil
  }
}
