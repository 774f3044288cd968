/// The parts of items that leave some of their steps to others: the chain of steps that an item goes through itself, and a
/// fork for each that it does not await. The one place that decides when a join continues and when such an item is done, the
/// same in both engines.
public struct ItemParts: Sendable {
  /// By item; nil for workloads whose items are in one piece.
  private var states: PerWorkload<ContiguousArray<State>?>

  private struct State {
    /// Forks that are not over.
    var open: Int32 = 0
    /// Parts that a thread is at.
    var running: Int32 = 0
    /// The step that the chain waits with; negative while it does not wait.
    var waiting: Int32 = -1
    var isChainOver = false
  }

  /// What follows from the end of a part.
  public enum End: Hashable, Sendable {
    /// Others go on.
    case nothing
    /// The chain, which has waited for it, continues with this step on the thread that ended the part.
    case resumes(step: Int)
    /// The item is done.
    case isDone
  }

  /// Of a run that begins.
  public init(_ plan: RunPlan) {
    states = plan.workloads.mapValues { $0.hasForks ? [] : nil }
  }

  /// Whether items of `workload` can have several parts; of others nothing here is to be asked.
  public func covers(_ workload: WorkloadIndex) -> Bool { states[workload] != nil }

  // MARK: Threads

  /// Notes that a thread begins with a part; returns whether no other one is at the item.
  public mutating func begins(_ workload: WorkloadIndex, _ item: Int) -> Bool {
    change(workload, item) { state in
      state.running += 1
      return state.running == 1
    }
  }

  /// Notes that a thread releases a part; returns whether no other thread has the item.
  public mutating func letsGo(_ workload: WorkloadIndex, _ item: Int) -> Bool {
    change(workload, item) { state in
      state.running -= 1
      return state.running == 0
    }
  }

  // MARK: Forks and joins

  /// Notes that the item leaves a step to another lane.
  public mutating func forks(_ workload: WorkloadIndex, _ item: Int) {
    change(workload, item) { $0.open += 1 }
  }

  /// Whether some of what the item has left to others is not over.
  public func hasOpen(_ workload: WorkloadIndex, _ item: Int) -> Bool {
    guard let all = states[workload], all.indices.contains(item) else { return false }
    return all[item].open > 0
  }

  /// Whether the chain, which has come to a joining step, has to wait there: the thread that ends the last fork continues it.
  public mutating func waits(_ workload: WorkloadIndex, _ item: Int, at step: Int) -> Bool {
    guard hasOpen(workload, item) else { return false }
    change(workload, item) { $0.waiting = Int32(step) }
    return true
  }

  /// Notes that a fork is over.
  public mutating func forkEnds(_ workload: WorkloadIndex, _ item: Int) -> End {
    change(workload, item) { state in
      state.open -= 1
      guard state.open == 0 else { return .nothing }
      guard state.waiting >= 0 else { return state.isChainOver ? .isDone : .nothing }
      defer { state.waiting = -1 }
      return .resumes(step: Int(state.waiting))
    }
  }

  /// Notes that the chain has no further step.
  public mutating func chainEnds(_ workload: WorkloadIndex, _ item: Int) -> End {
    change(workload, item) { state in
      state.isChainOver = true
      return state.open == 0 ? .isDone : .nothing
    }
  }

  // MARK: The end of a run

  /// Notes that a thread held a part when the run stopped; returns whether all parts are accounted for now.
  public mutating func givesUp(_ workload: WorkloadIndex, _ item: Int, isFork: Bool) -> Bool {
    change(workload, item) { state in
      if isFork { state.open -= 1 } else { state.isChainOver = true }
      return state.open == 0 && (state.isChainOver || state.waiting >= 0)
    }
  }

  private mutating func change<Result>(
    _ workload: WorkloadIndex, _ item: Int, _ body: (inout State) -> Result
  ) -> Result {
    guard var all = states[workload].take() else {
      preconditionFailure("an item of several parts")
    }
    defer { states[workload] = all }
    let missing = item + 1 - all.count
    if missing > 0 { all.append(contentsOf: repeatElement(State(), count: missing)) }
    return body(&all[item])
  }
}
