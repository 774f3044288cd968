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
      EXAMPLES:
        framebudget list
        framebudget list strategies
        framebudget list metrics
      """)

  enum Topic: String, CaseIterable, ExpressibleByArgument {
    case strategies, carriers, metrics, scenarios
  }

  @Argument(help: "What to list; everything if left out.")
  var topic: Topic?

  @Option(help: "Colours on standard output.")
  var color = ColorChoice.auto

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let isColored = console.isColored(color)
    let topics = topic.map { [$0] } ?? Topic.allCases
    var parts: [String] = []
    for topic in topics {
      let title = Ink.bold.paint(topic.rawValue, isColored)
      let entries = try entries(topic, on: console)
      let text = Glossary(entries).text(width: console.width, isColored: isColored)
      parts.append(topics.count > 1 ? "\(title)\n\(text)" : text)
    }
    try console.print(parts.joined(separator: "\n"))
    return .success
  }

  private func entries(
    _ topic: Topic, on console: Console
  ) throws(ToolError) -> [Glossary.Entry] {
    switch topic {
    case .strategies:
      return StrategyCatalog.all.map { strategy in
        Glossary.Entry(
          term: strategy.name, meaning: strategy.summary,
          detail: strategy.options.isEmpty ? nil : strategy.options.joined(separator: ", "))
      }
    case .carriers:
      return CarrierKind.allCases.map(\.description).map { carrier in
        let overtaking = carrier.canOvertake ? ", priorities can overtake" : ""
        let width = carrier.canBeWide ? ", any width" : ""
        let options = carrier.options.map { "; \($0.assignment): \($0.meaning) (\($0.allowed))" }
        return Glossary.Entry(
          term: carrier.name, meaning: carrier.summary,
          detail: "order: \(carrier.order.rawValue)\(overtaking)\(width)\(options.joined())")
      }
    case .metrics:
      return MetricCatalog.all.map { metric in
        let unit = metric.unit == .none ? "" : " [\(metric.unit.rawValue)]"
        return Glossary.Entry(
          term: metric.name, meaning: metric.formula + unit, detail: metric.judgement)
      }
    case .scenarios: return try scenarios(on: console)
    }
  }

  private func scenarios(on console: Console) throws(ToolError) -> [Glossary.Entry] {
    var entries: [Glossary.Entry] = []
    for shipped in ShippedScenarios.all {
      let scenario = try ScenarioSource(shipped.name, on: console).scenario()
      entries.append(Glossary.Entry(term: shipped.name, meaning: scenario.about))
    }
    return entries
  }
}

extension Metric {
  /// Which of its values are good ones, where those are not simply the small ones.
  fileprivate var judgement: String? {
    if let bands {
      let limits = [bands.fair, bands.poor].map { Decimal.text($0, places: 2) }
      return "good below \(limits[0]), fair below \(limits[1]), else poor"
    }
    return direction == .higherIsBetter ? "more is better" : nil
  }
}
