import Parsing
import Reports

/// Results that are read back, and what is made of them.
enum ResultParsing {
  static func results(_ source: consuming ByteSource) throws(InputError) {
    let results = try ResultSet(source)
    let comparison = ResultComparison(base: results, new: results, resamples: 40)
    precondition(comparison.outcome != .regression, "results are not worse than themselves")
    _ = ComparisonText.markdown(comparison)
    _ = ReportPage(title: "fuzz", results: results, frames: []).html()
  }

  static func frames(_ source: consuming ByteSource) throws(InputError) {
    let series = try FrameSeries.read(source)
    _ = ReportPage(
      title: "fuzz", results: ResultSet(rows: [], metrics: []), frames: series
    ).html()
  }
}
