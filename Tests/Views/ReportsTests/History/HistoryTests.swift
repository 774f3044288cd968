import FrameBudget
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetReports

/// Series of commits, and what counts as a change of them.
@Suite struct `A history` {
  /// A record of each value, of commits `c0`, `c1`, ….
  static func records(
    _ metric: Metric, _ values: [Double], engine: EngineKind = .real,
    _ edit: (inout HistoryRecord, Int) -> Void = { _, _ in }
  ) -> [HistoryRecord] {
    values.enumerated().map { place, value in
      var record = HistoryRecord()
      (record.commit, record.metric) = ("c\(place)", metric.name)
      record.value = value.asWritten
      record.subject.scenario = "camera-upload"
      record.subject.strategy = "schedulable"
      record.subject.engine = engine.rawValue
      (record.started, record.seeds, record.runs) = ("2026-11-27T08:00:00Z", "42", 10)
      edit(&record, place)
      return record
    }
  }

  /// `count` values with a spread of 1 %, then as many that are larger by `share`.
  private static func step(_ share: Double, at place: Int = 20, of count: Int = 40) -> [Double] {
    normalSample("history", 1, mean: 20, deviation: 0.2, count: count).enumerated().map {
      $0.element * ($0.offset < place ? 1 : 1 + share)
    }
  }

  private static let p99 = Metric.frameTime(.p99)

  private static func changes(_ records: [HistoryRecord], _ gates: String? = nil) throws -> [String]
  {
    let history = History(records, gates: try gates.map { try Gate.gates($0) } ?? Gate.standard)
    return history.series.flatMap(\.changes).map { "\($0.commit) \($0.metric.verdict.rawValue)" }
  }

  /// A shorter run is another one, and has fewer of everything.
  @Test func `begins again where runs have another length`() throws {
    func changes(
      _ metric: Metric, _ lengths: [Double?], engine: EngineKind = .virtual
    ) throws -> (records: [Int], changes: [String]) {
      let values = lengths.map { $0 == 300 ? 1.0 : 11 }
      let records = Self.records(metric, values, engine: engine) { $0.duration = lengths[$1] }
      let history = History(records, gates: [Gate(metric.name)])
      return (history.series.map(\.records.count), try Self.changes(records, metric.name))
    }
    for metric in [Metric.responsesLate, Self.p99, .droppedPercent] {
      let restarted = try changes(metric, [3000, 3000, 300, 300])
      #expect(restarted.records == [2] && restarted.changes.isEmpty)
      // Files of earlier versions do not say it.
      #expect(try changes(metric, [nil, 3000, 3000]).records == [3])
      #expect(try changes(metric, [nil, nil, 300]).changes == ["c2 better"])
    }
    #expect(try changes(.responsesLate, [3000, 300], engine: .real).records == [1])
    #expect(try changes(Self.p99, [3000, 300], engine: .real).records == [2])
  }

  // MARK: The file

