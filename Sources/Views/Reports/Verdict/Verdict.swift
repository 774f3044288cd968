internal import FrameBudget

/// The answer from one scenario's results: the state of the app, and the smooth strategy with the lowest price.
///
/// It follows from the figures alone. A strategy is smooth if it dropped no frame, had no late response and left no more
/// undone than the first strategy of the file, nor anything of parts of drawing that it spreads over frames. Of those that show
/// frames earliest, and then fewest of them incomplete, the one with the lowest price is recommended: the smallest sum of
/// `lock_wait_ms_total`, `publish_ms_total` and `handoff_ms_total`, the first of equal ones. On a page with advice, the advised
/// strategy is recommended.
///
/// ```swift
/// for verdict in Verdict.all(results.rows, workloads: workloads.rows) {
///   print(verdict.headline)             // With 2500 items of add-file the app hangs for 6.5 s.
///   print(verdict.answer.joined(separator: " "))
///   for strategy in verdict.strategies { print(strategy.label, strategy.longestGapMilliseconds) }
/// }
/// ```
public struct Verdict: Sendable {
  /// The name of the result that it is from, if there are several; otherwise empty.
  public let origin: String
  public let scenario: String
  /// The values of `--set` and `--vary`, as `PATH=VALUE;...`.
  public let changes: String
  /// `real`, `virtual`, or `imported`.
  public let engine: String
  /// The cores of the real or simulated machine; empty if unknown.
  public let cores: String
  /// All of them, in the file's order; at least one.
  public let strategies: [StrategyOutcome]

  /// Today's strategy: the first one of the file.
  public let today: StrategyOutcome
  /// The smooth strategies: first those that show frames earliest, then fewest of them incomplete, then the one with the lowest
  /// price.
  public let smooth: [StrategyOutcome]
  /// The strategy furthest from smooth, by `distanceFromSmooth`; nil if two are as far, if all are smooth, or if there is only
  /// one.
  public let worst: StrategyOutcome?
  /// If no strategy is smooth or reaches the aims of the advice, the nearest one by `distanceFromSmooth`, then price; nil otherwise,
  /// if there is only one, or if `isMachineBusy`.
  public let nearest: StrategyOutcome?
  /// Whether no strategy is smooth and other processes disturbed all of them, so that it is unknown which one is best; false if
  /// there is only one.
  let isMachineBusy: Bool

  /// The labels that `advise` recommends for the same scenario, the preferred one first; empty if it was not run.
  let advised: [String]
  /// The first advised strategy that is smooth, or not only because it drops as many frames as its aims allow.
  let reaching: StrategyOutcome?

  /// The first of `smooth`: among those that show frames as early, and as few incomplete, the one with the lowest price.
  public var cheapest: StrategyOutcome? { smooth.first }

  /// What none of `smooth` surpasses `cheapest` in; nil if none is smooth. The first case that holds.
  var merit: Merit? {
    guard let cheapest else { return nil }
    if smooth.allSatisfy({ $0.price.total >= cheapest.price.total }) { return .lowestPrice }
    let areAsEarly = smooth.allSatisfy { $0.later.periods == cheapest.later.periods }
    return areAsEarly ? .fewestIncomplete : .earliestFrames
  }

  enum Merit: String, Sendable {
    case lowestPrice = "lowest price"
    case earliestFrames = "earliest frames"
    case fewestIncomplete = "fewest incomplete frames"
  }

  /// The recommended strategy: an advised one that is smooth or reaches its aims, otherwise `cheapest`. Nil if there is none, or if
  /// the advised ones were not run.
  public var recommended: StrategyOutcome? { reaching ?? (isAdviceRun ? cheapest : nil) }

  /// Whether an advised strategy was run, or there is no advice.
  var isAdviceRun: Bool {
    advised.isEmpty || strategies.contains { advised.contains($0.label) }
  }

  /// The next smooth strategy with another kind of price; `cheapest`, if the recommended one is not smooth.
  public var runnerUp: StrategyOutcome? {
    guard let recommended else { return nil }
    if !recommended.isSmooth { return cheapest }
    guard let kind = recommended.price.mainKind else { return nil }
    return smooth.first { $0.price.mainKind.map { $0 != kind } ?? false }
  }

