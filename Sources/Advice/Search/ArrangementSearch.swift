internal import FrameBudget

/// Looks for arrangements that meet the aims: what was tried so far, and how to try more.
struct ArrangementSearch {
  let ground: Ground
  let bounds: Bounds
  let judge: Judge
  let today: Trial
  let maker: any RunMaker
  private var list: CandidateList
  private(set) var trials: [Trial] = []
  private(set) var count = SearchCount()

  /// Up to so many placements are all tried.
  static let mostPlacements = 4096
  /// Up to so many placements, each is tried with each change of rules too.
  static let mostWithPolicies = 640
  /// How far above the smallest change that helps cheaper ones are looked for.
  static let levelsAbove = 2
  /// Of which placements rules are varied, where there are too many for all.
  static let mostSurvivors = 24
  /// So many are run at least where bounds rule all out, so that there is something that comes nearest.
  static let leastRuns = 200

  init(_ ground: Ground, _ bounds: Bounds, _ judge: Judge, today: Trial, maker: any RunMaker) {
    self.ground = ground
    self.bounds = bounds
    self.judge = judge
    self.today = today
    self.maker = maker
    list = CandidateList(ground)
  }

  /// By aim: what a miss is measured in.
  var scale: [Double] { today.outcome.misses.map { max($0, 1) } }

  /// Those that meet the aims, the preferred one first.
  var meeting: [Trial] {
    trials.filter(\.outcome.meets).sorted { $0.isPreferred(to: $1) }
  }

  /// All, the nearest first.
  var nearest: [Trial] {
    let scale = scale
    return ([today] + trials).sorted { $0.isNearer(than: $1, scale: scale) }
  }

  mutating func run() {
    var layouts: [Layout] = []
    if ground.request.placesServices {
      layouts = ground.layouts(limit: Self.mostPlacements + 1)
    }
    var whole = ground.request.strategies.compactMap { list.candidate($0) }
    guard layouts.count <= Self.mostPlacements else {
      count.isExhaustive = false
      _ = tryAll(whole)
      climb()
      return varySurvivors()
    }
    count.placements = layouts.count
    whole += layouts.compactMap { list.candidate($0) }
    if layouts.count <= Self.mostWithPolicies {
      whole += layouts.flatMap { variants(of: $0) }
    } else {
      whole += variants(of: Layout(homes: ground.units.map { _ in .today }))
    }
    ascend(whole)
    if count.isCut { return }
    if layouts.count > Self.mostWithPolicies || meeting.isEmpty { varySurvivors() }
  }

  /// The layout with each change of rules.
  mutating func variants(of layout: Layout) -> [Candidate] {
    Policy.all.compactMap { policy in
      guard !layout.policies.contains(policy) else { return nil }
      var layout = layout
      layout.policies.append(policy)
      return candidate(layout)
    }
  }

  mutating func candidate(_ layout: Layout) -> Candidate? { list.candidate(layout) }

  /// Tries candidates by the size of their change, until some help and none that is cheaper is left near them.
  private mutating func ascend(_ candidates: [Candidate]) {
    let levels = Dictionary(grouping: candidates, by: \.weight).sorted { $0.key < $1.key }
    var above = 0
    var excluded: [Candidate] = []
    for (_, level) in levels {
      excluded += tryAll(level)
      if count.isCut { return }
      if meeting.isEmpty { continue }
      above += 1
      if above > Self.levelsAbove { return }
    }
    guard meeting.isEmpty, trials.count < Self.leastRuns else { return }
    run(Array(excluded.prefix(Self.leastRuns - trials.count)))
  }

  /// Runs what no bound rules out; returns what one does.
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
    let judge = judge
    let outcomes = maker.outputs(candidates.count) { judge.outcome(candidates[$0].arrangement) }
    trials += zip(candidates, outcomes).map { $0.trial($1) }
    count.tried += outcomes.count
    if outcomes.count < candidates.count { count.isCut = true }
  }

  /// Changes the rules of what is best so far: of what helps, for a lower price; of what comes nearest, to help at all.
  private mutating func varySurvivors() {
    let found = meeting
    let survivors = (found.isEmpty ? nearest : found).prefix(Self.mostSurvivors)
    tryAll(survivors.compactMap(\.layout).flatMap { variants(of: $0) })
  }
}
