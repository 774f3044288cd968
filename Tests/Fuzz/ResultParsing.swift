import FrameBudget
import FrameBudgetParsing

@testable import FrameBudgetReports

/// Results that are read back, and their reports.
enum ResultParsing {
  static func results(_ source: consuming ByteSource) throws(InputError) {
    let results = try ResultSet(source)
    let comparison = ResultComparison(base: results, new: results)
    precondition(comparison.outcome != .regression, "results are not worse than themselves")
    let columns = ComparedRows(results, Gate.standard.map(\.metric))
    let kept = ResultComparison(
      base: columns, new: columns, gates: Gate.standard, shown: [])
    precondition(kept.outcome == comparison.outcome, "what is not compared does not matter")
    _ = ComparisonText.markdown(comparison)
    _ = try ReportPage(title: "fuzz", results: results, workloads: results).html()
  }

  /// As the calibration of counts of the same spans, in a scenario with a service for each.
  static func spans(_ source: consuming ByteSource) throws {
    let spans = try Array(SpansCSV.spans(source).prefix(20))
    let scenario = Scenario(
      name: "fuzz", display: Display(refresh: RefreshRate(60)), duration: .seconds(1),
      services: spans.map { Service(name: $0.name) },
      workloads: [
        Workload(
          name: "all", arrival: .once(1, start: .zero),
          steps: spans.indices.map {
            Step(
              name: "step", service: ServiceIndex($0), load: .cpu(.constant(.milliseconds(2))))
          })
      ])
    let counted = spans.map {
      CountedSpan(name: $0.name, calls: 1, instructions: 1e6, spread: 0)
    }
    _ = try CountedCosts(counted, since: spans, in: scenario).applied(to: scenario)
  }

  static func limits(_ source: consuming ByteSource) throws(InputError) {
    let limits = try LimitRecord.records(source)
    _ = try ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), limits: limits
    ).html()
  }

  static func proofs(_ source: consuming ByteSource) throws(InputError) {
    let proofs = try ProofRecord.records(source)
    _ = try ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), proofs: proofs
    ).html()
  }

  static func frames(_ source: consuming ByteSource) throws(InputError) {
    let runs = try FramesFile(source).runs
    _ = try ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), frames: runs
    ).html()
  }

  static func traces(_ source: consuming ByteSource) throws(InputError) {
    _ = try ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), traces: [TracedRuns(source)]
    ).html()
  }

  static func advice(_ source: consuming ByteSource) throws(InputError) {
    try draw(advice: [AdviceRecord(source)])
  }

  /// The moves of the advice that the same lines hold.
  static func moves(_ bytes: [UInt8]) throws(InputError) {
    var advice = try AdviceRecord(ByteSource(bytes, name: "advice"))
    try advice.addMoves(ByteSource(bytes, name: "moves"))
    try draw(advice: [advice])
  }

  static func shares(_ source: consuming ByteSource) throws(InputError) {
    try draw(explained: [ExplainedRecord(source)])
  }

  static func history(_ source: consuming ByteSource) throws(InputError) {
    let records = try HistoryRecord.records(source)
    let again = HistoryRecord.adding(records, to: records).records
    precondition(
      again == HistoryRecord.adding([], to: again).records, "the same figures are no more")
    let text = HistoryText(
      History(records, shown: MetricCatalog.numbers.map(\.name)), within: 5)
    _ = text.table(isColored: true) + text.markdown + text.records.json
  }

  private static func draw(advice: [AdviceRecord] = [], explained: [ExplainedRecord] = [])
    throws(InputError)
  {
    _ = try ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), advice: advice,
      explained: explained
    ).html()
  }

  /// Results that were read can be written and read again, and the runs are those of all shards.
  static func sweep(_ source: consuming ByteSource) throws(InputError) {
    let manifest = try SweepManifest(source)
    let again = try SweepManifest(ByteSource(Array(manifest.text.utf8), name: "written"))
    precondition(again == manifest, "what was written reads back differently")
    precondition((0...manifest.runs).contains(manifest.ownRuns), "runs of other shards")
  }

  /// The rows of a sweep, whose lines after the first are the input, and their statistics over all seeds.
  static func swept(_ bytes: [UInt8]) throws(InputError) {
    let own = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    var rows = try SweepRows(
      summary: ByteSource(Array(SummaryCSV.header.utf8) + own, name: "summary"),
      workloads: ByteSource(Array(WorkloadsCSV.header.utf8) + own, name: "workloads"))
    while try rows.next() != nil {}
    var summary = SeedSummary(runsPerGroup: 2, expectations: [])
    let failure: Never? = try summary.forEachGroup(
      of: ByteSource(Array(SummaryCSV.header.utf8) + own, name: "summary")
    ) { (group) throws(Never) in _ = group.csv }
    precondition(failure == nil)
  }

  /// Results that were read can be written and read again.
  static func run(_ source: consuming ByteSource) throws(InputError) {
    let file = try RunFile(source)
    let text = RunJSON.text(file)
    let again = try RunFile(ByteSource(Array(text.utf8), name: "written"))
    precondition(RunJSON.text(again) == text, "what was written reads back differently")
    _ = try ReportPage(title: "fuzz", results: ResultSet(rows: [], metrics: []), runs: [file])
      .html()
  }
}