  /// The recommended strategy, otherwise the nearest one.
  public var best: StrategyOutcome? { recommended ?? nearest }

  /// What makes a strategy smooth, in a sentence.
  public static let smoothness = """
    A strategy is smooth if it dropped no frame itself, had no late response, and left no more undone than the first \
    strategy, and no work of parts of drawing that are spread.
    """

  /// The rule for the recommendation, for readers of the verdict.
  public static let rule = """
    \(smoothness) The recommended one is the smooth strategy that shows frames earliest, then the one with the fewest \
    incomplete frames, and then with the lowest price: the sum of the time that the UI waited for locks, the time of copying \
    state, and the time in which the main thread handed work over. These times are on different threads, so the sum is only \
    for ranking and is not an elapsed time. If there is advice from 'advise', the advised strategy is recommended instead, if \
    it is smooth but for as many dropped frames as its aims allow. Frames that the machine cost count separately: those dropped because of other processes and, up to 0.5 % of \
    all frames, late wake-ups.
    """

  /// `allowedDrops` are those that the aims of the advice allow.
  init(
    _ subject: RunRecord, _ strategies: [StrategyOutcome], advised: [String] = [],
    allowedDrops: Int = 0
  ) {
    (origin, scenario) = (subject.origin, subject.scenario)
    (changes, engine, cores) = (subject.changes, subject.engine, subject.cores)
    (self.strategies, self.advised) = (strategies, advised)
    today = strategies[0]
    let runs =
      subject.engine == ImportRow.engine
      ? [] : strategies.filter { $0.isComplete && $0.movedKept.isEmpty }
    smooth = Self.sorted(runs.filter(\.isSmooth)) {
      [Double($0.later.periods), Double($0.incomplete?.count ?? 0), $0.price.total]
    }
    reaching = advised.lazy.compactMap { label in runs.first { $0.label == label } }
      .first { $0.isSmooth(allowing: allowedDrops) }
    let notSmooth = Self.sorted(runs.filter { $0.distanceFromSmooth > 0 }) {
      [$0.distanceFromSmooth, $0.price.total]
    }
    let isChoice = strategies.count > 1
    isMachineBusy =
      isChoice && smooth.isEmpty && !runs.isEmpty && runs.allSatisfy(\.isDisturbed)
    let nearest =
      smooth.isEmpty && reaching == nil && isChoice && !isMachineBusy
      ? notSmooth.first { advised.contains($0.label) } ?? notSmooth.first : nil
    self.nearest = nearest
    worst = isChoice ? Self.furthest(notSmooth, beside: nearest) : nil
  }

  /// The last of `outcomes`, which are in ascending order; nil if another one, or the nearest, is as far from smooth.
  private static func furthest(
    _ outcomes: [StrategyOutcome], beside nearest: StrategyOutcome?
  ) -> StrategyOutcome? {
    guard let last = outcomes.last, last.label != nearest?.label else { return nil }
    let before = outcomes.dropLast().last?.distanceFromSmooth ?? 0
    return last.distanceFromSmooth > before ? last : nil
  }

  /// In ascending order of `key`; equal ones keep their order.
  private static func sorted(
    _ strategies: [StrategyOutcome], by key: (StrategyOutcome) -> [Double]
  ) -> [StrategyOutcome] {
    strategies.enumerated().map { (key($1) + [Double($0)], $1) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }
}

extension Verdict {
  /// One verdict for each origin, scenario, set of changes, engine and number of cores in `results`, the rows of a summary, in
  /// the order of their first rows. `workloads` are the rows of each workload; `advised` has the labels that `advise`
  /// recommends, by scenario, and `allowedDrops` the dropped frames that its aims allow.
  public static func all(
    _ results: [RunRecord], workloads: [RunRecord] = [], advised: [String: [String]] = [:],
    allowedDrops: [String: Int] = [:]
  ) -> [Verdict] {
    let work = Dictionary(grouping: workloads) { RunIdentity($0) }
    return results.grouped { Subject($0) }.compactMap { _, rows in
      let strategies = rows.grouped(by: \.label).compactMap { Repetitions($0.elements) }
      guard let subject = rows.first, let first = strategies.first else { return nil }
      func outcome(_ row: RunRecord, _ left: Int) -> StrategyOutcome {
        let workloads = row.workloads.isEmpty ? work[RunIdentity(row)] ?? [] : row.workloads
        return StrategyOutcome(row, workloads: workloads, leftByFirst: left)
      }
      // All are compared with the undone items of the first one, including itself; unknown if it was interrupted.
      let today = outcome(first.representative, 0)
      let left = today.isComplete ? today.itemsLeft : 0
      return Verdict(
        subject, strategies.map { StrategyOutcome($0) { outcome($0, left) } },
        advised: advised[subject.scenario] ?? [],
        allowedDrops: allowedDrops[subject.scenario] ?? 0)
    }
  }

