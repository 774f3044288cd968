import FrameBudget
import FrameBudgetParsing
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetReports

/// Everything that is written reads back as the same numbers: written again, it has the same bytes.
struct RoundTripTests {
  static let rows: [ReportRow] =
    StrategyCatalog.all.flatMap { named in
      [
        virtual(named.name, named: "camera, \"upload\"", changes: "a=1;b=\"two\nlines\""),
        virtual(named.name, named: "one\r\ntwo", seed: .max, duration: .milliseconds(777)),
      ].compactMap(\.self)
    } + [HandMadeRun.mainThread, .throttled, .locks, .schedulable].map { $0.row() }

  /// A run with late frames, items left over and workloads of awkward names.
  static func virtual(
    _ strategy: String, named name: String, changes: String = "", seed: UInt64 = 7,
    duration: TimeSpan = .milliseconds(4321)
  ) -> ReportRow? {
    let step = Step(name: "step", service: 0, load: .cpu(.exponential(mean: .milliseconds(9))))
    var scenario = Scenario(
      name: name,
      display: Display(
        refresh: RefreshRate(60000, over: 1001),
        render: .uniform(from: .milliseconds(2), to: .milliseconds(14))),
      duration: duration, seed: seed, services: [Service(name: "service")],
      workloads: [
        Workload(
          name: "burst, of \"files\"\n", arrival: .batch(40, every: .seconds(1), start: .zero),
          steps: [step]),
        Workload(
          name: "tap", arrival: .batch(1, every: .milliseconds(300), start: .zero), steps: [step],
          respondWithin: .milliseconds(20), item: "edit"),
        // Nothing of it arrives: its cells are empty.
        Workload(name: "", arrival: .once(1, start: .seconds(60)), steps: [step]),
      ])
    if seed == .max {
      scenario.learned = Learned(source: "a.json", coverage: 1, replay: .poor)
      scenario.display.platform = .chrome
      scenario.workloads[1].isInput = true
    }
    guard var strategy = try? StrategyCatalog.strategy(strategy, for: scenario) else { return nil }
    if seed == .max {
      scenario.frameParts = [
        FramePart(name: "rows", cpu: .uniform(from: .zero, to: .milliseconds(9)))
      ]
      var arrangement = strategy.arrangement
      arrangement.frameParts = [.spread(budget: .milliseconds(4))]
      strategy = Strategy(
        name: strategy.name, options: strategy.options, arrangement: arrangement)
    }
    let engine = VirtualEngine(detail: .frames)
    let plan = RunPlan(scenario, under: strategy)
    let metrics = RunMetrics(engine.run(plan))
    // Some have no range.
    let range = seed == .max ? nil : engine.range(around: metrics, of: plan)
    return ReportRow(metrics.having(range), changes: changes, cores: 2, repetition: 3)
  }

  @Test func `a record of a run, equal`() throws {
    let records = Self.rows.map(\.record)
    #expect(try RunFile(Self.source(RunJSON.text(Self.rows, Circumstances()))).runs == records)
    #expect(try ResultSet(Self.source(SummaryCSV.text(Self.rows))).rows == Self.rows.map(\.summary))
    let workloads = try ResultSet(Self.source(WorkloadsCSV.text(Self.rows)))
    #expect(workloads.rows == records.flatMap(\.workloads))
    #expect(!workloads.rows.isEmpty && records.contains { !$0.answers.isEmpty })
  }

