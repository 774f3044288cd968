internal import FrameBudget

#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Two sets of results, strategy by strategy and metric by metric, with a verdict on each.
public struct ResultComparison: Sendable {
  public let groups: [Group]
  /// Differences in content between the sides, and omissions, as sentences.
  public let warnings: [String]
  /// The parts that the names of all groups have in common.
  private let common: Set<String>

  /// A strategy on one engine, in both sets.
  public struct Group: Sendable {
    /// Scenario, workload, strategy, changes, engine and cores, as far as they are known.
    let parts: [String]
    public internal(set) var metrics: [MetricComparison]

    public var name: String { GroupPair.name(parts) }
  }

  /// The name that distinguishes a group from the others: only its strategy, if all have one scenario and one engine.
  func shortName(of group: Group) -> String {
    GroupPair.name(group.parts.filter { !common.contains($0) })
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
    base: ResultSet, new: ResultSet, gates: [Gate] = Gate.standard, shown: [String] = [],
    resamples: Int = 2000
  ) {
    let pairs = GroupPair.pairs(base, new)
    let catalogue = MetricCatalog.all.filter { metric in
      gates.contains { $0.metric == metric.name } || shown.contains(metric.name)
    }
    let samples = pairs.matched.map { pair in
      catalogue.map { metric in
        pair.samples(
          metric, gate: gates.last { $0.metric == metric.name }, resamples: resamples)
      }.filter { !($0.base.isEmpty && $0.new.isEmpty) }
    }
    var groups = zip(pairs.matched, samples).map { pair, samples in
      Group(parts: pair.parts, metrics: samples.map { pair.compared($0) })
    }
    Self.conclude(&groups, samples)
    self.groups = groups.filter { !$0.metrics.isEmpty }
    common = self.groups.dropFirst().reduce(Set(self.groups.first?.parts ?? [])) {
      $0.intersection($1.parts)
    }
    warnings =
      pairs.warnings + Self.changes(pairs.matched)
      + groups.filter(\.metrics.isEmpty).map { "none of these metrics applies to: \($0.name)" }
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

  /// Corrects the p of all gated metrics together (Holm 1979) and gives the verdicts.
  private static func conclude(_ groups: inout [Group], _ samples: [[MetricSamples]]) {
    let gated = groups.indices.flatMap { group in
      groups[group].metrics.indices.map { (group, $0) }
    }.filter { group, metric in
      let comparison = groups[group].metrics[metric]
      return comparison.isGated && comparison.p != nil && !samples[group][metric].isConstant
    }
    let corrected = Holm.corrected(gated.map { groups[$0].metrics[$1].p ?? 1 })
    for ((group, metric), p) in zip(gated, corrected) { groups[group].metrics[metric].p = p }
    for group in groups.indices {
      for metric in groups[group].metrics.indices {
        let comparison = groups[group].metrics[metric]
        guard let p = comparison.p else { continue }
        let tests = comparison.isGated ? max(1, gated.count) : 1
        (groups[group].metrics[metric].verdict, groups[group].metrics[metric].note) =
          samples[group][metric].conclusion(comparison, p: p, tests: tests)
      }
    }
  }
}

/// The rows of both sides with the same subject.
struct GroupPair {
  let parts: [String]
  let base: [RunRecord]
  let new: [RunRecord]
  let schemas: Set<Int>
  /// The metrics with different meanings in the rows.
  let changed: [String]
  /// Virtual runs of the same seeds in the same order have no noise.
  private let isExact: Bool

  init(parts: [String], base: [RunRecord], new: [RunRecord]) {
    (self.parts, self.base, self.new) = (parts, base, new)
    let all = base + new
    schemas = Set(all.map(\.schema))
    let isImported = base.contains { $0.engine == ImportRow.engine }
    changed = MetricCatalog.changed(among: schemas, of: isImported ? .imports : .runs)
    isExact =
      all.allSatisfy { $0.engine == EngineKind.virtual.rawValue }
      && base.map(\.seed) == new.map(\.seed)
  }

