internal import FrameBudget
internal import FrameBudgetSimulation

/// Searches for advice.
public struct Adviser: Sendable {
  private let request: AdviceRequest
  private let maker: any RunMaker
  private let space: SearchSpace

  /// Up to this number, all placements are tried.
  public static var maxPlacements: Int { ArrangementSearch.maxPlacements }

  /// The largest number of proposals.
  static let maxProposals = 4

  /// - Parameters:
  ///   - request: the request.
  ///   - maker: makes the runs.
  public init(_ request: AdviceRequest, maker: any RunMaker = SequentialRuns()) {
    self.request = request
    self.maker = maker
    space = SearchSpace(request)
  }

  /// The answer; the same for the same question, however many runs are made at once.
  ///
  /// If nothing works with the default number of lanes, or only what shows frames incomplete or later, the search is repeated with a
  /// lane for each service; if nothing else works then, as if the input of each part of drawing were known early, and with a cache
  /// for each of the heaviest parts.
  public func advice() -> Advice {
    var advice = withEnoughLanes()
    if !advice.keepsFrames, !advice.count.isCut {
      let helps = advice.verdict == .change
      advice.foresight = foresight().flatMap { helps && !$0.trial.outcome.meets ? nil : $0 }
      advice.keeping = keeping().flatMap { helps && $0.dropped.kept > 0 ? nil : $0 }
    }
    if !advice.count.isCut { addRanges(to: &advice) }
    return advice
  }

  /// Adds the ranges of what the answer shows, and of nothing else, because each takes three runs.
  private func addRanges(to advice: inout Advice) {
    let shown = [advice.today] + advice.proposals.map(\.trial) + [advice.nearest].compactMap(\.self)
    let runner = ArrangementRunner(scenario: request.scenario, costs: request.costs, aims: [])
    let ranges = maker.outputs(shown.count) { [maker] place in
      runner.range(shown[place].arrangement) { !maker.isInterrupted }
    }
    advice.count.isCut = ranges.count < shown.count || ranges.contains { $0 == nil }
    let known = Dictionary(zip(shown.map(\.arrangement), ranges)) { first, _ in first }
    func range(_ trial: Trial) -> PredictionRange? { known[trial.arrangement] ?? nil }
    advice.today.range = range(advice.today)
    for place in advice.proposals.indices {
      advice.proposals[place].trial.range = range(advice.proposals[place].trial)
    }
    if let nearest = advice.nearest { advice.nearest?.range = range(nearest) }
  }

  private func withEnoughLanes() -> Advice {
    let advice = searched()
    guard !advice.keepsFrames, !advice.count.isCut, request.maxLanes == nil,
      request.placesServices, space.maxLanes < space.units.count
    else { return advice }
    var wider = request
    wider.maxLanes = space.units.count
    return Self.better(advice, Adviser(wider, maker: maker).searched())
  }

  /// Of what the searches with few lanes and with many ones found: the latter if it shows all frames complete and in time, or
  /// earlier, or if only it helps.
  static func better(_ few: Advice, _ many: Advice) -> Advice {
    if many.keepsFrames || few.verdict == .nothingHelps { return many }
    guard let first = few.proposals.first, let other = many.proposals.first else { return few }
    return other.trial.periodsLater < first.trial.periodsLater ? many : few
  }

  private func searched() -> Advice {
    let aims = self.aims(of: request.scenario)
    let bounds = FeasibilityBounds(space, aims: aims)
    let search = search(bounds, aims)
    let today = search.today
    let proposals = Self.steadyFirst(
      chosen(of: search).map { trial in
        proposal(trial, aims, search.known[trial.arrangement], isCut: search.count.isCut)
      })
    let nearest = search.nearest.first.flatMap { $0.order < 0 ? nil : $0 }
    let helpsNothing = proposals.isEmpty && !today.outcome.meets
    var count = search.count
    count.isCut = count.isCut || !proposals.allSatisfy(isComplete)
    return Advice(
      request: request, aims: aims, today: today, proposals: proposals,
      nearest: proposals.isEmpty ? nearest : nil,
      drawingAlone: helpsNothing ? drawingAlone(aims) : nil, demand: bounds.demand,
      count: count, isTodayProven: request.isProven?(today.arrangement))
  }

