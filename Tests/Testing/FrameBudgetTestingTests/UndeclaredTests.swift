import SchedulableThreads
import FrameBudget
import Testing

@testable import FrameBudgetTesting

/// The main thread's work in a time during which the loop had yielded it.
struct YieldIntervalTests {
  /// From 0 to 100 ms, with pieces of items of the given lengths in milliseconds.
  private static func yieldInterval(
    cpu: Int64?, hasSlept: Bool = false, _ pieces: [Range<Int64>] = []
  ) -> YieldInterval {
    YieldInterval(
      began: 0, ended: ms(100), cpu: cpu.map(ms), hasSlept: hasSlept,
      pieces: pieces.map { span in
        WorkSegment(
          item: 1, place: Measured.main, posted: 0, began: ms(span.lowerBound),
          ended: ms(span.upperBound), cpu: ms(Int64(span.count)), blocked: 0)
      })
  }

  private static func ms(_ count: Int64) -> Int64 { count * 1_000_000 }
  private static func ms(_ span: Range<Int64>) -> Range<Int64> {
    ms(span.lowerBound)..<ms(span.upperBound)
  }

  @Test func `processor time outside of items is undeclared work`() {
    let yieldInterval = Self.yieldInterval(cpu: 100)
    #expect(yieldInterval.undeclared == Self.ms(100))
    #expect(
      yieldInterval.spans.undeclared == [0..<Self.ms(100)] && yieldInterval.spans.machine == [])
  }

  @Test func `undeclared work fills the time between pieces, followed by the time of the machine`()
  {
    let yieldInterval = Self.yieldInterval(cpu: 70, [20..<40, 70..<80])
    #expect(yieldInterval.undeclared == Self.ms(40))
    #expect(yieldInterval.spans.machine == [Self.ms(80..<100), Self.ms(60..<70)].reversed())
    #expect(yieldInterval.spans.undeclared == [Self.ms(0..<20), Self.ms(40..<60)])
  }

  @Test func `a thread that slept was not kept from running`() {
    let yieldInterval = Self.yieldInterval(cpu: 70, hasSlept: true)
    #expect(yieldInterval.spans.machine == [])
    #expect(yieldInterval.spans.undeclared == [Self.ms(30..<100)])
  }

  @Test func `nothing is known of the time of another thread`() {
    let yieldInterval = Self.yieldInterval(cpu: nil)
    #expect(yieldInterval.undeclared == 0)
    #expect(yieldInterval.spans.undeclared == [] && yieldInterval.spans.machine == [])
  }

  @Test func `the overhead of yielding and of pieces is not undeclared work`() {
    let pieces = (Int64(0)..<80).map {
      WorkSegment(
        item: 1, place: Measured.main, posted: 0, began: $0 * 1_000_000,
        ended: $0 * 1_000_000 + 500_000,
        cpu: 500_000, blocked: 0)
    }
    let used = Int64(80 * 500_000)
    for (rest, undeclared) in [(Int64(1_000_000), Int64(0)), (3_000_000, 3_000_000)] {
      let yieldInterval = YieldInterval(
        began: 0, ended: Self.ms(100), cpu: used + rest, hasSlept: false, pieces: pieces)
      #expect(yieldInterval.undeclared == undeclared)
    }
  }
}

/// The report of a made-up measurement: at 60 Hz, drawing takes 1 ms, and a frame of 50 ms drops two.
struct UndeclaredTests {
  private static let refresh = RefreshRate(60)

  /// With a frame that spent 50 ms on `phase`, if any, undeclared work of the given milliseconds, and an item that yields after
  /// each of the given milliseconds.
  private static func report(
    _ phase: Phase?, undeclared: [(at: Int, cpu: Duration)] = [], slices: Int = 0
  ) -> FrameReport {
    let workload = Workload(
      name: "slices", arrival: .once(1, start: .zero),
      steps: [Step(name: "closure", service: 0, load: .cpu(.none))])
    let scenario = Scenario(
      name: "measured", display: Display(refresh: refresh, mainLoop: .events(.foundation)),
      duration: .seconds(1), warmup: .zero, services: [Service(name: "closures")],
      workloads: [workload])
    let plan = RunPlan(
      scenario, under: Strategy(name: "measured", arrangement: Arrangement.onMain(scenario)))
    let log = RunLog(
      plan, engine: .real, duration: .seconds(1), warmupFrames: 0,
      frames: frames(phase, scenario.display),
      items: ItemLedger(plan, duration: .seconds(1)).finish(),
      totals: RunTotals(), interrupted: false)
    let pieces = undeclared.map { at, cpu in
      UndeclaredWork.Piece(
        at: Instant(nanoseconds: Int64(at) * 1_000_000), cpu: cpu.nanoseconds, refresh)
    }
    let segments = (0..<slices).map { slice in
      let posted = Int64(slice) * 1_010_000 + 1
      return WorkSegment(
        item: 1, place: Measured.main, posted: posted, began: posted + 10_000,
        ended: posted + 1_010_000, cpu: 1_000_000, blocked: 0)
    }
    let measured = Measured(
      log: log,
      workloads: slices == 0 ? [] : [MeasuredWorkload(name: "slices", respondWithin: nil)],
      items: slices == 0 ? [] : [MeasuredItem(workload: 0, number: 0, arrival: .zero)],
      segments: segments, undeclared: pieces, renders: [], probes: [20_000], seesMain: true,
      zero: 0)
    let settings = MeasurementSettings(
      test: "planted", refresh: refresh, drawing: .milliseconds(1), duration: .seconds(1), cores: 2,
      seed: 1, loop: .foundation, patience: .seconds(1))
    return FrameReport(measured, settings)
  }

