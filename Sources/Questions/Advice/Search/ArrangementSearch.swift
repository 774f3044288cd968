internal import FrameBudget

/// Searches for arrangements that meet the aims, and keeps what it tried.
struct ArrangementSearch {
  let space: SearchSpace
  let bounds: FeasibilityBounds
  let runner: ArrangementRunner
  let today: Trial
  /// Whether it may show frames incomplete or later, if nothing else helps.
  let mayDegrade: Bool
  let maker: any RunMaker
  /// How often an arrangement reaches the aims in its own runs; nil if the user interrupted them.
  private let steadiness: (Trial) -> Steadiness?
  private var list: CandidateList
  private(set) var trials: [Trial] = []
  private(set) var count = SearchCount()
  /// By arrangement that meets the aims, as far as it was asked for.
  private(set) var known: [Arrangement: Steadiness] = [:]

  /// Up to this number, all placements are tried.
  static let maxPlacements = 4096
  /// Up to this number, each placement is also tried with each change of rules.
  static let maxWithPolicies = 640
  /// The number of weights above that of the smallest change that holds at which cheaper changes are searched.
  static let levelsAbove = 2
  /// The number of placements whose rules are varied, if there are too many for all.
  static let maxSurvivors = 24
  /// The number of arrangements that meet the aims but do not hold in their own runs after which no larger change is tried for
  /// that reason.
  static let maxPoor = 24
  /// The least number of runs if bounds rule out all candidates, so that there is a nearest one.
  static let minRuns = 200

  init(
    _ space: SearchSpace, _ bounds: FeasibilityBounds, _ runner: ArrangementRunner, today: Trial,
    mayDegrade: Bool, maker: any RunMaker, steadiness: @escaping (Trial) -> Steadiness?
  ) {
    self.space = space
    self.bounds = bounds
    self.runner = runner
    self.today = today
    self.mayDegrade = mayDegrade
    self.maker = maker
    self.steadiness = steadiness
    list = CandidateList(space)
  }

  /// The unit of a miss, by aim.
  var scale: [Double] { today.outcome.misses.map { max($0, 1) } }

  /// The trials that meet the aims, the preferred one first.
  var meeting: [Trial] {
    trials.filter(\.outcome.meets).sorted { $0.isPreferred(to: $1) }
  }

  /// The preferred one of those that also reach the aims in enough of their own runs.
  var holding: Trial? { meeting.first { known[$0.arrangement]?.isPoor == false } }

  /// Runs arrangements that meet the aims again, the preferred ones first, until one holds. Returns whether larger changes need not
  /// be tried: one that holds is known, many that do not hold are, or the user interrupted the search.
  @discardableResult
  private mutating func settle() -> Bool {
    if count.isCut || holding != nil { return true }
    for trial in meeting where known[trial.arrangement] == nil {
      guard known.count < Self.maxPoor else { return true }
      guard let steadiness = steadiness(trial) else {
        count.isCut = true
        return true
      }
      known[trial.arrangement] = steadiness
      if !steadiness.isPoor { return true }
    }
    return false
  }

  /// All trials, the nearest first. Only for reaching the aims are frames worth showing later: every answer is later, too.
  var nearest: [Trial] {
    let scale = scale
    return ([today] + trials.filter { $0.outcome.meets || $0.change.periodsLater <= 0 }).sorted {
      $0.isNearer(than: $1, scale: scale)
    }
  }

  mutating func run() {
    runComplete()
    guard mayDegrade, space.request.placesServices, !count.isCut, holding == nil else { return }
    let places = places
    spreadParts(in: places)
    settle()
    tryAll(Policy.laterPresentations.map { [$0] }, in: places)
    settle()
  }

  /// The current places of services, and the nearest ones to the aims.
  private var places: [PlacementCandidate] {
    [today.layout?.withoutPolicies, nearest.first?.layout].compactMap(\.self).distinct()
  }

  /// Tries what shows all frames complete, and none later.
  private mutating func runComplete() {
    var layouts: [PlacementCandidate] = []
    if space.request.placesServices {
      layouts = space.layouts(limit: Self.maxPlacements + 1)
    }
    var whole = space.request.strategies.compactMap { list.candidate($0) }
    guard layouts.count <= Self.maxPlacements else {
      count.isExhaustive = false
      tryAll(whole)
      climb()
      varySurvivors()
      settle()
      return
    }
    count.placements = layouts.count
    whole += layouts.compactMap { list.candidate($0) }
    if layouts.count <= Self.maxWithPolicies {
      whole += layouts.flatMap { variants(of: $0) }
    } else {
      whole += variants(of: PlacementCandidate(homes: space.units.map { _ in .today }))
    }
    ascend(whole)
    if count.isCut { return }
    if !settle() || layouts.count > Self.maxWithPolicies { varySurvivors() }
    settle()
  }

