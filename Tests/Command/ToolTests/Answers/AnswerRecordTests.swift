import FrameBudgetAdvice
import FrameBudget
import FrameBudgetParsing
import FrameBudgetRealTime
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetReports
@testable import FrameBudgetCLI

/// What a question answers is one value: written, it is read back equal.
struct `The record of an answer` {
  private static let console = Console(output: -1, diagnostics: -1)

  /// Quick ones, with all three outcomes of a search.
  private static let searched: ArraySlice<String> = [
    "steady", "priority-inversion", "lock-starvation", "three-files", "long-task",
    "tap-behind-files", "like-ios", "like-chrome",
  ].prefix(Tries.advisedScenarios.count)

  private static func subject(_ name: String) throws -> AdvisedSubject {
    try AdvisedSubject(ScenarioSource(name, on: console))
  }

  private static func source(_ table: RecordTable) -> ByteSource {
    ByteSource(Array(table.csv.utf8), name: "file")
  }

  /// Slow: the search of some takes many runs.
  @Test(arguments: searched)
  func `is read back equal for advise`(_ name: String) throws {
    let subject = try Self.subject(name)
    let record = AdvisedArrangements(
      of: AdviceRequest(subject.scenario, today: subject.today),
      ConcurrentRuns(jobs: nil, showing: nil)
    ).record
    var read = try AdviceRecord(Self.source(record.table))
    // Without moves the file has only its header.
    try read.addMoves(Self.source(record.movesTable))
    #expect(read == record)
    // A view takes the record, wherever it is from.
    let texts = [read, record].map { AdviceText($0, width: 80, isColored: false)?.text }
    #expect(texts[0] == texts[1])
  }

  @Test(arguments: searched)
  func `is read back equal for explain of one scenario`(_ name: String) throws {
    let subject = try Self.subject(name)
    let record = try #require(
      ExplainedRecord(subject, ConcurrentRuns(jobs: nil, showing: nil)))
    #expect(try ExplainedRecord(Self.source(record.table)) == record)
  }

  @Test(arguments: searched)
  func `is read back equal for explain of two scenarios`(_ name: String) throws {
    let before = try Self.subject(name)
    let after = try AdvisedSubject(
      before.source, ScenarioChoice(settings: ["costs.all=1.2"], seed: "7"))
    let record = try #require(
      ExplainedRecord(before, after, ConcurrentRuns(jobs: nil, showing: nil)))
    guard case .difference(let whole, let shares) = record else {
      Issue.record("two scenarios have a difference")
      return
    }
    #expect(!shares.isEmpty && whole.beforeName == whole.afterName)
    #expect(try ExplainedRecord(Self.source(record.table)) == record)
  }

  @Test(arguments: ["three-files", "long-task"])
  func `is read back equal for limit`(_ name: String) throws {
    let source = try ScenarioSource(name, on: Self.console)
    let search = LimitSearch(
      source: source,
      request: try Comparison.Request(ScenarioChoice(), on: .virtual, repetitions: 1),
      load: try LoadPath(ofFirstWorkloadIn: source, []), options: RealEngine.Options())
    let records = try search.minLoad().runs.indices.map { try search.result($0).get().record }
    #expect(!records.isEmpty && records.allSatisfy { $0.runs > 0 })
    #expect(try LimitRecord.records(Self.source(LimitRecord.table(records))) == records)
  }

  /// Slow: the search for worse runs of some takes many runs.
  @Test(arguments: searched)
  func `is read back equal for prove`(_ name: String) throws {
    let replays = try ProofReplays(name, ScenarioChoice(strategy: ["all"]), on: Self.console)
    let records = replays.records(
      droppingUpTo: 0, ConcurrentRuns(jobs: nil, showing: nil))
    #expect(records.count > 10)
    let read = try ProofRecord.records(Self.source(ProofRecord.table(records)))
    for (one, other) in zip(read, records) { #expect(one == other) }
    #expect(read.count == records.count)
  }
}
