import Foundation
import FrameBudget
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetReports
@testable import FrameBudgetCLI

/// What `advise` and `learn` say of each remedy, beside the range that `run` has of the same arrangement.
struct `Ranges of remedies` {
  private static let columns = StatedRanges.columns.map(\.name)
  private static let learned = "learned: {source: trace.json, coverage: 1, replay: good}\n"

  /// Frames that take nearly a period beside work that is in the way.
  private static let burst = """
    scenario: burst
    display: {refresh: 60 Hz, render: 10 ms}
    duration: 2 s
    services: {files: {}, index: {state: 1000 records}}
    workloads:
      - name: add
        arrival: {once: 60, start: 100 ms}
        steps: [{service: files, cpu: 2 ms}, {service: index, cpu: 0.4 ms}]
      - {name: tap, priority: user, respond_within: 50 ms, arrival: {every: 100 ms, start: 50 ms}, steps: [{service: index, cpu: 0.1 ms}]}
    strategies: [main-thread]

    """

  /// The lines of a table, by column.
  private static func lines(_ csv: String) throws -> [[String: String]] {
    var rows: [[String]] = []
    var records = CSVRecords(ByteSource(Array(csv.utf8), name: "file"))
    try records.forEach { fields throws(InputError) in rows.append(fields) }
    let head = try #require(rows.first)
    return rows.dropFirst().map { row in
      Dictionary(zip(head, row)) { first, _ in first }
    }
  }

  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The folder of the advice for a scenario, and what `advise` printed.
  private func advised(_ text: String, _ flags: String...) throws -> (Scratch, Performed) {
    let scratch = try Scratch()
    try scratch.write(text, to: "app.yaml")
    let path = [scratch.path("app.yaml"), "-q", "-o", scratch.path("advised") + "/"]
    return (scratch, try Performed(["advise"] + path + flags))
  }

  @Test(arguments: [burst, learned + burst, ShortScenario.edge, learned + ShortScenario.edge])
  func `are those of run, in the table, CSV, JSON and page`(_ text: String) throws {
    let (scratch, advise) = try advised(text)
    let csv = try #require(scratch.text("advised/advice.csv"))
    let run = try Performed(
      "run", scratch.path("advised/advice.yaml"), "--engine", "virtual", "--format", "csv", "-q")
    let (advice, runs) = (try Self.lines(csv), try Self.lines(run.output))
    let json = try Performed("advise", scratch.path("app.yaml"), "-q", "--format", "json")
    let whole = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let objects = try #require(whole?["arrangements"] as? [[String: Any]])
    let page = try Performed("report", scratch.path("advised"))
    #expect(!advice.isEmpty && objects.count == advice.count && page.status == .success)
    for (line, object) in zip(advice, objects) {
      let name = try #require(line["arrangement"])
      let same = try #require(runs.first { $0["strategy"] == name }, "\(name)")
      #expect(Self.columns.map { line[$0] } == Self.columns.map { same[$0] }, "\(name)")
      #expect(line["dropped_frames_pct_low"]?.isEmpty == false, "\(name)")
      for column in Self.columns {
        let cell = object[column].flatMap { $0 is NSNull ? nil : "\($0)" } ?? ""
        #expect(Double(cell) == Double(line[column] ?? "") && cell.isEmpty == line[column]?.isEmpty)
      }
      let record = try #require(
        try ResultSet(ByteSource(Array(run.output.utf8), name: "file")).rows.first {
          $0.strategy == name
        })
      let range = try #require(record.shownRange(of: .droppedPercent))
      let printed = "\(Figure.range(range, of: .droppedPercent)) %"
      #expect(advise.output.contains("  range: \(printed) dropped"), "\(advise.output)")
      let meaning = try #require(RangeWords([record], [.droppedPercent])?.text)
      #expect(Self.words(advise.output).contains(meaning.prefix(30)), "\(advise.output)")
      if advice.count > 1 {
        #expect(page.output.contains("<small title=\"\(meaning)\">\(printed)</small>"))
      }
    }
  }

  @Test func `leave an aim open that they cross, in all words, and change no exit status`() throws {
    let (scratch, advise) = try advised(Self.burst)
    #expect(advise.status == .success)
    let open = "so dropped_frames<=0 may be missed."
    #expect(Self.words(advise.output).contains("In 90 % of runs on threads, it drops 0 to "))
    #expect(Self.words(advise.output).contains(open), "\(advise.output)")
    let page = try Performed("report", scratch.path("advised"))
    #expect(page.output.contains(open.replacing("<", with: "&lt;")))
    // With room for what threads add, nothing is open.
    let (_, roomy) = try advised(Self.burst, "--aim", "dropped_frames_pct<=5")
    #expect(Self.words(roomy.output).contains("In 90 % of runs on threads, it drops 0 to "))
    #expect(!roomy.output.contains("may be") && !roomy.output.contains("!"), "\(roomy.output)")
    // No runs say how far predictions of recordings are off: here small changes have no effect.
    let (_, learned) = try advised(Self.learned + Self.burst)
    #expect(
      Self.words(learned.output).contains(
        "If costs are up to 5 % off, it drops 0 % of its frames."),
      "\(learned.output)")
    #expect(!learned.output.contains("runs on threads"))
    // An aim for a figure without measured runs is judged by small changes.
    let (_, late) = try advised(Self.burst, "--aim", "dropped_frames_pct<=5,response_ms_p99<=34")
    #expect(
      Self.words(late.output).contains("If costs are up to 5 % off, response_ms_p99 is "),
      "\(late.output)")
  }

  @Test func `of an arrangement that small changes overturn are told, and with a mark`() throws {
    let (scratch, calm) = try advised(ShortScenario.edge)
    #expect(calm.output.hasPrefix("Nothing to change: main-thread drops 0 of "))
    let words = Self.words(calm.output)
    #expect(words.contains("In 90 % of runs on threads, it drops 0 to "), "\(calm.output)")
    #expect(words.contains("so dropped_frames<=0 may be missed."), "\(calm.output)")
    #expect(calm.status == .success)
    let page = try Performed("report", scratch.path("advised"))
    #expect(page.output.contains("of its frames, so dropped_frames&lt;=0 may be missed."))
  }

  @Test func `of what learn would move are those of run`() throws {
    let scratch = try Scratch()
    try scratch.write(PageTrace.text, to: "page.json")
    let learned = try Performed("learn", scratch.path("page.json"), "-q", "-o", scratch.path("app"))
    let run = try Performed(
      "run", scratch.path("app/page.yaml"), "--engine", "virtual", "--strategy", "move-hash",
      "--format", "csv", "-q")
    let line = try #require(try Self.lines(run.output).first)
    let ends = try ["low", "high"].map {
      Figure.percent(try #require(Double(line["dropped_frames_pct_\($0)"] ?? "")))
    }
    #expect(
      learned.output.contains("| 20 | 0 | \(ends.joined(separator: "–")) % |"),
      "\(learned.output)")
    #expect(learned.output.contains("Range: \(RangeWords.smallChanges).\n"))
  }
}
