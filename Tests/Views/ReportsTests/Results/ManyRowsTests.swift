import FrameBudget
import Glibc
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetReports

/// The time of a sweep's output is linear: four times as many rows take four times as long, not sixteen times.
@Suite struct `Many rows` {
  /// The steps of processing rows, from reading on.
  enum Part: CaseIterable {
    case reading, pairs, comparison, table, verdicts, strips

    /// Returns a part of the result, so that the result is really made.
    func perform(_ rows: Rows) throws -> Int {
      switch self {
      case .reading: try Rows(rows.text).results.rows.count
      case .pairs:
        GroupPairs(ComparedRows(rows.results, []), ComparedRows(rows.results, [])).matched.count
      case .comparison: rows.comparison.groups.count
      case .table: ComparisonText.table(rows.comparison).utf8.count
      case .verdicts: Verdict.all(rows.results.rows).count
      case .strips: StripTable(rows.pageRows, rows.verdicts).markup.html.utf8.count
      }
    }
  }

  struct Rows {
    let text: String
    let results: ResultSet
    let comparison: ResultComparison
    let pageRows: [PageRow]
    let verdicts: [Verdict]

    init(_ text: String) throws {
      self.text = text
      results = try ResultSet(ByteSource(Array(text.utf8), name: "summary.csv"))
      comparison = ResultComparison(base: results, new: results)
      pageRows = PageRow.rows(results.rows, among: results.rows)
      verdicts = Verdict.all(results.rows)
    }

    /// The rows of one scenario, as a sweep over `count` values of a number would write them.
    init(_ count: Int) throws {
      let lines = try Project.text("results/reference/summary.csv").split(separator: "\n")
      let names = lines[0].split(separator: ",", omittingEmptySubsequences: false)
      let place = try #require(names.firstIndex(of: "changes"))
      let models = lines.filter { $0.contains("camera-upload,") && !$0.contains("\"") }
      let rows = (0..<count).map { index in
        var fields = models[index % models.count].split(
          separator: ",", omittingEmptySubsequences: false)
        fields[place] = "workloads.add-file.arrival.once=\(index / models.count)"
        return fields.joined(separator: ",")
      }
      try self.init(([String(lines[0])] + rows).joined(separator: "\n") + "\n")
    }
  }

  @Test func `take time in proportion to their number`() throws {
    let (few, many) = (try Rows(250), try Rows(1000))
    for part in Part.allCases {
      var (short, long) = (Double.infinity, Double.infinity)
      // The fastest of each. If that is not enough, a machine that stands still may have counted in all of them so far.
      for round in 1...10 where round <= 2 || long >= 8 * short {
        short = min(short, try time { try part.perform(few) })
        long = min(long, try time { try part.perform(many) })
      }
      #expect(long < 8 * short, "\(part): \(short) s, then \(long) s")
    }
  }

  /// Processor time of this thread, which no other test adds to.
  private func time(_ work: () throws -> Int) throws -> Double {
    let before = now
    #expect(try work() > 0)
    return now - before
  }

  private var now: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
