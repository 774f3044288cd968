internal import FrameBudget

/// The repetitions of one strategy as the page shows them: the figures, frames and answers of the run that represents them.
struct PageRow: Sendable {
  let origin: String
  let subject: RunSubject
  /// Empty for all workloads of a run together.
  let workload: String
  /// Nil for a run that only frames or a trace are known of.
  let repetitions: Repetitions<RunRecord>?
  /// The numbers of the representative, and of all that count. Separate from the texts of the rows, because a caller that asks
  /// for a number would copy them all.
  private let shown: RowNumbers?
  private let counted: [RowNumbers]
  /// Includes origin and engine only if rows of its scenario differ by them.
  var name = ""
  var frames: RecordedRun?
  var answers: [AnswerLog] = []
  var trace: TracedRun?
  /// Why frames or a trace with its name are not shown.
  private(set) var omittedPictures: [String] = []

  init(
    origin: String, subject: RunSubject, workload: String = "",
    _ repetitions: Repetitions<RunRecord>? = nil
  ) {
    (self.origin, self.subject, self.workload) = (origin, subject, workload)
    self.repetitions = repetitions
    shown = repetitions?.representative.numbers
    counted = repetitions?.counted.map(\.numbers) ?? []
  }

  /// Drops frames and a trace that contradict its figures: they are of another run with the same name.
  mutating func omitPicturesOfOthers() {
    guard let run else { return }
    if let words = frames.flatMap({ PictureCheck.contradiction($0, run) }) {
      frames = nil
      omittedPictures.append("\(name): the recorded frames are of another run, which \(words)")
    }
    // A trace is of the first repetition.
    let traced = repetitions?.all.first ?? run
    if let words = trace.flatMap({ PictureCheck.contradiction($0, traced) }) {
      trace = nil
      omittedPictures.append("\(name): the trace is of another run, whose frames \(words)")
    }
  }

  /// The run whose figures it has.
  var run: RunRecord? { repetitions?.representative }

  /// Its name under a picture: a trace is of the first run.
  var pictured: String {
    trace != nil && repetitions?.count ?? 1 > 1 ? "\(name) (its first run)" : name
  }

  func observed(_ metric: String) -> Observation? { shown?.observed(metric) }

  /// The median over the repetitions that count, for pictures of many seeds, which say so.
  func median(_ metric: String) -> Observation? {
    Observation.median(RowNumbers.observed(metric, in: counted))
  }

  /// Whether the processor use of other processes was high enough to change the figures.
  var isDisturbed: Bool { value(Metric.disturbed.name) ?? 0 > 0 }

  func value(_ metric: String) -> Double? { observed(metric)?.value }

  func text(_ metric: String) -> String { Self.text(observed(metric)) }

  static func text(_ observed: Observation?) -> String {
    observed.map { ($0.isBound ? ">" : "") + Decimal.text($0.value, places: 3) } ?? ""
  }

  /// The measured duration.
  var seconds: Double {
    let known = run?.durationMilliseconds.map { $0 / 1000 }
    return max(0, known ?? frames?.duration.inSeconds ?? 0)
  }

  /// The runs in `results`, with names that distinguish them among `all`.
  static func rows(_ results: [RunRecord], among all: [RunRecord]) -> [PageRow] {
    named(grouped(results), among: all)
  }

  /// The workloads of the runs that represent `rows`, with names that distinguish them among `all`.
  static func workloads(
    _ workloads: [RunRecord], of rows: [PageRow], among all: [RunRecord]
  ) -> [PageRow] {
    // Most have no repetitions, and a sweep has many rows.
    let repeated = rows.filter { $0.repetitions.map { $0.all.count > 1 } ?? false }
    let known = Set(repeated.flatMap { $0.repetitions?.all ?? [] }.map(RunIdentity.init))
    let omitted = known.subtracting(repeated.compactMap(\.run).map(RunIdentity.init))
    let shown =
      omitted.isEmpty ? workloads : workloads.filter { !omitted.contains(RunIdentity($0)) }
    return named(grouped(shown), among: all)
  }

