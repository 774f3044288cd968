internal import FrameBudget

/// Two sets of results, strategy by strategy and metric by metric, with a verdict on each.
public struct ResultComparison: Sendable {
  public let groups: [Group]
  /// A sentence if the results are of several machines, as far as they say them: a difference may then not be the app's, so it
  /// comes before the verdict.
  public let machines: String?
  /// Other differences in content between the sides, and omissions, as sentences.
  public let omissions: [String]
  /// Whether both sides have captures of other tools.
  public let areCaptures: Bool
  /// The parts that the names of all groups have in common.
  private let common: Set<String>

  /// A strategy on one engine, in both sets.
  public struct Group: Sendable {
    /// Scenario, workload, strategy, changes, engine and cores, as far as they are known.
    let parts: [String]
    public internal(set) var metrics: [MetricComparison]
    /// Whether the new result lacks it. Its gated metrics are then inconclusive: what is gone may be what got worse.
    var isOnlyInBase = false

    public var name: String { GroupPair.name(parts) }
  }

  /// The name that distinguishes a group from the others: only its strategy, if all have one scenario and one engine.
  func shortName(of group: Group) -> String {
    GroupPair.name(group.parts.filter { !common.contains($0) })
  }

  /// Whether measuring both sides again may decide what is inconclusive: not if all values are exact, or if the new result lacks
  /// a strategy or span.
  public var mayDependOnChance: Bool {
    groups.filter { !$0.isOnlyInBase }.flatMap(\.metrics).contains {
      $0.isGated && $0.verdict == .inconclusive && ($0.p != nil || $0.base == nil || $0.new == nil)
    }
  }

  /// The result for the gated metrics.
  public enum Outcome: Sendable { case holds, regression, inconclusive }

  public var outcome: Outcome {
    let verdicts = groups.flatMap(\.metrics).filter(\.isGated).map(\.verdict)
    if verdicts.contains(.worse) { return .regression }
    // A gate that applies to nothing proves nothing.
    return verdicts.isEmpty || verdicts.contains(.inconclusive) ? .inconclusive : .holds
  }

  /// Compares `new` with `base`: the gated metrics, and those in `shown`. If a metric has several gates, the last one applies.
  public init(
    base: ResultSet, new: ResultSet, gates: [Gate] = Gate.standard, shown: [String] = []
  ) {
    let metrics = gates.map(\.metric) + shown
    self.init(
      base: ComparedRows(base, metrics), new: ComparedRows(new, metrics), gates: gates,
      shown: shown)
  }

  /// The same for rows that have these metrics.
  public init(base: ComparedRows, new: ComparedRows, gates: [Gate], shown: [String]) {
    let pairs = GroupPairs(base, new)
    let names = Set(gates.map(\.metric) + shown)
    let catalogue = MetricCatalog.compared.filter { names.contains($0.name) }
    let gateOf = Dictionary(gates.map { ($0.metric, $0) }) { _, last in last }
    /// Made whenever they are needed, because those of all metrics would take much memory.
    func samples(_ pair: GroupPair, _ metric: Metric) -> MetricSamples {
      pairs.samples(pair, metric, gate: gateOf[metric.name])
    }
    let compared = pairs.matched.map { pair in
      catalogue.filter { pairs.have($0.name, pair) }
    }
    let gone = pairs.onlyInBase.map { pair in
      let gated = catalogue.filter { gateOf[$0.name] != nil && pairs.have($0.name, pair) }
      return Group(
        parts: pair.parts, metrics: gated.map { samples(pair, $0).compared() }, isOnlyInBase: true)
    }
    var groups = zip(pairs.matched, compared).map { pair, metrics in
      Group(parts: pair.parts, metrics: metrics.map { pair.compared(samples(pair, $0)) })
    }
    Self.conclude(&groups) { group, place in
      samples(pairs.matched[group], compared[group][place])
    }
    let found = groups.filter { !$0.metrics.isEmpty }
    self.groups = found.isEmpty ? [] : found + gone.filter { !$0.metrics.isEmpty }
    common = self.groups.dropFirst().reduce(Set(self.groups.first?.parts ?? [])) {
      $0.intersection($1.parts)
    }
    machines = Self.machines(base, new)
    areCaptures = [base, new].allSatisfy { side in
      side.groups.contains { $0.key.engine == ImportRow.engine }
    }
    omissions =
      pairs.warnings + pairs.matched.compactMap(\.difference?.warning).distinct()
      + pairs.matched.compactMap(\.otherRate).distinct() + Self.changes(pairs.matched)
      + groups.filter(\.metrics.isEmpty).map { "none of these metrics applies to: \($0.name)" }
  }

