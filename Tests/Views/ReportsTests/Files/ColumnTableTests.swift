import FrameBudget
@testable import FrameBudgetReports
import Testing

@Suite struct `The table of columns` {
  @Test func `has the columns of the summary in their order`() {
    let lines = ColumnTable.markdown.split(separator: "\n").dropFirst(2)
    let names = lines.map { $0.split(separator: "`")[1] }
    let header = SummaryCSV.header.split { $0 == "," || $0.isNewline }
    #expect(names == header)
  }

  @Test func `says which columns are there by workload as well`() {
    let marked = ColumnTable.markdown.split(separator: "\n").filter { $0.contains("workloads.csv") }
    #expect(marked.map { String($0.split(separator: "`")[1]) } == MetricCatalog.items.map(\.name))
  }

  @Test func `is followed by the metrics with a changed meaning, and the changes`() {
    for change in MetricCatalog.meaningChanges {
      #expect(ColumnTable.changes.contains("`\(change.metrics[0].name)`"))
      #expect(ColumnTable.changes.contains(": \(change.change)\n"))
    }
  }

  @Test func `explains each column of the other files that the summary lacks`() {
    let headers = [FramesCSV.header, BenchCSV.text([]), ImportCSV.format.header]
    let known = SummaryCSV.header.split { $0 == "," || $0.isNewline }
    for name in headers.flatMap({ $0.split { $0 == "," || $0.isNewline } })
    where !known.contains(name) {
      #expect(ColumnTable.others.contains("| `\(name)` | "), "\(name)")
    }
  }

  @Test func `has the units of the catalogue`() {
    #expect(
      ColumnTable.markdown.contains(
        "| `dropped_frames_pct` | % | 100 dropped_frames / expected_frames |"))
  }
}
