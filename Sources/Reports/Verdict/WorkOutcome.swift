public import FrameBudget

/// What became of one workload under one strategy, or of all work together where results do not tell it apart.
public struct WorkOutcome: Hashable, Sendable {
  /// The workload's name; empty for all work together.
  public let name: String
  /// What one of its items is called, in the singular; nil where the scenario does not say.
  public let item: String?
  /// How many items arrived.
  public let arrived: Int
  /// How many of them were not done at the end, or given up.
  public let left: Int
  /// How many responses came late, or were open for too long; nil where nobody waits for one.
  public let late: Int?
  /// The slowest response in milliseconds; a lower bound where somebody still waited.
  public let slowest: Observation?

  public init(
    name: String, item: String? = nil, arrived: Int, left: Int, late: Int?, slowest: Observation?
  ) {
    (self.name, self.item) = (name, item)
    (self.arrived, self.left) = (arrived, left)
    (self.late, self.slowest) = (late, slowest)
  }

  /// Reads a row of a summary, or of workloads.
  init(_ row: ResultRow) {
    func count(_ metric: Metric) -> Int { row[metric].map { Int($0) } ?? 0 }
    name = row.workload
    item = row.item.isEmpty ? nil : row.item
    left = count(.itemsPending) + count(.itemsCancelled)
    arrived = count(.itemsDone) + left
    late = row[.responsesLate].map { Int($0) }
    slowest = row.observed(Metric.response(.max).name)
  }

  /// What a response is called: as its item, else as its workload.
  var response: String { item ?? name }

  /// The same with those that have the same `item` as one, where the first of them stands.
  static func together(_ work: [WorkOutcome]) -> [WorkOutcome] {
    work.reduce(into: []) { all, one in
      let place = all.firstIndex { $0.item != nil && $0.item == one.item }
      if let place { all[place] = all[place].adding(one) } else { all.append(one) }
    }
  }

  private func adding(_ other: WorkOutcome) -> WorkOutcome {
    let slowest = [slowest, other.slowest].compactMap(\.self).max { $0.value < $1.value }
    return WorkOutcome(
      name: name, item: item, arrived: arrived + other.arrived, left: left + other.left,
      late: late.map { $0 + (other.late ?? 0) } ?? other.late, slowest: slowest)
  }
}