  /// All of these sentences.
  public var warnings: [String] { [machines].compactMap(\.self) + omissions }

  private static func machines(_ base: ComparedRows, _ new: ComparedRows) -> String? {
    let (old, now) = (base.machines, new.machines)
    guard !old.isEmpty, !now.isEmpty, Set(old + now).count > 1 else { return nil }
    let words = [old, now].map { $0.joined(separator: " and ") }
    return
      "the results are of different machines, which may explain a difference: base: \(words[0]); new: \(words[1])"
  }

  /// The metrics without a gate because their meaning changed between schemas.
  private static func changes(_ pairs: [GroupPair]) -> [String] {
    pairs.filter { !$0.changed.isEmpty }.map { pair -> String in
      let schemas = pair.schemas.sorted().map(String.init).joined(separator: " and ")
      return
        "results of schemas \(schemas) are compared; the meaning of these has changed, so they do not gate: "
        + pair.changed.joined(separator: ", ")
    }.distinct()
  }

  /// Corrects the p of all gated metrics together (Holm 1979) and gives the verdicts. `samples` are those of a metric of a group.
  private static func conclude(
    _ groups: inout [Group], _ samples: (_ group: Int, _ metric: Int) -> MetricSamples
  ) {
    let gated = groups.indices.flatMap { group in
      groups[group].metrics.indices.map { (group, $0) }
    }.filter { group, metric in
      let comparison = groups[group].metrics[metric]
      return comparison.isGated && comparison.p != nil && !samples(group, metric).isConstant
    }
    let corrected = Holm.corrected(gated.map { groups[$0].metrics[$1].p ?? 1 })
    for ((group, metric), p) in zip(gated, corrected) { groups[group].metrics[metric].p = p }
    for group in groups.indices {
      for metric in groups[group].metrics.indices {
        let comparison = groups[group].metrics[metric]
        guard let p = comparison.p else { continue }
        let tests = comparison.isGated ? max(1, gated.count) : 1
        (groups[group].metrics[metric].verdict, groups[group].metrics[metric].note) =
          samples(group, metric).conclusion(comparison, p: p, tests: tests)
      }
    }
  }
}

/// The rows of both sides with the same subject.
struct GroupPair {
  let parts: [String]
  let schemas: Set<Int>
  /// The metrics with different meanings in the rows.
  let changed: [String]
  fileprivate let isVirtual: Bool
  /// The places of the rows on each side.
  fileprivate let base: [Int32]
  fileprivate let new: [Int32]
  /// The unions of the ranges of all rows.
  private let baseRanges: [String: ClosedRange<Double>]
  private let newRanges: [String: ClosedRange<Double>]
  /// The mean number of frames of a capture; nil for runs.
  fileprivate let framesOfCapture: Double?
  /// What makes the runs of both sides different ones; nil if they are alike.
  let difference: RunDifference?
  /// A sentence if the refresh rates differ.
  let otherRate: String?

