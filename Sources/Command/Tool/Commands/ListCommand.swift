internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// Lists strategies, carriers, metrics or scenarios.
struct ListCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract:
      "List strategies with options, carriers, metrics with formulas, and scenarios.",
    discussion: """
      In CSV and JSON, each option of a strategy or a carrier has a row of its own.

      EXAMPLES:
        framebudget list
        framebudget list strategies
        framebudget list metrics --format csv -o metrics.csv
      """)

  enum Topic: String, CaseIterable, ExpressibleByArgument {
    case strategies, carriers, metrics, scenarios
  }

  @Argument(help: "List only this kind.")
  var topic: Topic?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var place = try target.open(on: console, quiet: output.quiet)
    let topics = try (topic.map { [$0] } ?? Topic.allCases).map { topic throws(ToolError) in
      (topic, try entries(topic, on: console))
    }
    let isColored = place.isColored(output.color)
    let parts = topics.map { topic, entries in
      let title = topics.count > 1 ? TextStyle.bold.paint(topic.rawValue, isColored) + "\n" : ""
      return title + TermList.text(entries.map(\.term), width: place.width, isColored: isColored)
    }
    try place.write(
      output.format.text(ListEntry.table(topics), parts.joined(separator: "\n")))
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
      (MetricCatalog.all + [.spanCost]).map { metric in
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
  /// Which values are good, unless small ones are.
  fileprivate var judgement: String? {
    if let bands { return "\(bands)" }
    return direction == .higherIsBetter ? "more is better" : nil
  }
}

/// An entry of `list`.
struct ListEntry {
  let name: String
  let meaning: String
  var unit = ""
  /// The values that are good, for a metric.
  var judgement: String?
  /// The names of the metric in other tools.
  var tools: [String] = []
  /// The description of a carrier.
  var carrier: CarrierDescription?
  var options: [StrategyOption] = []

  /// For people.
  var term: TermList.Entry {
    TermList.Entry(
      term: name, meaning: meaning + (unit.isEmpty ? "" : " [\(unit)]"),
      details: promises + [judgement].compactMap(\.self) + tools
        + options.map { "\($0.assignment): \($0.meaning) (\($0.allowed))" })
  }

  private var promises: [String] {
    guard let carrier else { return [] }
    let overtaking = carrier.canOvertake ? ", priorities can overtake" : ""
    let width = carrier.canBeWide ? ", any width" : ""
    return ["order: \(carrier.order.rawValue)\(overtaking)\(width)"]
  }

  /// For programs: a row for each entry, followed by one for each of its options.
  static func table(_ topics: [(topic: ListCommand.Topic, entries: [ListEntry])]) -> RecordTable {
    let records = topics.flatMap { topic, entries in
      entries.flatMap { entry in
        [Record(topic: topic, entry: entry)]
          + entry.options.map { Record(topic: topic, entry: entry, option: $0) }
      }
    }
    return RecordTable("entries", Record.columns, records)
  }

  /// An entry, or one of its options.
  private struct Record {
    let topic: ListCommand.Topic
    let entry: ListEntry
    var option: StrategyOption?

    /// An option has neither a unit nor a carrier.
    private var own: ListEntry? { option == nil ? entry : nil }

    static let columns = [
      Column("topic", "kind of entry") { (record: Self) in .text(record.topic.rawValue) },
      Column("name", "name of the entry") { .text($0.entry.name) },
      Column("option", "name of an option; empty in the entry's own row") {
        $0.option.map { .text($0.name) }
      },
      Column("default", "default of the option") { $0.option.map { .text("\($0.standard)") } },
      Column("allowed", "allowed values of the option") { $0.option.map { .text($0.allowed) } },
      Column("unit", "unit of a metric") {
        $0.own.flatMap { $0.unit.isEmpty ? nil : .text($0.unit) }
      },
      Column("order", "guaranteed order of a carrier") {
        $0.own?.carrier.map { .text($0.order.rawValue) }
      },
      Column("can_overtake", "1 if priorities can overtake on a carrier, else 0") {
        $0.own?.carrier.map { .count($0.canOvertake ? 1 : 0) }
      },
      Column("can_be_wide", "1 if a carrier can have several threads, else 0") {
        $0.own?.carrier.map { .count($0.canBeWide ? 1 : 0) }
      },
      Column("meaning", "one line") { .text($0.option?.meaning ?? $0.entry.meaning) },
    ]
  }
}

/// Prints terms on the left and their meanings on the right.
enum TermList {
  struct Entry {
    var term: String
    var meaning: String
    /// Lines below the meaning.
    var details: [String]
  }

  static func text(_ entries: [Entry], width: Int, isColored: Bool) -> String {
    let column = (entries.map(\.term.count).max() ?? 0) + 2
    let indent = String(repeating: " ", count: column)
    return entries.flatMap { entry in
      var lines = lines(entry.meaning, width: width - column)
      let details = entry.details.flatMap { self.lines($0, width: width - column) }
      lines += details.map { TextStyle.dim.paint($0, isColored) }
      let gap = String(repeating: " ", count: column - entry.term.count)
      let first = entry.term + (lines.isEmpty ? "" : gap + lines.removeFirst())
      return [first] + lines.map { indent + $0 }
    }.map { $0 + "\n" }.joined()
  }

  private static func lines(_ text: String, width: Int) -> [String] {
    Paragraph.wrapped(text, width: max(20, width))
  }
}
