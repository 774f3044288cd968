internal import FrameBudget
internal import Reports

/// Something that `list` names, and what it says about it.
struct ListEntry {
  let name: String
  let meaning: String
  var unit = ""
  /// Which of its values are good, if it is a metric.
  var judgement: String?
  /// What it promises, if it is a carrier.
  var carrier: CarrierDescription?
  var options: [StrategyOption] = []

  /// For people.
  var term: Glossary.Entry {
    Glossary.Entry(
      term: name, meaning: meaning + (unit.isEmpty ? "" : " [\(unit)]"),
      details: promises + [judgement].compactMap(\.self)
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
    RecordTable(
      "entries",
      columns: [
        "topic", "name", "option", "default", "allowed", "unit", "order", "can_overtake",
        "can_be_wide", "meaning",
      ],
      rows: topics.flatMap { topic, entries in
        entries.flatMap { entry in entry.rows.map { [.text(topic.rawValue)] + $0 } }
      })
  }

  private var rows: [[MetricValue?]] {
    let own: [MetricValue?] = [
      .text(name), nil, nil, nil, unit.isEmpty ? nil : .text(unit),
      carrier.map { .text($0.order.rawValue) }, carrier.map { .count($0.canOvertake ? 1 : 0) },
      carrier.map { .count($0.canBeWide ? 1 : 0) }, .text(meaning),
    ]
    return [own]
      + options.map { option in
        [
          .text(name), .text(option.name), .text("\(option.standard)"), .text(option.allowed), nil,
          nil, nil, nil, .text(option.meaning),
        ]
      }
  }
}
