import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

/// Something that shows one figure of repeated runs: the text of each figure, by strategy and metric.
///
/// A view may lack a metric, but not show another figure for it.
struct View: CustomTestStringConvertible {
  let name: String
  /// How it prints a number.
  let printed: @Sendable (Double) -> String
  let read: @Sendable (RunsOfScenario, Output) throws -> [String: [String: [String]]]

  var testDescription: String { name }

  /// What the commands `run` and `report` show of the runs.
  struct Output {
    let report: [String]
    let page: String

    init(_ runs: RunsOfScenario) throws {
      report = runs.report
      page = try runs.page()
    }
  }

  static let all = [table, paragraphs, verdict, verdictOfFiles, strips, metricList]

  // MARK: The terminal

  static let table = View(name: "table", printed: { Figure.text($0) }) { runs, output in
    let lines = output.report
    let head = try #require(lines.firstIndex { $0.hasPrefix("strategy") })
    let titles = cells(lines[head])
    let rows = lines[(head + 1)...].map(cells).filter { $0.count == titles.count }
    #expect(rows.count == runs.labels.count)
    let p99 = try #require(titles.firstIndex(of: "p99 ms"))
    return Dictionary(
      uniqueKeysWithValues: zip(runs.labels, rows).map { label, row in
        (label, ["dropped_frames": [row[1]], "frame_ms_p99": [row[p99]]])
      })
  }

  /// The texts between two or more spaces.
  private static func cells(_ line: String) -> [String] {
    line.split(separator: /\s{2,}/).map(String.init)
  }

  static let paragraphs = View(name: "paragraphs", printed: { Figure.text($0) }) { runs, output in
    let lines = output.report
    return try named(runs) { label in
      let line = try #require(
        lines.first { $0.hasPrefix("- \(label) dropped ") || $0.hasPrefix("- \(label) (") })
      let drops = line.firstMatch(of: /dropped (none|[0-9]+) of/).map { String($0.1) }
      return ["dropped_frames": drops.map { [$0 == "none" ? "0" : $0] } ?? []]
    }
  }

  // MARK: The verdict

  static let verdict = View(name: "verdict", printed: { Decimal.text($0, places: 6) }) { runs, _ in
    try outcomes(Verdict.all(runs.rows), runs)
  }

  static let verdictOfFiles = View(
    name: "verdict of a folder", printed: { Decimal.text($0, places: 6) }
  ) { runs, _ in
    try outcomes(Verdict.all(runs.results().rows, workloads: runs.workloads().rows), runs)
  }

  private static func outcomes(
    _ verdicts: [Verdict], _ runs: RunsOfScenario
  ) throws -> [String: [String: [String]]] {
    let verdict = try #require(verdicts.first)
    return try named(runs) { label in
      let outcome = try #require(verdict.strategies.first { $0.label == label })
      let words = verdict.sentence(on: outcome).dropFirst(label.count)
      let drops = words.firstMatch(of: /: (none|[0-9]+) of/).map { String($0.1) }
      let longest = Decimal.text(outcome.longestGapMilliseconds, places: 6)
      return [
        "dropped_frames": drops.map { [$0 == "none" ? "0" : $0] } ?? [],
        "hitch_max_ms": [longest], "hang_count": [String(outcome.hangs)],
      ]
    }
  }

  // MARK: The page

  static let strips = View(name: "strips of the page", printed: { Figure.text($0) }) {
    runs, output in
    let rows = output.page.split(separator: "<tr role=\"row\"")
    return try named(runs) { label in
      let name: Markup = "aria-label=\"\(label): "
      let row = try #require(rows.first { $0.contains(name.html) })
      let drops = row.firstMatch(of: /<span class="one">(?:<b class="problem">)?([0-9]+)</)
      return ["dropped_frames": drops.map { [String($0.1)] } ?? []]
    }
  }

  static let metricList = View(
    name: "metrics of the page", printed: { Decimal.text($0, places: 3) }
  ) { runs, output in
    let entries = output.page.split(separator: "<dt><b>").dropFirst()
    return try named(runs) { label in
      let name: Markup = "<dd><span>\(label)</span> "
      let texts = FigureTests.metrics.map { metric in
        let texts = entries.filter { $0.hasPrefix("\(metric)<") }.compactMap { entry in
          let range =
            entry.firstRange(of: "<dd class=\"all\"><span>all</span> ")
            ?? entry.firstRange(of: name.html)
          return range.map { String(entry[$0.upperBound...].prefix { $0 != "<" }) }
        }
        return (metric, texts)
      }
      return Dictionary(uniqueKeysWithValues: texts)
    }
  }

  private static func named(
    _ runs: RunsOfScenario, _ figures: (String) throws -> [String: [String]]
  ) throws -> [String: [String: [String]]] {
    Dictionary(uniqueKeysWithValues: try runs.labels.map { ($0, try figures($0)) })
  }
}

/// A file that has the figures of each run: their texts by metric, in the order of the runs.
///
/// What reads a trace belongs into `all` too.
struct FileOfRuns: CustomTestStringConvertible {
  let name: String
  let read: @Sendable (RunsOfScenario) throws -> [[String: String]]

  var testDescription: String { name }

  static let all = [summary, runFile, importedFrames]

  static let summary = FileOfRuns(name: "summary.csv") { runs in
    try runs.results().rows.map { row in
      figures { row[$0].map { Decimal.text($0, places: 6) } }
    }
  }

  static let runFile = FileOfRuns(name: "run.json") { runs in
    try runs.runFile().runs.map { run in
      figures { run[$0].map { Decimal.text($0, places: 6) } }
    }
  }

  /// Only of runs with frames; the others have no lines.
  static let importedFrames = FileOfRuns(name: "import of the frames") { runs in
    let streams = try ImportedLog(runs.frames(), refresh: nil).streams
    var places = streams.makeIterator()
    return try runs.rows.map { row in
      guard !row.log.frames.records.isEmpty else { return [:] }
      let next = places.next()
      let stream = try #require(next)
      return figures { stream.values[$0]?.description }
    }
  }

  private static func figures(_ text: (String) -> String?) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: FigureTests.metrics.compactMap { metric in
        text(metric).map { (metric, $0) }
      })
  }
}
