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
  /// These parts of drawing run early, in idle time of the main thread: up to this many frames, at most as many as their input is
  /// known.
  case prefetch(parts: [String], frames: Int)
  /// Frames run at most this much of each of these parts of drawing; the rest comes in later frames.
  case spread(parts: [String], budget: TimeSpan)
  /// A lane prepares these parts of drawing: up to this many frames early, at most as many as their input is known. It is a new one,
  /// unless a lane prepares others.
  case prepare(parts: [String], frames: Int)
  /// Frames are due this many periods later, in as many more buffers.
  case presentLater(Int)

  /// The policies to try in `scenario`, those first that need no thread. Not those that show frames incomplete or later.
  static func all(in scenario: Scenario) -> [Policy] {
    usual + prefetches(in: scenario) + prepares(in: scenario)
  }

  /// Each of the heaviest parts of drawing whose input is known early, and all of them together; the fewest frames first.
  static func prefetches(in scenario: Scenario) -> [Policy] {
    sets(of: scenario.foreseenParts).flatMap { set in
      let names = set.map(\.name)
      return frames(of: set, upTo: 8).map { Policy.prefetch(parts: names, frames: $0) }
    }
  }

  /// Every way to prefetch the heaviest parts of drawing, each by its own number of frames.
  static func combinedPrefetches(in scenario: Scenario) -> [[Policy]] {
    combined(scenario.foreseenParts) { part in
      frames(of: [part], upTo: 4).map { .prefetch(parts: [part.name], frames: $0) }
    }
  }

  /// Each of the heaviest parts of drawing, and all of them together; the fewest frames first.
  static func prepares(in scenario: Scenario) -> [Policy] {
    sets(of: scenario.heaviestFirst(scenario.frameParts)).flatMap { set in
      let isKnownEarly = set.contains { $0.ahead != nil }
      return ([0] + (isKnownEarly ? frames(of: set, upTo: 3) : [])).map {
        Policy.prepare(parts: set.map(\.name), frames: $0)
      }
    }
  }

  /// Every choice of several of the heaviest parts of drawing, each prepared as early as its input is known.
  static func combinedPrepares(in scenario: Scenario) -> [[Policy]] {
    combined(scenario.heaviestFirst(scenario.frameParts)) {
      [.prepare(parts: [$0.name], frames: $0.ahead ?? 0)]
    }
  }

  /// Each of the heaviest parts of drawing, and all of them together, in every sixteenth of a period.
  static func spreads(in scenario: Scenario) -> [Policy] {
    sets(of: scenario.heaviestFirst(scenario.frameParts)).flatMap { set in
      (1...16).reversed().map {
        .spread(parts: set.map(\.name), budget: budget($0, in: scenario))
      }
    }
  }

  /// Every way to spread several of the heaviest parts of drawing, each in its own share of a period.
  static func combinedSpreads(in scenario: Scenario) -> [[Policy]] {
    combined(scenario.heaviestFirst(scenario.frameParts)) { part in
      [8, 4, 2].map { .spread(parts: [part.name], budget: budget($0, in: scenario)) }
    }
  }

  /// As many periods later as some screen has.
  static let laterPresentations = (1..<Pipeline.deadlines.upperBound).map(Policy.presentLater)

  /// Each of the first of `parts`, and all of them together.
  private static func sets(of parts: [FramePart]) -> [[FramePart]] {
    parts.prefix(maxParts).map { [$0] } + (parts.count > 1 ? [parts] : [])
  }

  /// Every choice of one of the policies each for several of the first of `parts`.
  private static func combined(
    _ parts: [FramePart], _ policies: (FramePart) -> [Policy]
  ) -> [[Policy]] {
    parts.prefix(maxParts).reduce([[]]) { ways, part in
      ways + policies(part).flatMap { policy in ways.map { $0 + [policy] } }
    }.filter { $0.count > 1 }
  }

  /// So many sixteenths of a period, in tenths of a millisecond.
  private static func budget(_ sixteenths: Int, in scenario: Scenario) -> TimeSpan {
    let share = scenario.display.refresh.period.nanoseconds * Int64(sixteenths) / 16
    let step = FramePart.shortestUnit.nanoseconds
    return TimeSpan(nanoseconds: max(step, share / step * step))
  }

  /// The numbers of frames to try: each up to `all`, and the most.
  private static func frames(of parts: [FramePart], upTo all: Int) -> [Int] {
    let most = parts.compactMap(\.ahead).max() ?? 0
    return (1...all).filter { $0 < most } + [most]
  }

  /// The largest number of parts of drawing that are tried one by one.
  static let maxParts = 4

  /// Those of `parts` that are tried one by one.
  static func heaviest(_ parts: [FramePart], of scenario: Scenario) -> ArraySlice<FramePart> {
    scenario.heaviestFirst(parts).prefix(maxParts)
  }

  private static let usual: [Policy] =
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
  func applied(
    to arrangement: Arrangement, of scenario: Scenario, newLaneOn carrier: CarrierKind = .scheduler
  ) -> Arrangement? {
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
    case .prefetch(let parts, let frames):
      changed.setRule(of: parts, in: scenario) { part in
        part.ahead.map { .prefetched(frames: min(frames, $0), estimate: .learned) }
      }
    case .spread(let parts, let budget):
      changed.setRule(of: parts, in: scenario) { _ in .spread(budget: budget) }
    case .prepare(let parts, let frames):
      let lane = changed.laneForDrawing(on: carrier)
      changed.setRule(of: parts, in: scenario) {
        .prepared(lane: lane, frames: min(frames, $0.ahead ?? 0))
      }
      if changed.frameParts == arrangement.frameParts { return nil }
    case .presentLater(let periods):
      // Without a second stage, a loop of frames begins none while it is late.
      let display = scenario.display
      guard display.mainLoop != .frame || display.pipeline.hasSecondStage else { return nil }
      changed.presentsLater += periods
      guard display.presenting(later: changed.presentsLater).pipeline.isAllowed else { return nil }
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
    case .prefetch(let parts, let frames):
      "prefetch \(English.list(parts)) \(frames == 1 ? "a frame" : "up to \(frames) frames") early"
    case .spread(let parts, let budget):
      "spread \(English.list(parts)) over frames, at most \(budget) in each"
    case .prepare(let parts, let frames):
      "prepare \(English.list(parts)) on another lane "
        + (frames == 0
          ? "as a frame begins" : frames == 1 ? "a frame early" : "up to \(frames) frames early")
    case .presentLater(1): "show every frame a period later, from one more buffer"
    case .presentLater(let periods):
      "show every frame \(periods) periods later, from \(periods) more buffers"
    }
  }
}

