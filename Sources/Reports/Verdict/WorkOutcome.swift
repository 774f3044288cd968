public import FrameBudget

/// What became of one workload under one strategy, or of all work together where results do not tell it apart.
public struct WorkOutcome: Hashable, Sendable {
  /// The workload's name; empty for all work together.
  public let name: String
  /// How many items arrived.
  public let arrived: Int
  /// How many of them were not done at the end, or given up.
  public let left: Int
  /// How many responses came late, or were open for too long; nil where nobody waits for one.
  public let late: Int?
  /// The slowest response in milliseconds; a lower bound where somebody still waited.
  public let slowest: Observation?

  public init(name: String, arrived: Int, left: Int, late: Int?, slowest: Observation?) {
    (self.name, self.arrived, self.left) = (name, arrived, left)
    (self.late, self.slowest) = (late, slowest)
  }

  /// Reads a row of a summary, or of workloads.
  init(_ row: ResultRow) {
    func count(_ metric: Metric) -> Int { row[metric].map { Int($0) } ?? 0 }
    name = row.workload
    left = count(.itemsPending) + count(.itemsCancelled)
    arrived = count(.itemsDone) + left
    late = row[.responsesLate].map { Int($0) }
    slowest = row.observed(Metric.response(.max).name)
  }
}