  /// The verdicts on runs that were just made.
  public static func all(_ rows: [ReportRow]) -> [Verdict] { all(rows, rows.map(\.record)) }

  /// The same, with the records of `rows`.
  static func all(_ rows: [ReportRow], _ records: [RunRecord]) -> [Verdict] {
    let advised = rows.filter(\.log.strategy.isAdvised)
    return all(
      records,
      advised: Dictionary(grouping: advised, by: \.log.scenario).mapValues {
        $0.map(\.log.strategy.label)
      })
  }
}

/// What the rows of one verdict have in common.
private struct Subject: Hashable {
  let origin: String
  let scenario: String
  let changes: String
  let engine: String
  let cores: String

  init(_ row: RunRecord) {
    (origin, scenario, changes) = (row.origin, row.scenario, row.changes)
    (engine, cores) = (row.engine, row.cores)
  }
}

/// The properties that a row of a summary shares with those of its workloads.
struct RunIdentity: Hashable {
  private let subject: Subject
  private let label: String
  private let repetition: String
  private let seed: String

  init(_ row: RunRecord) {
    subject = Subject(row)
    (label, repetition, seed) = (row.label, row.repetition, row.seed)
  }
}

// The verdict for programs: the sentences for people, and their subjects by name.

extension VerdictSummary {
  /// The sentences above the table, and a subject for each scenario, engine and varied value.
  var json: JSON {
    .object([
      ("sentences", .array(sentences.map(JSON.text))),
      ("subjects", .array(verdicts.map(\.json))),
      ("expectations", expectations.map { .text($0.rawValue) } ?? .null),
    ])
  }

  private var sentences: [String] {
    guard !isVaried, let first = verdicts.first else { return paragraphs }
    return first.sentences + paragraphs.dropFirst()
  }
}

extension Verdict {
  fileprivate var json: JSON {
    .object([
      (RunKey.scenario.name, .text(scenario)), (RunKey.changes.name, .text(changes)),
      (RunKey.engine.name, .text(engine)),
      (RunKey.cores.name, Int(cores).map { .number(String($0)) } ?? .null),
      ("today", today.json), ("best", json(best)), ("runner_up", json(runnerUp)),
      ("worst", json(worst)),
    ])
  }

  private func json(_ outcome: StrategyOutcome?) -> JSON { outcome?.json ?? .null }
}

extension StrategyOutcome {
  fileprivate var json: JSON {
    .object([
      (RunKey.strategy.name, .text(label)), ("is_smooth", .flag(isSmooth)),
      ("dropped_by_app", .number(String(ownDrops))),
      ("dropped_by_machine", .number(String(machineFrames))),
      ("longest_hang_ms", JSON(longestGapMilliseconds)),
      (Metric.responsesLate.name, .number(String(lateResponses))),
      (Metric.incompleteFrames.name, incomplete.map { .number(String($0.count)) } ?? .null),
      (Column<RunRecord>.periodsLater.name, .number(String(later.periods))),
      ("items_left", .number(String(itemsLeft))), ("price_ms", price.json),
    ])
  }
}

extension StrategyPrice {
  fileprivate var json: JSON {
    .object([
      ("lock_wait", JSON(lockWait)), ("copying", JSON(copying)), ("hand_off", JSON(handOff)),
      ("total", JSON(total)),
    ])
  }
}