  /// A record with a value in each column, or none, and in everything else that only `run.json` has.
  static func random(_ stream: inout RandomStream, of columns: [Column<RunRecord>]) -> RunRecord {
    var record = RunRecord()
    var numbers: [String: Double] = [:]
    let texts = ["", "a", "1", "x, \"y\"", "two\nlines", "é·µ"]
    for column in columns where column.name != RunKey.schema.name {
      let number = Double(Int64(stream.next() % 2_000_000_000_000_000)) / 1e6
      let isKnown = stream.next() % 4 > 0
      switch column.name {
      case RunKey.cores.name, RunKey.repetition.name, RunKey.warmup.name, RunKey.seed.name:
        try? column.read?(&record, String(stream.next() % 1_000_000))
      case RunKey.refresh.name, RunKey.duration.name:
        try? column.read?(&record, isKnown ? Decimal.text(number, places: 6) : "")
      case Column.like.name:
        let platform = ScreenPlatform.allCases[Int(stream.next() % 2)]
        try? column.read?(&record, isKnown ? platform.rawValue : "")
      case Column<RunRecord>.waitsFor.name:
        let waits = StrategyPrice.Waits.allCases
        try? column.read?(&record, waits[Int(stream.next() % UInt64(waits.count))].rawValue)
      case Metric.status.name: try? column.read?(&record, "interrupted")
      default:
        if RunRecord.texts[column.name] != nil {
          try? column.read?(&record, texts[Int(stream.next() % UInt64(texts.count))])
        } else if isKnown {
          numbers[column.name] =
            switch NumberKind(column.name) {
            case .count: number.rounded()
            case .share: Double(stream.next() % 100_000_000) / 1e6
            case .amount, nil: number
            }
        }
      }
    }
    if let expected = numbers[Metric.expectedFrames.name] {
      for metric in [Metric.presentedFrames, .droppedFrames] where numbers[metric.name] != nil {
        numbers[metric.name] = min(expected, numbers[metric.name, default: 0])
      }
    }
    record.numbers = RowNumbers(numbers)
    return record
  }

  @Test func `any record of a line, equal`() throws {
    for seed in 0..<UInt64(100) {
      var stream = RandomStream(seed: seed, name: "records")
      let run = Self.random(&stream, of: SummaryCSV.format.columns)
      #expect(try ResultSet(Self.source(SummaryCSV.format.text([run]))).rows == [run])
      let workload = Self.random(&stream, of: WorkloadsCSV.format.columns)
      #expect(try ResultSet(Self.source(WorkloadsCSV.format.text([workload]))).rows == [workload])
    }
  }

  static func source(_ text: String) -> ByteSource { ByteSource(Array(text.utf8), name: "file") }

  @Test func `every strategy is there, with late frames and empty cells among them`() {
    // The loop here is one of frames, in which nothing yields, and every item must be done.
    #expect(Self.rows.count == 2 * (StrategyCatalog.all.count - 2) + 4)
    #expect(Self.rows.contains { $0.metrics.frames.dropped > 0 })
    #expect(SummaryCSV.text(Self.rows).contains(",,"))
  }

  @Test func `a summary`() throws {
    let text = SummaryCSV.text(Self.rows)
    let read = try ResultSet(Self.source(text))
    #expect(read.metrics == MetricCatalog.all.map(\.name).filter { $0 != "status" })
    #expect(read.rows.contains { $0.range(of: .droppedPercent) != nil })
    let ranges = PredictionRange.metrics.flatMap { ["\($0.name)_low", "\($0.name)_high"] }
    let older = Set((1...2).flatMap { MetricCatalog.added(by: $0).map(\.name) })
    let newer = read.metrics.filter { !older.contains($0) }
    let platforms = newer.firstIndex(of: "inp_ms_is_bound").map { newer[...$0] } ?? []
    let waiting = newer.firstIndex(of: "items_replaced").map { newer[..<($0 + 1)] } ?? []
    let items = waiting.dropFirst(platforms.count)
    let header =
      RunKey.allCases.map(\.name) + ["status"] + read.metrics.filter(older.contains)
      + ["learned"] + ranges + platforms + ["like"] + items
      + ["moved_kept", "parts_in_memory"] + newer.dropFirst(waiting.count).dropLast()
      + PredictionRange.metrics.map { "\($0.name)_margin" }
      + [
        "range_level_pct", "range_runs", "range_kind", "handoff_ms_total", "periods_later",
        "waits_for",
      ]
    #expect(read.rows.contains { $0[.incompleteFrames].map { $0 > 0 } ?? false })
    #expect(read.rows.contains { $0[.incompleteFrames] == nil })
    #expect(Set(read.rows.map(\.platform)) == [.chrome, nil])
    #expect(Self.text(read, header: header) == text)
  }

