internal import FrameBudget
internal import Reports

/// Something that `list` names, and what it says about it.
struct ListEntry {
  let name: String
  let meaning: String
  var unit = ""
  /// Which of its values are good, if it is a metric.
  var judgement: String?
  /// Which tools print it under which names, if it is a metric.
  var tools: [String] = []
  /// What it promises, if it is a carrier.
  var carrier: CarrierDescription?
  var options: [StrategyOption] = []

  /// For people.
  var term: Glossary.Entry {
    Glossary.Entry(
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

  /// For programs: a row for each entry, and behind it one for each of its options.
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
      Column("topic", "what was asked for") { (record: Self) in .text(record.topic.rawValue) },
      Column("name", "what is listed") { .text($0.entry.name) },
      Column("option", "of it; empty in its own row") { $0.option.map { .text($0.name) } },
      Column("default", "of the option") { $0.option.map { .text("\($0.standard)") } },
      Column("allowed", "for the option") { $0.option.map { .text($0.allowed) } },
      Column("unit", "of a metric") { $0.own.flatMap { $0.unit.isEmpty ? nil : .text($0.unit) } },
      Column("order", "of a carrier: what it promises") {
        $0.own?.carrier.map { .text($0.order.rawValue) }
      },
      Column("can_overtake", "of a carrier: 1 if priorities can overtake, else 0") {
        $0.own?.carrier.map { .count($0.canOvertake ? 1 : 0) }
      },
      Column("can_be_wide", "of a carrier: 1 if it can have several threads, else 0") {
        $0.own?.carrier.map { .count($0.canBeWide ? 1 : 0) }
      },
      Column("meaning", "in a line") { .text($0.option?.meaning ?? $0.entry.meaning) },
    ]
  }
}
