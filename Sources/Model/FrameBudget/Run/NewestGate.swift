/// When items of a workload start of which only the newest matters.
///
/// An item that does not start, or that ends early, is *replaced*: the newer item answers for it.
public enum NewestRule: Hashable, Sendable {
  /// All of them, as soon as they have arrived.
  case all
  /// All of them, but a newer one ends those that wait, and one that runs where its next step would begin.
  case latest
  /// An item that is this old, if no newer one has arrived by then.
  case debounce(TimeSpan)
  /// At most one in this time: the first at once, and the newest of those that arrive meanwhile when the time is over.
  case throttle(TimeSpan)
}

extension NewestRule {
  /// The requirement of arrangements that choose a rule, in words that fit after their name.
  static let need = "needs a workload with 'admission', of which only the newest item matters"
}

extension Scenario {
  /// Whether a newer item may replace an older one in some workload.
  package var hasReplaceableItems: Bool { workloads.contains { $0.admission != nil } }
}

/// Decides which items of workloads start of which only the newest matters: the policy of `NewestRule`, shared by both engines.
///
/// The main thread *looks* when a frame begins, or when it chooses its next event. At each look it first receives everything that
/// has arrived, and then releases what is due.
public struct NewestGate: Sendable {
  private var states: PerWorkload<State>
  /// Whether some workload has a rule.
  public let isUsed: Bool
  /// Whether an item of some workload may end early.
  public let endsItems: Bool

  private struct State: Sendable {
    let rule: NewestRule
    /// The number of items that the main thread has received.
    var received = 0
    /// The newest item, if it waits, and its arrival.
    var held: (number: Int, arrival: Instant)?
    /// When an item last started.
    var started: Instant?

    /// When the item that waits may start; nil if none waits.
    var due: Instant? {
      guard let held else { return nil }
      switch rule {
      case .all, .latest: return held.arrival
      case .debounce(let span): return held.arrival + span
      case .throttle(let span): return started.map { $0 + span } ?? held.arrival
      }
    }
  }

  /// What becomes of an item that the main thread receives.
  public struct Reception: Hashable, Sendable {
    /// Whether it starts now; otherwise it waits.
    public let starts: Bool
    /// The number of the item that it replaces, which has waited until now.
    public let replaced: Int?
  }

  /// Creates the gate of a run.
  public init(_ plan: RunPlan) {
    states = plan.workloads.mapValues { State(rule: $0.newest) }
    isUsed = plan.workloads.contains { $0.newest != .all }
    endsItems = plan.workloads.contains { $0.newest == .latest }
  }

  /// Receives an item at a look at `now`.
  public mutating func receive(
    _ workload: WorkloadIndex, _ number: Int, arrivedAt arrival: Instant, at now: Instant
  ) -> Reception {
    states[workload].received = number + 1
    let state = states[workload]
    switch state.rule {
    case .all, .latest: return Reception(starts: true, replaced: nil)
    case .throttle(let span)
    where state.held == nil && state.started.map { $0 + span <= now } ?? true:
      states[workload].started = now
      return Reception(starts: true, replaced: nil)
    case .debounce, .throttle:
      states[workload].held = (number, arrival)
      return Reception(starts: false, replaced: state.held?.number)
    }
  }

  /// The next item that has waited and starts at a look at `now`; nil if there is none.
  public mutating func release(at now: Instant) -> (workload: WorkloadIndex, number: Int)? {
    guard isUsed else { return nil }
    for workload in states.indices {
      guard let due = states[workload].due, due <= now, let held = states[workload].held.take()
      else { continue }
      states[workload].started = now
      return (workload, held.number)
    }
    return nil
  }

  /// When the next waiting item may start; nil if none waits.
  public var upcoming: Instant? {
    isUsed ? states.compactMap(\.due).min() : nil
  }

  /// Whether an item ends where its next step would begin, because a newer one has been received.
  public func ends(_ workload: WorkloadIndex, _ number: Int) -> Bool {
    states[workload].rule == .latest && number + 1 < states[workload].received
  }

  /// Removes and returns a waiting item.
  public mutating func takeHeld() -> (workload: WorkloadIndex, number: Int)? {
    for workload in states.indices {
      if let held = states[workload].held.take() { return (workload, held.number) }
    }
    return nil
  }
}
