internal import FrameBudgetAdvice
internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// The first advice for each shipped scenario.
struct AdviceTable {
  private static let head = [
    "scenario", "today", "today drops", "the first advice", "then drops", "late", "costs may grow",
    "candidates run", "dropped, range",
  ]

  /// The page; its other parts are written by hand.
  static func page(in project: URL) -> URL {
    project.appending(components: "results", "reference", "advice.md")
  }

  /// The table for all scenarios; some seconds in a release build, minutes in one for debugging.
  static var markdown: String {
    get throws {
      MarkdownTable.text(head, try ShippedScenarios.all.map { try cells(of: $0) })
    }
  }

  /// The table's line for one scenario.
  static func line(of scenario: ShippedScenario) throws -> String {
    MarkdownTable.line(try cells(of: scenario))
  }

  private static func cells(of shipped: ShippedScenario) throws -> [String] {
    let scenario = try shipped.scenario
    guard let today = scenario.strategies.first else { return [shipped.name] }
    let advice = Adviser(AdviceRequest(scenario, today: today)).advice()
    let outcome = advice.today.outcome
    let dropped = outcome.late.map { "\(outcome.dropped), \($0) late" } ?? "\(outcome.dropped)"
    let head = [shipped.name, today.label, dropped]
    let count = "\(advice.count.tried)" + (advice.count.isExhaustive ? "" : " (not exhaustive)")
    switch advice.verdict {
    case .nothingToChange:
      return head + ["nothing to change", "", "", "", "", range(advice.today)]
    case .nothingHelps:
      let nearest = advice.nearest.map { "; nearest: \($0.words.joined(separator: "; "))" } ?? ""
      let drops = advice.nearest?.outcome ?? outcome
      return head + [
        "nothing helps: \(Figure.text(advice.demand.perSecond)) cores needed, "
          + "\(Figure.text(advice.demand.cores)) available\(nearest)",
        "\(drops.dropped)", drops.late.map { "\($0)" } ?? "", "", count,
        range(advice.nearest ?? advice.today),
      ]
    case .change:
      guard let first = advice.proposals.first else { return head }
      let late = first.trial.outcome.late.map { "\($0)" } ?? ""
      return head + [
        first.trial.words.joined(separator: "; "), "\(first.trial.outcome.dropped)", late,
        growth(first, advice.aims), count, range(first.trial),
      ]
    }
  }

  private static func growth(_ proposal: Proposal, _ aims: Aims) -> String {
    guard let margin = proposal.margins.first else { return "" }
    var found = row(proposal.trial)
    (found.aims, found.certainty) = (aims.list, AdviceCertainty(proposal))
    return "\(margin.isLimit ? "> " : "")\(margin.percent) %\(found.isFragile ? " !" : "")"
  }

  private static func range(_ trial: Trial) -> String { row(trial).droppedRange ?? "" }

  private static func row(_ trial: Trial) -> AdviceRecord.Row {
    var row = AdviceRecord.Row()
    (row.meetsAims, row.frames) = (trial.outcome.meets, trial.outcome.frames)
    row.ranges = StatedRanges(trial.range)
    return row
  }
}

/// The first advice for the shipped scenarios, beside measurements of it on a machine with two cores.
struct TestedAdvice {
  fileprivate struct Row {
    let scenario: String
    let advice: AdviceRecord
    let measured: [RunRecord]
  }

  private let rows: [Row]

  /// The largest share of vsyncs that other processes may cost, in percent.
  private static let maxElsewhere = 0.5

  private static let head = [
    "scenario", "the first advice", "dropped, predicted", "measured, by the app",
    "by waking late and by others, %", "late", "undone", "aims",
  ]

  /// `folder` has a folder of results for each scenario with advice.
  init(_ folder: URL) throws {
    rows = try ShippedScenarios.all.compactMap { shipped in
      let results = folder.appending(component: shipped.name)
      let file = results.appending(component: "advice.csv")
      guard FileManager.default.fileExists(atPath: file.path) else { return nil }
      let advice = try AdviceRecord(ByteSource(path: file.path))
      let measured = try PublishedResults.rows(in: results).filter { row in
        row.engine == EngineKind.real.rawValue && row.label == advice.first?.arrangement
      }
      return measured.isEmpty
        ? nil : Row(scenario: shipped.name, advice: advice, measured: measured)
    }
  }