extension Scenario {
  /// The parts of drawing whose input is known before their frames, those first that take the most time in the whole run.
  fileprivate var foreseenParts: [FramePart] {
    heaviestFirst(frameParts.filter { $0.ahead != nil })
  }

  /// `parts`, if they are more than are tried one by one those first that take the most time.
  fileprivate func heaviestFirst(_ parts: [FramePart]) -> [FramePart] {
    guard parts.count > Policy.maxParts else { return parts }
    let works = parts.map { part in
      let plan = FramePartPlan(part, seed: seed)
      let vsyncs = display.refresh.vsyncs(through: .zero + duration)
      return (part: part, work: (0..<vsyncs).reduce(TimeSpan.zero) { $0 + plan.cost(vsync: $1) })
    }
    return works.enumerated().sorted {
      ($1.element.work, $0.offset) < ($0.element.work, $1.offset)
    }.map(\.element.part)
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
  /// Sets the rule of the parts of drawing with these names. What is in a cache stays there.
  fileprivate mutating func setRule(
    of names: [String], in scenario: Scenario, _ rule: (FramePart) -> FramePartRule?
  ) {
    let rules = scenario.frameParts.enumerated().map { index, part in
      let old = self.rule(ofFramePart: index)
      return names.contains(part.name) && !old.isCache ? rule(part) ?? old : old
    }
    setRules(ofFrameParts: rules)
  }

  /// The lane that prepares parts of drawing; a new one if none does.
  fileprivate mutating func laneForDrawing(on carrier: CarrierKind) -> LaneIndex {
    if let lane = frameParts.lazy.compactMap(\.lane).first { return lane }
    return addLane("drawing", on: carrier)
  }

  /// Adds a lane of that name, with a number behind it if there is one.
  mutating func addLane(_ wanted: String, on carrier: CarrierKind) -> LaneIndex {
    let names = Set(lanes.map(\.name))
    var (name, number) = (wanted, 1)
    while names.contains(name) {
      number += 1
      name = "\(wanted)-\(number)"
    }
    lanes.append(Lane(name: name, carrier: carrier))
    return lanes.endIndex.advanced(by: -1)
  }

  /// Whether several threads may serve `lane`: all of its services let them in, and advice may move them.
  fileprivate func letsThreadsIn(_ lane: LaneIndex, of scenario: Scenario) -> Bool {
    let here = scenario.services.indices.filter { placement[$0] == .home(lane) }
    return !here.isEmpty
      && here.allSatisfy { !scenario.services[$0].isExclusive && !scenario.services[$0].isKept }
  }

  /// The lanes with steps that a user waits for, and those that prepare drawing.
  fileprivate func awaitedLanes(of scenario: Scenario) -> Set<LaneIndex> {
    let awaited = scenario.workloads.indexed.filter { _, workload in
      workload.priority == .user || workload.respondWithin != nil
    }
    return Set(awaited.flatMap { lanes(of: $0.0, in: scenario) } + frameParts.compactMap(\.lane))
  }

  /// Whether any step runs on the main thread.
  fileprivate func worksOnMain(in scenario: Scenario) -> Bool {
    scenario.workloads.indices.contains { lanes(of: $0, in: scenario).contains(.main) }
  }
}