  private func search(
    _ bounds: FeasibilityBounds, _ aims: Aims, mayDegrade: Bool = true
  ) -> ArrangementSearch {
    let runner = ArrangementRunner(
      scenario: request.scenario, costs: request.costs, aims: aims.list)
    let today = CandidateList.today(space).trial(runner.outcome(request.today.arrangement))
    var search = ArrangementSearch(
      space, bounds, runner, today: today, mayDegrade: mayDegrade, maker: maker
    ) { steadiness(of: $0, aims) }
    if !today.outcome.meets { search.run() }
    return search
  }

  /// The preferred trials, each cheaper than the ones before; before them, unless a proof is there, the preferred one of those
  /// that hold.
  private func chosen(of search: ArrangementSearch) -> [Trial] {
    let trials = Self.cheaper(provenFirst(search.meeting))
    let most = Array(trials.prefix(Self.maxProposals))
    guard let first = most.first, let holding = search.holding,
      !most.contains(where: { $0.arrangement == holding.arrangement }),
      request.isProven?(first.arrangement) != true
    else { return most }
    return [holding] + most.prefix(Self.maxProposals - 1)
  }

  /// Puts proven arrangements first, if the request asks for proofs.
  private func provenFirst(_ trials: [Trial]) -> [Trial] {
    guard let isProven = request.isProven else { return trials }
    let proofs = trials.map { (trial: $0, isProven: isProven($0.arrangement)) }
    return (proofs.filter(\.isProven) + proofs.filter { !$0.isProven }).map(\.trial)
  }

  /// Puts arrangements that reach the aims in too few of their own runs behind the others. A proven one reaches them in all.
  static func steadyFirst(_ proposals: [Proposal]) -> [Proposal] {
    func isSteady(_ proposal: Proposal) -> Bool {
      proposal.isProven == true || !(proposal.steadiness?.isPoor ?? false)
    }
    return proposals.filter(isSteady) + proposals.filter { !isSteady($0) }
  }

  // MARK: Drawing

  /// The number of frames by which the input of parts of drawing is supposed to be known earlier.
  static let foresight = 8

  /// What reaches the aims, or else comes nearest to them, if the input of each part of drawing is known early; nil if that is
  /// known, or buys nothing.
  private func foresight() -> Foresight? {
    let parts = request.scenario.frameParts
    let unknown = parts.indices.filter { parts[$0].ahead == nil }
    guard !unknown.isEmpty else { return nil }
    var foreseeing = request
    for part in unknown { foreseeing.scenario.frameParts[part].ahead = Self.foresight }
    let adviser = Adviser(foreseeing, maker: maker)
    let aims = adviser.aims(of: foreseeing.scenario)
    let search = adviser.search(
      FeasibilityBounds(adviser.space, aims: aims), aims, mayDegrade: false)
    let nearest = search.nearest.prefix(1).filter {
      $0.outcome.dropped < search.today.outcome.dropped
    }
    for trial in adviser.chosen(of: search) + search.meeting + nearest {
      let early = unknown.compactMap { part -> (name: String, frames: Int)? in
        let frames = trial.arrangement.rule(ofFramePart: part).framesEarly
        return frames > 0 ? (parts[part].name, frames) : nil
      }
      if !early.isEmpty { return Foresight(trial: trial, parts: early) }
    }
    return nil
  }

  /// The percentage of frames that are supposed to find a part of drawing in a cache.
  static let keptPercent = 80

  /// What the cache buys of the part with which fewest frames are dropped; nil if it is as many as today. Which frames find the
  /// part is a matter of chance, so many runs count instead of one.
  private func keeping() -> Keeping? {
    let (scenario, today) = (request.scenario, request.today.arrangement)
    let names = Policy.heaviest(scenario.frameParts, of: scenario).map(\.name)
    let arrangements = scenario.frameParts.indices.compactMap { part -> (String, Arrangement)? in
      let name = scenario.frameParts[part].name
      guard names.contains(name), today.rule(ofFramePart: part) == .inFrame else { return nil }
      var rules = scenario.frameParts.indices.map(today.rule(ofFramePart:))
      rules[part] = .cached(hits: Double(Self.keptPercent) / 100)
      var arrangement = today
      arrangement.setRules(ofFrameParts: rules)
      return (name, arrangement)
    }
    guard !arrangements.isEmpty else { return nil }
    let tried = [today] + arrangements.map(\.1)
    let runs = (0..<Steadiness.usual).map(variant)
    let outcomes = outcomes(tried.flatMap { arrangement in runs.map { ($0, arrangement) } })
    guard outcomes.count == tried.count * runs.count else { return nil }
    let dropped = tried.indices.map { place in
      Self.most(outcomes[place * runs.count..<(place + 1) * runs.count].map(\.dropped))
    }
    guard let least = dropped.indices.dropFirst().min(by: { dropped[$0] < dropped[$1] }),
      dropped[least] < dropped[0]
    else { return nil }
    return Keeping(
      part: arrangements[least - 1].0, percent: Self.keptPercent,
      dropped: (dropped[0], dropped[least]))
  }