  var name: String { Self.name(parts) }

  static func name(_ parts: [String]) -> String { parts.joined(separator: " · ") }

  /// The properties that make rows comparable. The cores of a real machine may differ, because comparing machines is a use.
  private struct Key: Hashable {
    let scenario: String
    let workload: String
    let label: String
    let changes: String
    let engine: String
    let cores: String

    init(_ row: RunRecord, ignoresChanges: Bool) {
      scenario = row.scenario
      workload = row.workload
      label = row.label
      changes = ignoresChanges ? "" : row.changes
      engine = row.engine
      cores = row.engine == EngineKind.virtual.rawValue ? row.cores : ""
    }

    var parts: [String] {
      [scenario, workload, label, changes, engine, cores.isEmpty ? "" : "\(cores) cores"]
        .filter { !$0.isEmpty }
    }

    var name: String { GroupPair.name(parts) }
  }

  static func pairs(
    _ base: ResultSet, _ new: ResultSet
  ) -> (matched: [GroupPair], warnings: [String]) {
    // Two results that differ in one changed value are compared because of that value.
    let changes = [base, new].map { Set($0.rows.map(\.changes)) }
    let ignoresChanges = changes.allSatisfy { $0.count == 1 } && changes[0] != changes[1]
    let old = grouped(base, ignoresChanges: ignoresChanges)
    let now = grouped(new, ignoresChanges: ignoresChanges)
    let matched = old.order.compactMap { key in
      now.rows[key].map { GroupPair(parts: key.parts, base: old.rows[key] ?? [], new: $0) }
    }
    var warnings = old.warnings.map { "base: \($0)" } + now.warnings.map { "new: \($0)" }
    if ignoresChanges {
      let names = changes.map { $0.first.map { $0.isEmpty ? "the unchanged scenario" : $0 } ?? "" }
      warnings.append("compares \(names[0]) with \(names[1])")
    }
    warnings += old.order.filter { now.rows[$0] == nil }.map { "only in the base: \($0.name)" }
    warnings += now.order.filter { old.rows[$0] == nil }.map { "only in the new: \($0.name)" }
    return (matched, warnings)
  }

  private static func grouped(
    _ results: ResultSet, ignoresChanges: Bool
  ) -> (order: [Key], rows: [Key: [RunRecord]], warnings: [String]) {
    let complete = Repetitions.complete(results.rows)
    let groups = complete.grouped { Key($0, ignoresChanges: ignoresChanges) }
    let left = results.rows.count - complete.count
    let warnings = left == 0 ? [] : ["\(left) rows of interrupted or invalid runs were omitted"]
    let rows = Dictionary(uniqueKeysWithValues: groups.map { ($0, $1) })
    return (groups.map(\.key), rows, warnings)
  }

  /// The comparison, without verdicts that need the p of other metrics.
  func compared(_ samples: MetricSamples) -> MetricComparison {
    var comparison = samples.compared(in: name)
    comparison.baseRange = Self.range(of: samples.metric, over: base)
    comparison.newRange = Self.range(of: samples.metric, over: new)
    return comparison
  }

  /// The union of the ranges of all rows.
  private static func range(of metric: Metric, over rows: [RunRecord]) -> ClosedRange<Double>? {
    let ranges = rows.compactMap { $0.range(of: metric) }
    guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max()
    else { return nil }
    return low...high
  }

  func samples(_ metric: Metric, gate: Gate?, resamples: Int) -> MetricSamples {
    let old = base.compactMap { $0.observed(metric.name) }
    let now = new.compactMap { $0.observed(metric.name) }
    return MetricSamples(
      metric: metric, gate: gate, base: old, new: now, isExact: isExact && old.count == now.count,
      resamples: resamples, hasChanged: changed.contains(metric.name))
  }
}