  @Test func `a file of workloads`() throws {
    let text = WorkloadsCSV.text(Self.rows)
    let read = try ResultSet(Self.source(text))
    #expect(read.metrics == MetricCatalog.items.map(\.name))
    #expect(Set(read.rows.map(\.workload)).isSuperset(of: ["burst, of \"files\"\n", "tap", ""]))
    #expect(Set(read.rows.map(\.item)) == ["edit", ""])
    #expect(Set(read.rows.map(\.learned)) == ["poor", ""])
    let behind = try #require(read.metrics.firstIndex(of: "content_ms_p50"))
    let newest = try #require(read.metrics.firstIndex(of: "interactions"))
    let columns = read.metrics.prefix(behind) + ["item"] + read.metrics[behind..<newest]
    let header =
      RunKey.allCases.map(\.name) + ["workload"] + columns + ["learned"]
      + read.metrics.dropFirst(newest)
    #expect(Self.text(read, header: header) == text)
  }

  @Test func `a per-frame file`() throws {
    let text = FramesCSV.text(Self.rows)
    let runs = try FramesFile(Self.source(text)).runs
    #expect(runs.map(\.frames) == Self.rows.map(\.log.frames.records))
    #expect(Set(runs.map(\.learned)) == ["poor", ""])
    #expect(runs.contains { $0.frames.contains { $0.partsWaiting > .zero } })
    let written = runs.map { FramesCSV.lines($0.frames, keys: $0.keys, learned: $0.learned) }
      .joined()
    #expect(FramesCSV.header + written == text)
  }

  @Test(arguments: [false, true])
  func `run.json`(_ isMeasured: Bool) throws {
    var circumstances = Circumstances()
    circumstances.command = ["framebudget", "run", "", "a \"b\"\\\n\r\u{1}µ"]
    circumstances.started = "2026-01-02T03:04:05Z"
    circumstances.version = "0.1.0"
    circumstances.swift = "6.3"
    circumstances.isDebugBuild = isMeasured
    if isMeasured {
      circumstances.machine = [("cores", "2"), ("model", "Some \"Processor\"")]
      circumstances.pressure = Circumstances.Pressure(
        stealPercent: 0.123456, othersPercent: 40, loadBefore: 1.25, loadAfter: 2)
    }
    var run = HandMadeRun.mainThread
    run.scenario.seed = .max
    run.totals.threads = [
      ThreadLog(name: "main", nice: -5, cpu: .nanoseconds(7_000_001)),
      ThreadLog(name: "back, \"ground\"", nice: 10, cpu: .zero),
    ]
    run.totals.deadlocks = [
      Deadlock(threads: ["a", "b"], locks: ["one \"lock\"", "other"], since: .zero)
    ]
    let text = RunJSON.text(Self.rows + [run.row()], circumstances)
    let read = try RunFile(Self.source(text))
    #expect(RunJSON.text(read) == text)
    #expect(read.circumstances.command == circumstances.command)
    #expect(read.circumstances.pressure == circumstances.pressure)
    #expect(read.runs.last?.threads == run.totals.threads)
    #expect(read.runs.last?.seed == "18446744073709551615")
  }

  /// The rows under `header`, each value printed anew.
  static func text(_ results: ResultSet, header: [String]) -> String {
    CSV.line(header)
      + results.rows.map { row in
        let keys: [MetricValue?] = [
          .count(row.schema), .text(row.scenario), .text(row.strategy), .text(row.options),
          .text(row.changes), .text(row.engine), .text(row.cores), .text(row.repetition),
          .text(row.seed), row.refreshHz.map(MetricValue.real),
          row.durationMilliseconds.map(MetricValue.real), .text(row.warmupFrames),
          .text(header.contains("workload") ? row.workload : row.status),
        ]
        let others = header.dropFirst(keys.count).map { name -> MetricValue? in
          switch name {
          case "item": .text(row.item)
          case "learned": .text(row.learned)
          case "moved_kept": Self.list(row.movedKept)
          case "parts_in_memory": Self.list(row.partsInMemory)
          case "like": row.platform.map { .text($0.rawValue) }
          case "periods_later": row.periodsLater > 0 ? .count(row.periodsLater) : nil
          case "waits_for": row.waits.cell
          case "range_kind": row.rangeKind.map { .text($0.rawValue) }
          default: row[name].map(MetricValue.real)
          }
        }
        return CSV.line((keys + others).map { $0?.description ?? "" })
      }.joined()
  }

  private static func list(_ names: [String]) -> MetricValue? {
    names.isEmpty ? nil : .text(names.joined(separator: ";"))
  }
}