  /// The largest of `numbers`, without those that a steady proposal may miss an aim in.
  private static func most(_ numbers: [Int]) -> Int {
    numbers.sorted().dropLast(Steadiness.allowedFailures(of: numbers.count)).last ?? 0
  }

  /// The items still request their frames. Frames count as shown later only where that forgoes no other aim. Nil if the user
  /// interrupted it.
  private func drawingAlone(_ aims: Aims) -> DrawingAlone? {
    let names = request.scenario.services.map(\.fileName).distinct()
    let idle = (names.map(Part.service) + [.results]).reduce(request.scenario) { $0.without($1) }
    let today = request.today.arrangement
    let limits = Metric.ofSpreadParts.map(\.name)
    let spreads =
      aims.list.contains { limits.contains($0.metric) } ? [] : Policy.spreads(in: idle)
    let arrangements =
      [today]
      + (Policy.prefetches(in: idle) + Policy.prepares(in: idle) + spreads
      + Policy.laterPresentations)
      .compactMap {
        $0.applied(to: today, of: idle, newLaneOn: request.carriers[0])
      }
    let alone = outcomes(arrangements.map { (idle, $0) }, aims.list)
    let valid = alone.indices.filter { place in
      alone[place].isValid
        && (arrangements[place].presentsLater <= today.presentsLater
          || Self.missesOnlyDrops(alone[place], aims))
    }
    guard let least = valid.min(by: { alone[$0].dropped < alone[$1].dropped })
    else { return nil }
    let parts = idle.frameParts.map(\.name)
    let without = outcomes(
      parts.map { (idle.without(.framePart($0)), arrangements[least]) })
    let heaviest = zip(parts, without).min { $0.1.dropped < $1.1.dropped }
    let isLess = heaviest.map { $0.1.dropped < alone[least].dropped } ?? false
    return DrawingAlone(
      outcome: alone[least], heaviest: isLess ? heaviest.map { ($0.0, $0.1) } : nil)
  }

  /// Whether it reaches each of `aims` that is not one for dropped frames.
  private static func missesOnlyDrops(_ outcome: Outcome, _ aims: Aims) -> Bool {
    let drops = [Metric.droppedFrames, .droppedPercent].map(\.name)
    return zip(aims.list, outcome.misses).allSatisfy { $1 == 0 || drops.contains($0.metric) }
  }

  private func outcomes(
    _ runs: [(scenario: Scenario, arrangement: Arrangement)], _ aims: [Aim] = []
  ) -> [Outcome] {
    maker.outputs(runs.count) { place in
      ArrangementRunner(scenario: runs[place].scenario, costs: request.costs, aims: aims)
        .outcome(runs[place].arrangement)
    }
  }

  /// The named aims, or the default ones, for which the current arrangement is run.
  private func aims(of scenario: Scenario) -> Aims {
    if let aims = request.aims { return Aims(aims) }
    if !request.scenario.aims.isEmpty { return Aims(request.scenario.aims) }
    let runner = ArrangementRunner(scenario: scenario, costs: request.costs, aims: [])
    return Aims(
      defaultFor: scenario, leftToday: runner.outcome(request.today.arrangement).left,
      negligibleDrops: request.negligibleDrops)
  }

  /// The first of `trials`, and each further one that none before it makes needless.
  private static func cheaper(_ trials: [Trial]) -> [Trial] {
    trials.reduce(into: []) { listed, trial in
      if !listed.contains(where: { $0.makesNeedless(trial) }) { listed.append(trial) }
    }
  }

  /// Whether nothing of it is missing because of an interruption.
  private func isComplete(_ proposal: Proposal) -> Bool {
    proposal.steadiness != nil && proposal.margins.count == space.units.count + 1
      && proposal.effects.count == proposal.trial.layout.map { moves(of: $0).count } ?? 0
  }

  private func proposal(
    _ trial: Trial, _ aims: Aims, _ known: Steadiness?, isCut: Bool
  ) -> Proposal {
    let isProven = request.isProven?(trial.arrangement)
    if isCut {
      return Proposal(
        trial: trial, effects: [], margins: [], steadiness: nil, isProven: isProven)
    }
    let steadiness = known ?? steadiness(of: trial, aims)
    return Proposal(
      trial: trial, effects: effects(of: trial, aims),
      margins: margins(of: trial, aims, isMetToday: !(steadiness?.isPoor ?? false)),
      steadiness: steadiness, isProven: isProven)
  }

