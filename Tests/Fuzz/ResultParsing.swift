import Parsing

@testable import Reports

/// Results that are read back, and what is made of them.
enum ResultParsing {
  static func results(_ source: consuming ByteSource) throws(InputError) {
    let results = try ResultSet(source)
    let comparison = ResultComparison(base: results, new: results, resamples: 40)
    precondition(comparison.outcome != .regression, "results are not worse than themselves")
    _ = ComparisonText.markdown(comparison)
    _ = ReportPage(title: "fuzz", results: results, workloads: results).html()
  }

  static func limits(_ source: consuming ByteSource) throws(InputError) {
    let limits = try LimitResults(source)
    _ = ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), limits: [limits]
    ).html()
  }

  static func frames(_ source: consuming ByteSource) throws(InputError) {
    let runs = try FramesFile(source).runs
    _ = ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), frames: runs
    ).html()
  }

  static func traces(_ source: consuming ByteSource) throws(InputError) {
    let runs = try TracedRun.read(source)
    _ = ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), frames: [], traces: runs
    ).html()
  }

  /// What could be read comes back from what is written of it.
  static func run(_ source: consuming ByteSource) throws(InputError) {
    let file = try RunFile(source)
    let text = RunJSON.text(file)
    let again = try RunFile(ByteSource(Array(text.utf8), name: "written"))
    precondition(RunJSON.text(again) == text, "what was written reads back differently")
    _ = ReportPage(title: "fuzz", results: ResultSet(rows: [], metrics: []), runs: [file]).html()
  }
}
