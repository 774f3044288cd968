/// What a step really does with a file on the real engine, instead of using up a processor for a stated time.
///
/// The item at place `n` of its workload works on file `n` of the workload's folder, again from the first one once
/// all had their turn.
public enum FileTask: String, CaseIterable, Sendable {
  /// Asks for its size.
  case stat
  /// Reads it from its begin to its end.
  case readFile = "read-file"
  /// Reads it and works out its SHA-256.
  case sha256
  /// Inserts a row with what the steps before have found out into a database, or replaces it.
  case sqliteInsert = "sqlite-insert"
}

/// What one step that really worked cost, each time it did.
public struct StepMeasurement: Hashable, Sendable {
  /// Whose step it is.
  public let workload: WorkloadIndex
  /// Its place among the workload's steps.
  public let step: Int
  /// Processor time, in no particular order.
  public let costs: [TimeSpan]

  /// - Parameters:
  ///   - workload: whose step it is.
  ///   - step: its place among the workload's steps.
  ///   - costs: by item, what it took.
  public init(workload: WorkloadIndex, step: Int, costs: [TimeSpan]) {
    self.workload = workload
    self.step = step
    self.costs = costs
  }
}
