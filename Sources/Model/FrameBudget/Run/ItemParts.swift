/// The parts of items with forks: the chain of steps that an item runs itself, and a fork for each step that it does not await.
/// It alone determines when a join continues and when such an item is done, for both engines.
public struct ItemParts: Sendable {
  /// By item; nil for workloads whose items have no forks.
  private var states: PerWorkload<ContiguousArray<State>?>

  private struct State {
    /// Forks that have not ended.
    var open: Int32 = 0
    /// Parts that a thread is running.
    var running: Int32 = 0
    /// The step with which the chain waits; negative if it does not wait.
    var waiting: Int32 = -1
    var isChainOver = false
  }

  /// The consequence of the end of a part.
  public enum End: Hashable, Sendable {
    /// Other parts continue.
    case nothing
    /// The chain, which has waited, continues with this step on the thread that ended the part.
    case resumes(step: Int)
    /// The item is done.
    case isDone
  }

  /// Creates the state for a run.
  public init(_ plan: RunPlan) {
    states = plan.workloads.mapValues { $0.hasForks ? [] : nil }
  }

  /// Whether items of `workload` can have several parts; otherwise nothing else may be called for them.
  public func covers(_ workload: WorkloadIndex) -> Bool { states[workload] != nil }

  // MARK: Threads

  /// Records that a thread begins a part; returns whether no other thread is running the item.
  public mutating func begins(_ workload: WorkloadIndex, _ item: Int) -> Bool {
    change(workload, item) { state in
      state.running += 1
      return state.running == 1
    }
  }

  /// Records that a thread releases a part; returns whether no other thread is running the item.
  public mutating func releases(_ workload: WorkloadIndex, _ item: Int) -> Bool {
    change(workload, item) { state in
      state.running -= 1
      return state.running == 0
    }
  }

  // MARK: Forks and joins

  /// Records that the item forks a step to another lane.
  public mutating func forks(_ workload: WorkloadIndex, _ item: Int) {
    change(workload, item) { $0.open += 1 }
  }

  /// Whether some forks of the item have not ended.
  public func hasOpen(_ workload: WorkloadIndex, _ item: Int) -> Bool {
    guard let all = states[workload], all.indices.contains(item) else { return false }
    return all[item].open > 0
  }

  /// Whether the chain, which has reached a join, has to wait there; the thread that ends the last fork continues it.
  public mutating func waits(_ workload: WorkloadIndex, _ item: Int, at step: Int) -> Bool {
    guard hasOpen(workload, item) else { return false }
    change(workload, item) { $0.waiting = Int32(step) }
    return true
  }

  /// Records that a fork has ended.
  public mutating func forkEnds(_ workload: WorkloadIndex, _ item: Int) -> End {
    change(workload, item) { state in
      state.open -= 1
      guard state.open == 0 else { return .nothing }
      guard state.waiting >= 0 else { return state.isChainOver ? .isDone : .nothing }
      defer { state.waiting = -1 }
      return .resumes(step: Int(state.waiting))
    }
  }

  /// Records that the chain has no further step.
  public mutating func chainEnds(_ workload: WorkloadIndex, _ item: Int) -> End {
    change(workload, item) { state in
      state.isChainOver = true
      return state.open == 0 ? .isDone : .nothing
    }
  }

  // MARK: The end of a run

  /// Records that a thread held a part when the run stopped; returns whether all parts are now accounted for.
  public mutating func abandons(_ workload: WorkloadIndex, _ item: Int, isFork: Bool) -> Bool {
    change(workload, item) { state in
      if isFork { state.open -= 1 } else { state.isChainOver = true }
      return state.open == 0 && (state.isChainOver || state.waiting >= 0)
    }
  }

  /// Whether the chain waits at a join, so that a step of it has not begun.
  public func waitsAtJoin(_ workload: WorkloadIndex, _ item: Int) -> Bool {
    guard let all = states[workload], all.indices.contains(item) else { return false }
    return all[item].waiting >= 0
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