  /// Empty without measurements.
  var markdown: String { rows.isEmpty ? "" : MarkdownTable.text(Self.head, rows.map(cells)) }

  private func cells(of row: Row) -> [String] {
    let first = row.advice.first
    let late = row.measured.median(Metric.responsesLate.name)?.value
    let undone = row.median { Double($0.undone) }
    let own = row.median { $0.own }
    let elsewhere = row.median { 100 * $0.elsewhere / max(1, $0.number(.expectedFrames)) }
    let maxUndone = Double(row.advice.today?.outcome.left ?? 0)
    let isMet =
      own == 0 && elsewhere <= Self.maxElsewhere && late ?? 0 == 0 && undone <= maxUndone
    return [
      row.scenario, first?.moves.joined(separator: "; ") ?? "", "\(first?.outcome.dropped ?? 0)",
      Figure.text(own),
      Figure.percent(elsewhere), late.map(Figure.text) ?? "", Figure.text(undone),
      isMet ? "met" : "missed\(row.cause.map { ": \($0)" } ?? "")",
    ]
  }
}

extension TestedAdvice.Row {
  fileprivate func median(_ value: (RunRecord) -> Double) -> Double {
    measured.map(value).median ?? 0
  }

  /// The main cause of the frames that the app itself dropped, over all runs.
  fileprivate var cause: String? {
    let sums = Cause.allCases.filter { !$0.isElsewhere }.map { cause in
      (cause: cause, drops: measured.reduce(0) { $0 + $1.number(.drops(by: cause)) })
    }
    let most = sums.max { $0.drops < $1.drops }
    return most.flatMap { $0.drops > 0 ? $0.cause.name : nil }
  }
}

extension RunRecord {
  fileprivate func number(_ metric: Metric) -> Double { self[metric.name] ?? 0 }

  /// Vsyncs that were lost to late wake-ups of the main thread or to other processes.
  fileprivate var elsewhere: Double {
    Cause.allCases.filter(\.isElsewhere).reduce(0) { $0 + number(.drops(by: $1)) }
  }

  /// Dropped frames of the app itself.
  fileprivate var own: Double { number(.droppedFrames) - elsewhere }
}

extension Cause {
  fileprivate var isElsewhere: Bool { traits.blame != .app }
}

/// The proofs for each shipped scenario under its strategies.
struct ProofTable {
  private static let head = [
    "scenario", "strategy", "answer", "tightest budget, ms", "costs, times", "worst run drops",
    "any run drops at most", "no bound, because",
  ]

  /// The page; its other parts are written by hand.
  static func page(in project: URL) -> URL {
    project.appending(components: "results", "reference", "proofs.md")
  }

  /// The table for all scenarios; some thousand runs.
  static var markdown: String {
    get throws {
      MarkdownTable.text(head, try ShippedScenarios.all.flatMap { try cells(of: $0) })
    }
  }

  /// The table's lines for one scenario.
  static func lines(of shipped: ShippedScenario) throws -> [String] {
    try cells(of: shipped).map(MarkdownTable.line)
  }

  private static func cells(of shipped: ShippedScenario) throws -> [[String]] {
    let scenario = try shipped.scenario
    return scenario.strategies.map { strategy in
      let proof = Prover(RunPlan(scenario, under: strategy)).proof { count, make in
        (0..<count).map(make)
      }
      return [shipped.name, strategy.label, proof.verdict.rawValue] + figures(proof)
    }
  }

  private static func figures(_ proof: Proof) -> [String] {
    let budget = proof.bound.tightest.map { budget in
      "\(Figure.text(budget.total.inMilliseconds)) of "
        + Figure.text(budget.available.inMilliseconds)
    }
    let growth = proof.growth.map { growth in
      growth == FrameBound.maxGrowth ? "any" : Decimal.text(Double(growth) / 1000, places: 3)
    }
    return [
      budget ?? "", growth ?? "", "\(proof.worst?.dropped ?? 0)",
      proof.bound.dropped.map { "\($0)" } ?? "",
      proof.bound.gaps.map(\.reason).joined(separator: "; "),
    ]
  }
}
