internal import FrameBudget

extension Verdict {
  /// One verdict for each origin, scenario, set of changes, engine and number of cores in `results`, the rows of a summary, in the
  /// order in which they first appear; `workloads` are the rows that tell apart what each workload came to, `advised` by
  /// scenario the labels of what `advise` recommends.
  public static func all(
    _ results: [ResultRow], workloads: [ResultRow] = [], advised: [String: [String]] = [:]
  ) -> [Verdict] {
    let work = Dictionary(grouping: workloads) { RunKey($0) }
    return grouped(results) { Subject($0) }.compactMap { rows in
      let strategies = grouped(rows, by: \.label)
      guard let subject = rows.first, let first = strategies.first else { return nil }
      func outcome(_ runs: [ResultRow], _ left: Int) -> StrategyOutcome {
        StrategyOutcome.typical(
          of: runs.map { row in
            StrategyOutcome(row, workloads: work[RunKey(row)] ?? [], leftByFirst: left)
          })
      }
      // All are held against what the first one leaves, itself included; of one cut short nobody knows it.
      let today = outcome(first, 0)
      let left = today.isComplete ? today.itemsLeft : 0
      return Verdict(
        subject, strategies.map { outcome($0, left) }, advised: advised[subject.scenario] ?? [])
    }
  }

  /// The verdicts on runs that were just made.
  public static func all(_ rows: [ReportRow]) -> [Verdict] {
    let advised = rows.filter(\.log.strategy.isAdvised)
    return all(
      rows.map(\.result), workloads: rows.flatMap(\.workloadResults),
      advised: Dictionary(grouping: advised, by: \.log.scenario).mapValues {
        $0.map(\.log.strategy.label)
      })
  }

  private static func grouped<Key: Hashable>(
    _ rows: [ResultRow], by key: (ResultRow) -> Key
  ) -> [[ResultRow]] {
    var places: [Key: Int] = [:]
    var groups: [[ResultRow]] = []
    for row in rows {
      if let place = places[key(row)] {
        groups[place].append(row)
      } else {
        places[key(row)] = groups.count
        groups.append([row])
      }
    }
    return groups
  }

  private struct Subject: Hashable {
    let origin: String
    let scenario: String
    let changes: String
    let engine: String
    let cores: String

    init(_ row: ResultRow) {
      (origin, scenario, changes) = (row.origin, row.scenario, row.changes)
      (engine, cores) = (row.engine, row.cores)
    }
  }

  /// What a row of a summary and those of its workloads have in common.
  private struct RunKey: Hashable {
    let subject: Subject
    let label: String
    let repetition: String
    let seed: String

    init(_ row: ResultRow) {
      subject = Subject(row)
      (label, repetition, seed) = (row.label, row.repetition, row.seed)
    }
  }
}
