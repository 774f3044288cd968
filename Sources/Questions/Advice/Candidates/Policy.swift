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
  /// When items start of which the scenario says that only the newest matters.
  case newest(NewestRule)
  /// How results return.
  case results(Returning)
  /// When snapshots are published.
  case publish(Reading.PublishRule)
  /// Lanes whose services let several threads in get a thread for each core.
  case parallel

  /// The policies to try, those first that need no thread.
  static let all: [Policy] =
    [
      .yield(Yielding()), .yield(Yielding(.after(.milliseconds(5)))), .overtake,
      .admit(Admission.Fitting()), .lock(.fair), .lock(.inheriting), .lowerPriority(10),
      .results(.coalesced), .results(.drained(budget: .milliseconds(1))),
      .results(.drained(budget: .milliseconds(4))),
    ] + Reading.PublishRule.allCases.map(Policy.publish) + [
      .newest(.latest), .newest(.throttle(.milliseconds(100))),
      .newest(.debounce(.milliseconds(300))), .parallel,
    ]

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
    case .newest(let rule):
      guard arrangement.newest == nil,
        scenario.workloads.contains(where: { $0.admission == .all })
      else { return nil }
      changed.newest = rule
    case .results(let returning):
      guard !arrangement.endsOnMain(scenario) else { return nil }
      changed.returning = returning
    case .publish(let rule):
      guard arrangement.reading.publishRule != nil else { return nil }
      changed.reading = .snapshot(rule)
    case .parallel:
      let lanes = arrangement.lanes.indices.dropFirst()
      for lane in lanes where arrangement.letsThreadsIn(lane, of: scenario) {
        changed.lanes[lane].widen(to: scenario.machine.cores)
      }
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
    case .newest(.all): "let every item start"
    case .newest(.latest): "let a newer item end older ones"
    case .newest(.debounce(let span)): "start the newest item after \(span) without another"
    case .newest(.throttle(let span)): "start the newest item each \(span)"
    case .results(.coalesced): "take results as one update"
    case .results(.drained(let budget)): "take results for \(budget) in each frame"
    case .results(.inPlace): "take all results when a frame begins"
    case .publish(let rule): "publish snapshots \(rule.rawValue)"
    case .parallel: "run services without state in parallel, on a pool of threads"
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

extension Lane {
  /// The lane with `width` threads, on Dispatch's pool if its carrier has one thread.
  fileprivate mutating func widen(to width: Int) {
    guard self.width == 1, width > 1 else { return }
    if !carrier.description.canBeWide { self = Lane(name: name, carrier: .dispatch) }
    self.width = min(width, Self.widths.upperBound)
  }
}

extension Arrangement {
  /// Whether several threads may serve `lane`: all of its services let them in, and advice may move them.
  fileprivate func letsThreadsIn(_ lane: LaneIndex, of scenario: Scenario) -> Bool {
    let here = scenario.services.indices.filter { placement[$0] == .home(lane) }
    return !here.isEmpty
      && here.allSatisfy { !scenario.services[$0].isExclusive && !scenario.services[$0].isKept }
  }

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