  /// `new` is nil if only the base has it.
  fileprivate init(
    _ base: ComparedRows.Group, _ baseRows: [Int32], _ new: ComparedRows.Group?, _ newRows: [Int32],
    parts: [String]
  ) {
    self.parts = parts
    schemas = base.schemas.union(new?.schemas ?? [])
    let isImported = base.key.engine == ImportRow.engine
    changed = MetricCatalog.changed(among: schemas, of: isImported ? .imports : .runs)
    isVirtual = base.key.engine == EngineKind.virtual.rawValue
    (self.base, self.new) = (baseRows, newRows)
    (baseRanges, newRanges) = (base.ranges, new?.ranges ?? [:])
    let captures = base.captures + (new?.captures ?? 0)
    let frames = base.framesOfCaptures + (new?.framesOfCaptures ?? 0)
    framesOfCapture = captures == 0 ? nil : Double(frames) / Double(captures)
    difference = new.flatMap { base.lengths.difference(from: $0.lengths) }
    otherRate = new.flatMap { base.lengths.otherRate($0.lengths) }
  }

  static func name(_ parts: [String]) -> String { parts.joined(separator: " · ") }

  /// The comparison, without verdicts that need the p of other metrics.
  func compared(_ samples: MetricSamples) -> MetricComparison {
    var comparison = samples.compared()
    comparison.baseRange = baseRanges[samples.metric.name]
    comparison.newRange = newRanges[samples.metric.name]
    return comparison
  }
}

/// The groups of both sides, with their values.
struct GroupPairs {
  let matched: [GroupPair]
  let onlyInBase: [GroupPair]
  let warnings: [String]
  private let base: ComparedRows
  private let new: ComparedRows

  init(_ base: ComparedRows, _ new: ComparedRows) {
    (self.base, self.new) = (base, new)
    let ignoresChanges = ChangedValues.isOne(between: base.changes, and: new.changes)
    let keys = [base, new].map { side in
      side.groups.map { group in
        var key = group.key
        if ignoresChanges { key.changes = "" }
        return key
      }
    }
    let places = [base, new].indices.map { side in
      Dictionary(uniqueKeysWithValues: zip(keys[side], keys[side].indices))
    }
    let (old, now) = (base.rowsOfGroups, new.rowsOfGroups)
    matched = keys[0].enumerated().compactMap { place, key in
      places[1][key].map {
        GroupPair(base.groups[place], old[place], new.groups[$0], now[$0], parts: key.parts)
      }
    }
    onlyInBase = keys[0].enumerated().filter { places[1][$1] == nil }.map { place, key in
      GroupPair(base.groups[place], old[place], nil, [], parts: key.parts)
    }
    var warnings = Self.omissions(base, "base") + Self.omissions(new, "new")
    if ignoresChanges {
      let names = [base, new].map { side in
        side.changes.first.map { $0.isEmpty ? "the unchanged scenario" : $0 } ?? ""
      }
      warnings.append("compares \(names[0]) with \(names[1])")
    }
    warnings += onlyInBase.map { "only in the base: \(GroupPair.name($0.parts))" }
    warnings += keys[1].filter { places[0][$0] == nil }.map { "only in the new: \($0.name)" }
    self.warnings = warnings
  }

  private static func omissions(_ rows: ComparedRows, _ side: String) -> [String] {
    rows.omitted == 0
      ? [] : ["\(side): \(rows.omitted) rows of interrupted or invalid runs were omitted"]
  }

  /// Whether a row of the pair has the metric.
  func have(_ metric: String, _ pair: GroupPair) -> Bool {
    base.have(metric, in: pair.base) || new.have(metric, in: pair.new)
  }

  func samples(_ pair: GroupPair, _ metric: Metric, gate: Gate?) -> MetricSamples {
    let old = base.observed(metric.name, in: pair.base)
    let now = new.observed(metric.name, in: pair.new)
    return MetricSamples(
      metric: metric, gate: gate, base: old, new: now,
      isExact: old.count == now.count && isExact(pair),
      hasChanged: pair.changed.contains(metric.name),
      framesOfCapture: pair.framesOfCapture, difference: pair.difference)
  }

  /// Virtual runs of the same seeds in the same order, measured over the same time, have no noise.
  private func isExact(_ pair: GroupPair) -> Bool {
    pair.isVirtual && pair.difference == nil
      && base.seeds(pair.base).elementsEqual(new.seeds(pair.new))
  }
}
