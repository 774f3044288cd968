public import FrameBudget

/// A rule of an arrangement, which can change without moving a service.
public enum Policy: Hashable, Sendable {
  /// Tasks on main end early.
  case yield(Yielding)
  /// Workloads with a priority overtake queued items, on all lanes that support it.
  case overtake
  /// Only items that fit into the frame may start.
  case admit(Admission.Fitting)
  /// All locks are of this kind.
  case lock(Lock.Kind)
  /// Lanes on which no user waits get this nice value.
  case lowerPriority(Int)
  /// How results return.
  case results(Returning)
  /// When snapshots are published.
  case publish(Reading.PublishRule)

  /// The policies to try, those first that need no thread.
  static let all: [Policy] =
    [
      .yield(Yielding()), .yield(Yielding(.after(.milliseconds(5)))), .overtake,
      .admit(Admission.Fitting()), .lock(.fair), .lock(.inheriting), .lowerPriority(10),
      .results(.coalesced), .results(.drained(budget: .milliseconds(1))),
      .results(.drained(budget: .milliseconds(4))),
    ] + Reading.PublishRule.allCases.map(Policy.publish)

  /// `arrangement` with this policy; nil if it does not apply or changes nothing.
  func applied(to arrangement: Arrangement, of scenario: Scenario) -> Arrangement? {
    var changed = arrangement
    switch self {
    case .yield(let yielding):
      guard Yielding.isPossible(on: scenario.display), arrangement.yielding == nil,
        arrangement.worksOnMain(in: scenario)
      else { return nil }
      changed.yielding = yielding
    case .overtake:
      let priorities = Set(scenario.workloads.map(\.priority))
      guard priorities.count == Workload.Priority.allCases.count else { return nil }
      for lane in changed.lanes.indices.dropFirst() {
        if changed.lanes[lane].carrier.description.canOvertake {
          changed.lanes[lane].overtaking = true
        }
      }
    case .admit(let fitting):
      guard arrangement.admission == .all, arrangement.lanes.count == 1,
        scenario.display.mainLoop == .frame
      else { return nil }
      changed.admission = .fitting(fitting)
    case .lock(let kind):
      for lock in changed.locks.indices { changed.locks[lock].kind = kind }
    case .lowerPriority(let nice):
      let awaited = arrangement.awaitedLanes(of: scenario)
      for lane in changed.lanes.indices.dropFirst() where !awaited.contains(lane) {
        changed.lanes[lane].lowerPriority(nice)
      }
    case .results(let returning):
      guard !arrangement.endsOnMain(scenario) else { return nil }
      changed.returning = returning
    case .publish(let rule):
      guard arrangement.reading.publishRule != nil else { return nil }
      changed.reading = .snapshot(rule)
    }
    return changed == arrangement ? nil : changed
  }

  /// A few words that say what to do.
  public var words: String {
    switch self {
    case .yield(let yielding): "end tasks on main \(yielding.grainWords)"
    case .overtake: "let priorities overtake"
    case .admit: "admit only what fits into the frame"
    case .lock(let kind): "make locks \(kind.rawValue)"
    case .lowerPriority(let nice): "set nice \(nice) for lanes that no user waits for"
    case .results(.coalesced): "take results as one update"
    case .results(.drained(let budget)): "take results for \(budget) in each frame"
    case .results(.inPlace): "take all results when a frame begins"
    case .publish(let rule): "publish snapshots \(rule.rawValue)"
    }
  }
}

extension Yielding {
  fileprivate var grainWords: String {
    switch grain {
    case .step: "after each step"
    case .after(let span): "after \(span)"
    }
  }
}

extension Lane {
  fileprivate mutating func lowerPriority(_ nice: Int) {
    guard self.nice == 0, renices.isEmpty,
      carrier.description.niceValues?.contains(nice) ?? true
    else { return }
    self.nice = nice
  }
}

extension Arrangement {
  /// The lanes with steps that a user waits for.
  fileprivate func awaitedLanes(of scenario: Scenario) -> Set<LaneIndex> {
    let awaited = scenario.workloads.indexed.filter { _, workload in
      workload.priority == .user || workload.respondWithin != nil
    }
    return Set(awaited.flatMap { lanes(of: $0.0, in: scenario) })
  }

  /// Whether any step runs on the main thread.
  fileprivate func worksOnMain(in scenario: Scenario) -> Bool {
    scenario.workloads.indices.contains { lanes(of: $0, in: scenario).contains(.main) }
  }
}