  private static func frames(_ phase: Phase?, _ display: Display) -> FrameLog {
    var ledger = FrameLedger(display, duration: .seconds(1), detail: .summary, hasRealClock: true)
    var free = Instant.zero
    while let event = ledger.nextEvent(at: free) {
      let begin = max(event.posted, free)
      ledger.begin(event, at: begin)
      let long = event.vsync == 10 ? phase : nil
      let span: TimeSpan = long == nil ? .milliseconds(1) : .milliseconds(50)
      ledger.spend(span, on: long ?? .render)
      free = begin + span
      ledger.end(at: free)
    }
    return ledger.finish(at: .zero + .seconds(1))
  }

  @Test func `no verdict is met if the work does not explain a dropped frame`() {
    for phase in [Phase.logic, .render, .wakeup] {
      let report = Self.report(phase)
      #expect(report.measured(.droppedFrames) == 2 && report.predicted(.droppedFrames) == 0)
      #expect(report.verdict(.droppedFrames, atMost: 0) == .unsure)
      #expect(report.verdict(.frameTime, atMost: 1000) == .unsure)
      #expect(report.description.contains("2 dropped frames"), "\(report)")
    }
  }

  @Test func `a dropped frame for which the machine kept the main thread is not the app's`() {
    for phase in [Phase.machine, .preempted] {
      let report = Self.report(phase)
      #expect(report.measured(.droppedFrames) == 2)
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
    }
  }

  @Test func `undeclared work is part of the model, and is named with its share`() throws {
    let report = Self.report(
      .logic, undeclared: [(150, .milliseconds(50)), (650, .milliseconds(50))])
    #expect(report.verdict(.droppedFrames, atMost: 0) == .missed, "\(report)")
    #expect(report.undeclared.pieces.map(\.frame) == [9, 39])
    #expect(report.undeclared.longest == .milliseconds(50))
    #expect(abs(report.undeclared.share - 0.1) < 1e-9)
    #expect(report.description.contains("undeclared: 100 ms of the main thread in 2 pieces (10 %"))
    #expect(report.model.scenario().workloads.map(\.name) == [UndeclaredWork.name])
  }

  @Test(arguments: [100, 1000])
  func `an item that yields after each millisecond drops no frame, however often it yields`(
    slices: Int
  ) throws {
    let report = Self.report(nil, slices: slices)
    #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
    // A file has it in fewer steps, and says so.
    let file = ScenarioText(report.model, named: "slices", test: report.test).file
    #expect(file.contains("fewer"))
    #expect(file.matches(of: /{service:/).count <= 64)
  }

  @Test func `rare long undeclared work is missed, however much short work there is besides`() {
    let short = (0..<90).map { ($0 * 11, Duration.microseconds(300)) }
    let report = Self.report(
      .logic, undeclared: short + [(150, .milliseconds(50)), (650, .milliseconds(50))])
    #expect(report.verdict(.droppedFrames, atMost: 0) == .missed, "\(report)")
  }

  @Test func `little undeclared work drops no frame`() {
    let report = Self.report(nil, undeclared: (0..<10).map { ($0 * 100 + 7, .microseconds(200)) })
    #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
  }

  @Test func `no workload may have the name of undeclared work`() {
    #expect(WorkloadName.fault(in: "undeclared", after: []) == .sameName("undeclared"))
  }
}

/// Pieces of an item that the main thread ran in one turn.
struct TurnPiecesTests {
  /// A closure to 1 ms that posts three tasks of 1 ms, the last of which posts another one.
  private static func pieces(_ loop: MainLoop.Events) -> [Int64] {
    let times: [(posted: Int64, began: Int64)] = [
      (0, 0), (200, 5000), (400, 6000), (600, 7000), (7500, 8000),
    ]
    let segments = times.map { posted, began in
      WorkSegment(
        item: 1, place: Measured.main, posted: posted * 1000 + 1, began: began * 1000 + 1,
        ended: (began + 1000) * 1000 + 1, cpu: 1_000_000, blocked: 0)
    }
    let scenario = Scenario(
      name: "measured", display: Display(refresh: RefreshRate(60), mainLoop: .events(loop)),
      duration: .seconds(1), warmup: .zero, services: [Service(name: "closures")])
    let plan = RunPlan(
      scenario, under: Strategy(name: "measured", arrangement: Arrangement.onMain(scenario)))
    let log = RunLog(
      plan, engine: .real, duration: .seconds(1), warmupFrames: 0,
      frames: FrameLedger(
        scenario.display, duration: .seconds(1), detail: .summary, hasRealClock: true
      ).finish(at: .zero + .seconds(1)),
      items: ItemLedger(plan, duration: .seconds(1)).finish(), totals: RunTotals(),
      interrupted: false)
    let measured = Measured(
      log: log, workloads: [MeasuredWorkload(name: "post", respondWithin: nil)],
      items: [MeasuredItem(workload: 0, number: 0, arrival: .zero)], segments: segments,
      undeclared: [], renders: [], probes: [], seesMain: true, zero: 0)
    return ItemPieces(measured, loop).all[0].map { $0.cpu.nanoseconds / 1_000_000 }
  }

  @Test func `if a turn runs all queued events, events posted before it form one piece`() {
    #expect(Self.pieces(.foundation) == [1, 3, 1])
    #expect(Self.pieces(MainLoop.Events()) == [1, 1, 1, 1, 1])
  }
}
