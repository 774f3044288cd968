/// The table of a workload's recorded items beside the file of its scenario: when each one arrived, and the processor time and,
/// for steps with waits, the wait of each step.
package struct ItemTable<Item> {
  /// In nanoseconds.
  package typealias Cost = (cpu: Int64, wait: Int64)

  private let file: String
  private let steps: [String]
  private let items: [Item]
  private let arrival: (Item) -> Int64
  private let cost: (Item, _ step: Int) -> Cost
  private let waits: [Bool]

  /// `steps` are the names of their columns, `arrival` is in nanoseconds.
  package init(
    file: String, steps: [String], _ items: [Item], arrival: @escaping (Item) -> Int64,
    cost: @escaping (Item, _ step: Int) -> Cost
  ) {
    self.file = file
    self.steps = steps
    self.items = items
    self.arrival = arrival
    self.cost = cost
    waits = steps.indices.map { step in items.contains { cost($0, step).wait > 0 } }
  }

  // MARK: In the scenario

  /// The arrival of the workload.
  package var arrivals: String { "arrival: \(recorded("arrival"))" }

  /// The costs of a step.
  package func costs(ofStep step: Int) -> String {
    "cpu: \(recorded("\(steps[step])_cpu"))"
      + (waits[step] ? ", wait: \(recorded("\(steps[step])_wait"))" : "")
  }

  private func recorded(_ column: String) -> String { "{recorded: \(file), column: \(column)_ms}" }

  // MARK: The table

  package var text: String {
    let columns = steps.indices.flatMap { step in
      ["\(steps[step])_cpu_ms"] + (waits[step] ? ["\(steps[step])_wait_ms"] : [])
    }
    var text = (["arrival_ms"] + columns).joined(separator: ",") + "\n"
    for item in items {
      text += Decimal.text(units: arrival(item), places: 6)
      for step in steps.indices {
        let (cpu, wait) = cost(item, step)
        text += ",\(Decimal.text(units: cpu, places: 6))"
        if waits[step] { text += ",\(Decimal.text(units: wait, places: 6))" }
      }
      text += "\n"
    }
    return text
  }
}