  private static func grouped(_ results: [RunRecord]) -> [PageRow] {
    results.grouped {
      [$0.origin, $0.scenario, $0.label, $0.changes, $0.engine, $0.workload]
    }.compactMap { _, rows in
      rows.first.map { row in
        PageRow(
          origin: row.origin, subject: row.subject, workload: row.workload, Repetitions(rows))
      }
    }
  }

  private static func named(_ rows: [PageRow], among all: [RunRecord]) -> [PageRow] {
    let engines = all.reduce(into: [String: Set<String>]()) {
      $0[$1.scenario, default: []].insert($1.engine)
    }
    // The same runs in several results are distinguished by their origins.
    let origins = all.reduce(into: [RunSubject: Set<String>]()) {
      $0[$1.subject, default: []].insert($1.origin)
    }
    let showsOrigin = origins.values.contains { $0.count > 1 }
    return rows.map { row in
      var named = row
      let parts = [
        row.workload, showsOrigin ? row.origin : "", row.subject.label,
        ChangedValues(row.subject.changes).words,
        engines[row.subject.scenario]?.count ?? 0 > 1 ? row.subject.engine : "",
      ]
      named.name = parts.filter { !$0.isEmpty }.joined(separator: " · ")
      return named
    }
  }
}

extension Verdict {
  /// Whether the row is about one of its strategies.
  func isAbout(_ row: PageRow) -> Bool {
    (origin, scenario) == (row.origin, row.subject.scenario)
      && (changes, engine) == (row.subject.changes, row.subject.engine)
  }
}

/// The subject of a run, without the circumstances of measuring.
struct RunSubject: Hashable, Sendable {
  var scenario: String
  /// Strategy with its options.
  var label: String
  var changes: String
  var engine: String

  /// The name in a trace.
  var name: String {
    [scenario, label, changes, engine].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

extension RunRecord {
  var subject: RunSubject {
    RunSubject(scenario: scenario, label: label, changes: changes, engine: engine)
  }
}

extension RecordedRun {
  var subject: RunSubject {
    RunSubject(
      scenario: scenario, label: Strategy.label(text(.strategy), text(.options)),
      changes: text(.changes), engine: text(.engine))
  }

  var isFirst: Bool { text(.repetition) == "1" }
}

/// The rows that differ most, so that a selection of many is varied.
struct RowChoice {
  /// Their places, in the order of the rows.
  let chosen: [Int]

  /// Begins with the first row and the recommended one, and adds the row that is least like the chosen ones.
  init(_ rows: [PageRow], most: Int, _ verdicts: [Verdict]) {
    guard rows.count > most else {
      chosen = Array(rows.indices)
      return
    }
    let places = Self.places(of: rows)
    let best = verdicts.first?.best?.label
    var chosen = [0]
    if let best = rows.firstIndex(where: { $0.subject.label == best }), best > 0 {
      chosen.append(best)
    }
    // The distance of each row from the nearest chosen one.
    var nearest = places.map { place in
      chosen.map { Self.distance(place, places[$0]) }.min() ?? 0
    }
    while chosen.count < most {
      var farthest = (row: 0, distance: -1.0)
      for row in rows.indices where nearest[row] > farthest.distance && !chosen.contains(row) {
        farthest = (row, nearest[row])
      }
      chosen.append(farthest.row)
      for row in rows.indices {
        nearest[row] = min(nearest[row], Self.distance(places[row], places[farthest.row]))
      }
    }
    self.chosen = chosen.sorted()
  }

  private static let metrics = [
    Metric.droppedPercent, .hitchMax, .responsesLate, .backlog, .lockWait, .publishing,
    .handOff, .incompleteFrames,
  ].map(\.name)

  /// Each metric as a share of the largest.
  private static func places(of rows: [PageRow]) -> [[Double]] {
    let columns = metrics.map { metric in rows.map { $0.value(metric) ?? 0 } }
    let largest = columns.map { max($0.max() ?? 0, 1e-9) }
    return rows.indices.map { row in
      columns.indices.map { columns[$0][row] / largest[$0] }
    }
  }

  private static func distance(_ left: [Double], _ right: [Double]) -> Double {
    zip(left, right).reduce(0) { $0 + abs($1.0 - $1.1) }
  }
}