  // MARK: Effects of moves

  private func effects(of trial: Trial, _ aims: Aims) -> [MoveEffect] {
    guard let layout = trial.layout else { return [] }
    let runner = ArrangementRunner(
      scenario: request.scenario, costs: request.costs, aims: aims.list)
    return moves(of: layout).compactMap { words, without, alone in
      let arrangements = [without, alone].map { space.arrangement($0) }
      let present = arrangements.compactMap(\.self)
      let outcomes = maker.outputs(present.count) { runner.outcome(present[$0]) }
      guard outcomes.count == present.count else { return nil }
      let found = Dictionary(zip(present, outcomes)) { first, _ in first }
      return MoveEffect(
        words: words, without: arrangements[0].flatMap { found[$0] },
        alone: arrangements[1].flatMap { found[$0] })
    }
  }

  private func moves(
    of layout: PlacementCandidate
  ) -> [(words: String, without: PlacementCandidate, alone: PlacementCandidate)] {
    let here = PlacementCandidate(homes: space.units.map { _ in .today }, carrier: layout.carrier)
    var moves: [(words: String, without: PlacementCandidate, alone: PlacementCandidate)] = []
    for unit in space.units.indices where layout.homes[unit] != .today {
      var (without, alone) = (layout, here)
      without.homes[unit] = .today
      alone.homes[unit] = layout.homes[unit]
      moves.append((space.units[unit].name, without.canonical, alone.canonical))
    }
    for policy in layout.policies {
      var (without, alone) = (layout, here)
      without.policies.removeAll { $0 == policy }
      alone.policies = [policy]
      moves.append((policy.words, without, alone))
    }
    return moves
  }

  // MARK: Certainty

  private func margins(of trial: Trial, _ aims: Aims, isMetToday: Bool) -> [Margin] {
    let subjects: [(name: String?, services: [ServiceIndex]?)] =
      [(nil, nil)] + space.units.map { ($0.name, $0.services) }
    guard isMetToday else {
      return subjects.map { Margin(service: $0.name, percent: 0, ends: []) }
    }
    let margins = maker.outputs(subjects.count) { place in
      margin(of: trial.arrangement, aims, subjects[place].name, subjects[place].services)
    }
    return margins.prefix { $0 != nil }.compactMap(\.self)
  }

  /// Nil if the user interrupted it.
  private func margin(
    of arrangement: Arrangement, _ aims: Aims, _ name: String?, _ services: [ServiceIndex]?
  ) -> Margin? {
    var search = GrowthSearch(variants: Steadiness.usual) { number, percent in
      if maker.isInterrupted { return nil }
      let raised = Margin.raised(variant(number), by: percent, in: services)
      return reached(by: arrangement, in: raised, aims)
    }
    return search.percents(aims: aims.list.count).map { all, each in
      let ends = zip(aims.list, each).map { Margin.End(aim: $0, percent: $1) }
      return Margin(service: name, percent: all, ends: ends)
    }
  }

  private func steadiness(of trial: Trial, _ aims: Aims) -> Steadiness? {
    let runs = maker.outputs(Steadiness.usual) { number in
      reached(by: trial.arrangement, in: variant(number), aims).allSatisfy(\.self)
    }
    guard runs.count == Steadiness.usual else { return nil }
    return Steadiness(met: runs.count { $0 }, variants: runs.count)
  }

  private func variant(_ number: Int) -> Scenario {
    Steadiness.variant(number, of: request.scenario, seed: request.seed)
  }

  /// Whether `arrangement` reaches each aim in `scenario`. With the default aims, as many items may be unfinished as under the
  /// current arrangement, plus one item of each workload, which is in flight and not a backlog.
  func reached(by arrangement: Arrangement, in scenario: Scenario, _ aims: Aims) -> [Bool] {
    let runner = ArrangementRunner(scenario: scenario, costs: request.costs, aims: aims.list)
    let outcome = runner.outcome(arrangement)
    let inFlight = scenario.distinctWorkloads.count
    return zip(aims.list, outcome.misses).map { aim, miss in
      guard outcome.isValid else { return false }
      guard aims.areDefault, aim.metric == Metric.backlog.name else { return miss == 0 }
      return outcome.left <= inFlight
        || outcome.left - inFlight <= runner.outcome(request.today.arrangement).left
    }
  }
}