  /// The layout with each change of rules.
  mutating func variants(of layout: PlacementCandidate) -> [Candidate] {
    space.policies.compactMap { policy in
      guard !layout.policies.contains(policy) else { return nil }
      var layout = layout
      layout.policies.append(policy)
      return candidate(layout)
    }
  }

  mutating func candidate(_ layout: PlacementCandidate) -> Candidate? { list.candidate(layout) }

  /// Tries candidates in the order of the size of their change, until one holds and no cheaper one is left near it.
  private mutating func ascend(_ candidates: [Candidate]) {
    let levels = Dictionary(grouping: candidates, by: \.weight).sorted { $0.key < $1.key }
    var above = 0
    var excluded: [Candidate] = []
    for (_, level) in levels {
      excluded += tryAll(level)
      if !settle() { continue }
      if count.isCut { return }
      above += 1
      if above > Self.levelsAbove { return }
    }
    guard meeting.isEmpty, trials.count < Self.minRuns else { return }
    run(Array(excluded.prefix(Self.minRuns - trials.count)))
  }

  /// Runs the candidates that no bound rules out; returns the others.
  @discardableResult
  mutating func tryAll(_ candidates: [Candidate]) -> [Candidate] {
    count.candidates += candidates.count
    var (open, excluded): ([Candidate], [Candidate]) = ([], [])
    for candidate in candidates {
      if bounds.excludes(candidate.arrangement) {
        excluded.append(candidate)
      } else {
        open.append(candidate)
      }
    }
    count.ruledOut += excluded.count
    run(open)
    return excluded
  }

  private mutating func run(_ candidates: [Candidate]) {
    guard !count.isCut, !candidates.isEmpty else { return }
    let runner = runner
    let outcomes = maker.outputs(candidates.count) { runner.outcome(candidates[$0].arrangement) }
    trials += zip(candidates, outcomes).map { $0.trial($1) }
    count.tried += outcomes.count
    if outcomes.count < candidates.count { count.isCut = true }
  }

  /// Changes the rules of the best trials so far: of those that work, for a lower price; otherwise of the nearest.
  private mutating func varySurvivors() {
    let found = meeting
    let survivors = (found.isEmpty ? nearest : found).prefix(Self.maxSurvivors)
    tryAll(survivors.compactMap(\.layout).flatMap { variants(of: $0) })
    combineParts()
  }

  /// Spreads parts of drawing over frames, in each of the places.
  private mutating func spreadParts(in places: [PlacementCandidate]) {
    let ways =
      Policy.spreads(in: space.scenario).map { [$0] } + Policy.combinedSpreads(in: space.scenario)
    tryAll(ways, in: places)
  }

  /// Prefetches several parts of drawing, each by its own number of frames, or prepares several, in the current places and in the
  /// nearest ones.
  private mutating func combineParts() {
    let ways =
      Policy.combinedPrefetches(in: space.scenario) + Policy.combinedPrepares(in: space.scenario)
    let places = [today, nearest.first].compactMap { $0?.layout?.withoutPolicies }.distinct()
    tryAll(ways, in: places)
  }

  /// Tries each combination of policies in each of the places, in addition to theirs.
  private mutating func tryAll(_ ways: [[Policy]], in places: [PlacementCandidate]) {
    tryAll(
      places.flatMap { layout in
        ways.compactMap { policies in
          var layout = layout
          layout.policies += policies
          return candidate(layout)
        }
      })
  }
}

// Hill climbing, for too many placements to try all: from the best one whose neighbours were not tried yet, one step in each
// direction; from several starts, of which the later ones are random.
extension ArrangementSearch {
  /// The largest number of runs.
  static var maxRuns: Int { 3000 }
  /// The number of steps without improvement after which it starts elsewhere.
  static var patience: Int { 6 }
  private static var draws: Int { 3 }