  @Test func `is read back equal`() throws {
    let records =
      Self.records(Self.p99, Self.step(0.1))
      + Self.records(.responsesLate, [3, 5], engine: .virtual) { record, _ in
        (record.isBound, record.subject.strategy) = (true, "newest:a=\"1\",b=2")
        (record.subject.machine, record.subject.workload) = ("=cmd\n", "tap")
        (record.subject.changes, record.subject.cores) = ("display.render=6 ms", "2")
        record.duration = 1500.5
      }
    let text = HistoryRecord.table(records).csv
    #expect(try HistoryRecord.records(ByteSource(Array(text.utf8), name: "h.csv")) == records)
    #expect(try HistoryRecord.records(ByteSource([], name: "h.csv")).isEmpty)
    #expect(throws: InputError.self) {
      try HistoryRecord.records(ByteSource(Array("schema,commit\n4,a\n".utf8), name: "h.csv"))
    }
  }

  @Test func `keeps the means of compare, with the seeds of virtual results`() throws {
    let values = [
      Self.p99.name: [20, 30, 21, 22, 90.0], Metric.droppedFrames.name: [1, 1, 1, 1, 2],
    ]
    func kept(_ engine: String, _ seeds: [Int]) -> [HistoryRecord] {
      let rows = ComparedRows(
        results(values, engine: engine, seeds: seeds), [Self.p99.name, "dropped_frames"])
      return HistoryRecord.records(
        of: rows, commit: "a", started: "then",
        metrics: [Self.p99.name, Metric.droppedFrames.name, Metric.backlog.name])
    }
    let real = kept("real", [1, 2, 3, 4, 5])
    #expect(real.map(\.metric) == [Self.p99.name, Metric.droppedFrames.name])
    #expect(real.map(\.value) == [Sample([21, 22, 30]).trimmedMean.asWritten, 1])
    #expect(real.allSatisfy { $0.runs == 5 && $0.seeds.isEmpty && $0.started == "then" })
    let seeds = [[1, 2, 3, 4, 5], [1, 2, 3, 5, 4], [7, 7, 7, 7, 7]].map {
      kept("virtual", $0)[0].seeds
    }
    #expect(Set(seeds).count == 3 && seeds[2] == "5 x 7")
    #expect(kept("virtual", [1, 2, 3, 4, 5])[0].seeds == seeds[0])
  }

  @Test func `has one figure of a commit, the newest, in its first place`() {
    let old = Self.records(Self.p99, [20, 21, 22])
    let again = Self.records(Self.p99, [30])
    let (all, replaced) = HistoryRecord.adding(again, to: old)
    #expect(all.map(\.value) == [30, 21, 22] && replaced == 1)
    let other = Self.records(Self.p99, [30]) { record, _ in record.subject.scenario = "other" }
    #expect(HistoryRecord.adding(other, to: old).records.map(\.value) == [20, 21, 22, 30])
    #expect(HistoryRecord.adding(other, to: old).replaced == 0)
  }

  // MARK: Changes

  @Test func `has every difference that compare would report between virtual results`() throws {
    let times = Self.records(Self.p99, [16, 16.1, 16.2, 20, 20, 19], engine: .virtual)
    #expect(try Self.changes(times) == ["c2 worse", "c3 worse", "c5 better"])
    let counts = Self.records(.responsesLate, [3, 3, 4], engine: .virtual)
    #expect(try Self.changes(counts) == ["c2 worse"])
    // Other seeds are noise, of which three commits are too few.
    let others = Self.records(Self.p99, [16, 20, 20], engine: .virtual) { $0.seeds = "\($1)" }
    #expect(try Self.changes(others) == [])
  }

  @Test func `has change points of measured results, and says which the gate counts`() throws {
    #expect(try Self.changes(Self.records(Self.p99, Self.step(0.1))) == ["c20 worse"])
    #expect(try Self.changes(Self.records(Self.p99, Self.step(-0.1))) == ["c20 better"])
    #expect(try Self.changes(Self.records(Self.p99, Self.step(0))) == [])
    let small = Self.records(Self.p99, Self.step(0.03))
    #expect(try Self.changes(small) == ["c20 same"])
    #expect(try Self.changes(small, "frame_ms_p99=2%") == ["c20 worse"])
    let rate = Self.records(.averageFPS, Self.step(0.1))
    #expect(try Self.changes(rate, "average_fps=5%") == ["c20 better"])
  }

  @Test func `separates machines, scenarios and engines`() {
    let values = Self.step(0.1)
    let mixed = Self.records(Self.p99, values) { record, place in
      record.subject.machine = place < 20 ? "old" : "new"
    }
    let history = History(mixed)
    #expect(history.series.count == 2 && history.series.allSatisfy { $0.changes.isEmpty })
  }

  @Test func `begins anew where a metric has changed its meaning`() throws {
    let change = try #require(MetricCatalog.meaningChanges.last { $0.source == .runs })
    let metric = try #require(change.metrics.first)
    let records = Self.records(metric, Self.step(0.5), engine: .virtual) { record, place in
      record.resultSchema = place < 20 ? change.schema - 1 : change.schema
    }
    let series = try #require(
      History(records, gates: [Gate(metric.name)]).series.first)
    #expect(series.records.map(\.commit).first == "c20" && series.records.count == 20)
  }

  @Test func `does not know changes between lower bounds`() throws {
    let bounds = Self.records(Self.p99, [100, 200], engine: .virtual) { record, _ in
      record.isBound = true
    }
    #expect(try Self.changes(bounds) == [])
    let higher = Self.records(Self.p99, [100, 200], engine: .virtual) { $0.isBound = $1 == 1 }
    #expect(try Self.changes(higher) == ["c1 worse"])
  }

  // MARK: The gate

  @Test func `fails for a recent change for the worse until a better one follows`() {
    let worse = History(Self.records(Self.p99, Self.step(0.1)))
    #expect(worse.outcome(within: 20) == .regression)
    #expect(worse.outcome(within: 19) == .holds)
    let values = Self.step(0.1).enumerated().map { $0.offset < 30 ? $0.element : $0.element / 1.1 }
    #expect(History(Self.records(Self.p99, values)).outcome(within: 40) == .holds)
    #expect(History(Self.records(Self.p99, Self.step(0.03))).outcome(within: 40) == .holds)
    let short = History(Self.records(Self.p99, [20, 30, 30]))
    #expect(short.outcome(within: 3) == .inconclusive)
    let shown = History(
      Self.records(Metric.frameTime(.p95), Self.step(0.1)), gates: [],
      shown: [Metric.frameTime(.p95).name])
    #expect(shown.series.count == 1 && shown.outcome(within: 40) == .inconclusive)
  }

  /// Every metric that can gate has a series: what is kept is also judged.
  @Test(arguments: Gate.standard.map(\.metric))
  func `judges every metric that gates by default`(_ name: String) throws {
    let metric = try #require(MetricCatalog.compared.first { $0.name == name })
    let records = Self.records(metric, [10, 10, 12], engine: .virtual)
    #expect(try Self.changes(records) == ["c2 worse"])
    #expect(History(records).outcome(within: 1) == .regression)
  }

  /// A change of measured values takes three commits, so a gate on fewer could never fail.
  @Test(arguments: [(1, false), (2, false), (3, true), (20, true)])
  func `decides nothing within fewer commits than a change takes`(
    _ newest: Int, _ decides: Bool
  ) {
    let steady = Self.records(Self.p99, Self.step(0))
    #expect(History(steady).outcome(within: newest) == (decides ? .holds : .inconclusive))
    let text = HistoryText(History(steady), within: newest).markdown
    #expect(text.contains("Inconclusive: a change of a measured metric takes 3") == !decides)
    let exact = Self.records(.responsesLate, [3, 3, 3], engine: .virtual)
    #expect(History(exact).outcome(within: newest) == .holds)
    #expect(
      History(exact + steady).outcome(within: newest) == (decides ? .holds : .inconclusive))
    // A regression that is known is one.
    let worse = Self.records(.responsesLate, [3, 3, 4], engine: .virtual)
    #expect(History(worse + steady).outcome(within: newest) == .regression)
    let better = History(
      Self.records(.responsesLate, [3, 3, 2], engine: .virtual) + steady)
    let words = HistoryText(better, within: newest).markdown
    #expect(words.contains("Better: ") && words.contains("Inconclusive: ") == !decides)
  }

  /// Slow: as in a CI, after each commit the gate looks at all commits so far.
  @Test(arguments: [(0.02, 6), (0.03, 15)])
  func `fails in at most 5 % of histories without a change, at any of their commits`(
    _ spread: Double, _ most: Int
  ) {
    let alarms = (0..<300).count { trial in
      let values = normalSample("still", trial, mean: 20, deviation: 20 * spread, count: 60)
      let records = Self.records(Self.p99, values)
      return (10...60).contains {
        History(Array(records.prefix($0))).outcome(within: 10) == .regression
      }
    }
    #expect(alarms <= most, "\(spread): \(alarms) of 300")
  }

  // MARK: Views

  private static let drawn =
    records(p99, [16, 16, 16, 20, 20, 17], engine: .virtual)
    + records(.responsesLate, [3, 3, 3, 3, 3, 3], engine: .virtual)
    + records(p99, [20, 21], engine: .real) { record, _ in record.subject.machine = "a|b" }

  @Test func `is shown as lines of bars with the changes`() {
    let text = HistoryText(History(Self.drawn), within: nil).table(isColored: false)
    #expect(
      text == """
        Better: frame_ms_p99 (virtual) went from 20 to 17 ms (-15 %) at c5. 3 series of up to 6 commits, 1 of them too short to find a change.

        camera-upload · schedulable · virtual
          metric            values  commit  before  after  change      p  verdict
          frame_ms_p99 *    ▁▁▁██▃  c3          16  20 ms   +25 %  exact  worse
                                    c5          20  17 ms   -15 %  exact  better
          responses_late *  ▁▁▁▁▁▁                                        no change in 6 commits

        camera-upload · schedulable · real · a|b
          metric          values  commit  before  after  change  p  verdict
          frame_ms_p99 *  ▁█                                        2 commits: too few

        """)
  }

  @Test func `shows ten digits of a hash, and gives programs all`() {
    let hash = String(repeating: "3f2a91bc", count: 5)
    let long = History(
      Self.records(Self.p99, [16, 20], engine: .virtual) { record, _ in record.commit = hash })
    let text = HistoryText(long, within: nil)
    #expect(text.table(isColored: false).contains(" 3f2a91bc3f "))
    #expect(!text.markdown.contains(hash) && text.records.csv.contains(hash))
  }

  @Test func `is a table in Markdown that names cannot break`() {
    let text = HistoryText(History(Self.drawn), within: 6).markdown
    #expect(text.hasPrefix("**Better: frame"))
    #expect(text.contains("### camera-upload · schedulable · real · a\\|b\n"))
    #expect(text.contains("| c3 | 16 | 20 ms | +25 % | exact | worse |"))
  }

  @Test func `gives programs its changes and the outcome`() {
    let worse = History(Self.records(Self.p99, [16, 20], engine: .virtual))
    let json = HistoryText(worse, within: 1).records.json
    #expect(json.contains(#""outcome": "regression""#) && json.contains(#""commit": "c1""#))
    let free = HistoryText(worse, within: nil).records.json
    #expect(free.contains(#""outcome": null"#) && free.contains(#""commit": "c1""#))
    let csv = HistoryText(worse, within: nil).records.csv.split(separator: "\n")
    #expect(csv.count == 2 && csv[0].hasSuffix(",commit,started,commits_since"))
    #expect(csv[1].hasSuffix(",c1,2026-11-27T08:00:00Z,1"))
  }

  @Test func `draws the newest forty values at most`() {
    let many = History(Self.records(Self.p99, Self.step(0.1, of: 100), engine: .virtual))
    let text = HistoryText(many, within: nil).table(isColored: false)
    let bars = text.filter { "▁▂▃▄▅▆▇█".contains($0) }
    #expect(bars.count == 40)
  }
}