  mutating func climb() {
    var stream = RandomStream(seed: space.request.seed, name: "advice")
    var expanded: Set<PlacementCandidate> = []
    climb(from: beginnings, &expanded)
    for _ in 0..<Self.draws where !count.isCut && count.tried < Self.maxRuns {
      climb(from: [drawn(&stream)], &expanded)
    }
  }

  /// All units on one lane, and each cluster on one, as far as allowed.
  private var beginnings: [PlacementCandidate] {
    let here = PlacementCandidate(homes: space.choices.map { $0.first ?? .today })
    let all = Array(space.units.indices)
    return ([all] + space.clusters).compactMap { group in
      moved(here, all: group.filter { mayMove($0, to: .newLane(0)) }, to: .newLane(0))
    }
  }

  private func drawn(_ stream: inout RandomStream) -> PlacementCandidate {
    let homes = space.choices.map { choices -> Home in
      let home = choices[Int(stream.unit() * Double(choices.count))]
      guard case .newLane = home else { return home }
      return .newLane(Int(stream.unit() * Double(max(1, space.maxNewLanes))))
    }
    return PlacementCandidate(homes: homes).canonical
  }

  private mutating func climb(
    from beginnings: [PlacementCandidate], _ expanded: inout Set<PlacementCandidate>
  ) {
    var front: [Trial] = beginnings.isEmpty ? [] : [today]
    let before = trials.count
    tryAll(beginnings.flatMap { space.carried($0) }.compactMap { candidate($0) })
    front += trials[before...]
    var idle = 0
    while idle < Self.patience, !count.isCut, count.tried < Self.maxRuns {
      let scale = scale
      let open = front.filter { trial in trial.layout.map { !expanded.contains($0) } ?? false }
      guard let next = open.min(by: { $0.isBetterStart(than: $1, scale) }), let layout = next.layout
      else { return }
      expanded.insert(layout)
      let best = front.min { $0.isBetterStart(than: $1, scale) }
      let first = trials.count
      tryAll(neighbours(of: layout).compactMap { candidate($0) })
      front += trials[first...]
      let isBetter = best.map { best in
        trials[first...].contains { $0.isBetterStart(than: best, scale) }
      }
      idle = isBetter ?? true ? 0 : idle + 1
    }
  }

  /// Every unit, and every cluster as a whole, at every other place.
  private func neighbours(of layout: PlacementCandidate) -> [PlacementCandidate] {
    let groups = space.units.indices.map { [$0] } + space.clusters
    var found: [PlacementCandidate] = []
    for group in groups {
      for choice in places(after: layout) {
        guard let layout = moved(layout, all: group, to: choice) else { continue }
        found.append(layout)
      }
    }
    return found
  }

  /// The homes to which units may move from `layout`: all that it uses, and one more new lane.
  private func places(after layout: PlacementCandidate) -> [Home] {
    var places: [Home] = []
    for choice in space.choices.joined() where !places.contains(choice) {
      if case .newLane = choice { continue }
      places.append(choice)
    }
    let lanes = min(layout.newLanes + 1, space.maxNewLanes)
    return places + (0..<lanes).map(Home.newLane)
  }

  /// Nil if a unit may not move there.
  private func moved(
    _ layout: PlacementCandidate, all units: [Int], to home: Home
  ) -> PlacementCandidate? {
    var layout = layout
    for unit in units {
      guard mayMove(unit, to: home) else { return nil }
      layout.homes[unit] = home
    }
    return layout.canonical
  }

  private func mayMove(_ unit: Int, to home: Home) -> Bool {
    space.choices[unit].contains { choice in
      if case (.newLane, .newLane) = (choice, home) { true } else { choice == home }
    }
  }
}

extension Trial {
  fileprivate func isBetterStart(than other: Trial, _ scale: [Double]) -> Bool {
    outcome.meets || other.outcome.meets
      ? isPreferred(to: other) : isNearer(than: other, scale: scale)
  }
}

/// The extent of a search.
public struct SearchCount: Hashable, Sendable {
  /// The number of placements of services; nil if there are too many to list.
  public var placements: Int?
  /// The number of candidates, including those with other rules.
  public var candidates = 0
  /// The number of candidates that a bound ruled out before any run.
  public var ruledOut = 0
  /// The number of candidates that were run.
  public var tried = 0
  /// Whether every placement was tried whose change is not larger than that of the answer.
  public var isExhaustive = true
  /// Whether the user interrupted the search.
  public var isCut = false

  /// Nothing was searched.
  public init() {}
}
