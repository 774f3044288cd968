import FrameBudget
import FrameBudgetSimulation
import Testing

/// Parts of drawing that are spread over frames, calculated by hand: 60 Hz, drawing 4 ms, and every sixth frame binds rows for 15 ms,
/// which is 19 ms of drawing.
@Suite struct `Parts that are spread` {
  private static let refresh = RefreshRate(60)
  private static let loops = [MainLoop.frame, .events(MainLoop.Events())]

  private static func scenario(
    _ loop: MainLoop = .frame, _ cpu: DurationDistribution? = nil
  ) -> Scenario {
    var scenario = Scenario(
      name: "list",
      display: Display(refresh: refresh, render: .constant(.ms(4)), mainLoop: loop),
      duration: refresh.vsync(60).sinceZero, warmup: .zero, services: [Service(name: "app")])
    let costs = [TimeSpan](repeating: .zero, count: 5) + [.ms(15)]
    let heavy = RecordedDurations(costs).map(DurationDistribution.recorded) ?? .none
    scenario.frameParts = [FramePart(name: "rows", cpu: cpu ?? heavy)]
    return scenario
  }

  private static func onDemand(at vsyncs: [Int], _ cpu: DurationDistribution? = nil) -> Scenario {
    var scenario = scenario(.events(MainLoop.Events()), cpu)
    scenario.display.frames = .onDemand(at: vsyncs.map { refresh.vsync($0).sinceZero })
    return scenario
  }

  private static func run(_ scenario: Scenario, budget: TimeSpan?) -> RunMetrics {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.frameParts = scenario.frameParts.map { part in
      part.name == "rows" ? budget.map { .spread(budget: $0) } ?? .inFrame : .inFrame
    }
    let log = scenario.run(arrangement, detail: .frames)
    #expect(log.violations.isEmpty)
    return RunMetrics(log)
  }

  /// The number of frames, the time of a part, and the work that is left, in milliseconds.
  private static func late(_ run: RunMetrics) -> [Double?] {
    [run[.incompleteFrames], run[.partAge], run[.partsLeft]]
  }

  private static func periods(from: Int, to: Int) -> Double {
    (refresh.vsync(to) - refresh.vsync(from)).inMilliseconds
  }

  private static func drawing(_ run: RunMetrics) -> [TimeSpan] {
    run.log.frames.records.map { $0.spans[.render] }
  }

  /// 6 ms, 6 ms and 3 ms in the heavy frame and the two behind it. The last heavy frame, 59, leaves 9 ms, which are in flight.
  @Test(arguments: loops)
  func `run in several frames, of which all but the last are incomplete`(loop: MainLoop) {
    let run = Self.run(Self.scenario(loop), budget: .ms(6))
    #expect(run.frames.dropped == 0)
    let six: [TimeSpan] = [.ms(4), .ms(4), .ms(4), .ms(4), .ms(4), .ms(10)]
    let behind: [TimeSpan] = [.ms(10), .ms(7), .ms(4), .ms(4), .ms(4), .ms(10)]
    #expect(Self.drawing(run) == six + (1..<10).flatMap { _ in behind })
    let left = run.log.frames.records.map(\.partsWaiting)
    #expect(left[5...8] == [.ms(9), .ms(3), .zero, .zero] && left.last == .ms(9))
    #expect(
      run.log.frames.records[6].parts == [FramePartTime(name: "rows", span: .ms(6))])
    #expect(Self.late(run) == [19, Self.periods(from: 5, to: 7), 0])
  }

  @Test(arguments: loops)
  func `with a budget that suffices, all frames are complete`(loop: MainLoop) {
    let run = Self.run(Self.scenario(loop), budget: .ms(15))
    #expect(Self.late(run) == [0, 0, 0])
    #expect(
      run.frames.dropped == Self.run(Self.scenario(loop), budget: nil).frames.dropped
        && run.frames.dropped == 10)
  }

  /// In six frames 12 of 15 ms run. Of ten heavy frames, the first seven are done at the frames 12, 19, 27, 34, 42, 49 and 57; that of
  /// vsync 41 has waited longest then, for 16 periods. By the half, vsync 30, the longest wait was 10, from 17 to 27. At the end, that
  /// of vsync 47 has waited for 13, and of its 15 ms 10 are left; those of 53 and 59 are in flight.
  @Test(arguments: loops)
  func `with too small a budget, frames fall behind for ever`(loop: MainLoop) {
    let run = Self.run(Self.scenario(loop), budget: .ms(2))
    #expect(run.frames.dropped == 0)
    #expect(
      Self.drawing(run) == Array(repeating: .ms(4), count: 5) + Array(repeating: .ms(6), count: 55))
    #expect(run.log.frames.records.last?.partsWaiting == .ms(40))
    #expect(Self.late(run) == [55, Self.periods(from: 41, to: 57), 10])
  }

  @Test func `have no such figures where none is spread`() {
    #expect(Self.late(Self.run(Self.scenario(), budget: nil)) == [nil, nil, nil])
  }

  /// Other parts run in their frames: 1 ms more in each.
  @Test(arguments: loops)
  func `leave other parts where they are`(loop: MainLoop) {
    var scenario = Self.scenario(loop)
    scenario.frameParts.insert(FramePart(name: "measure", cpu: .constant(.ms(1))), at: 0)
    let run = Self.run(scenario, budget: .ms(6))
    #expect(Self.drawing(run)[4...8] == [.ms(5), .ms(11), .ms(11), .ms(8), .ms(5)])
    #expect(
      run.log.frames.records[7].parts == [
        FramePartTime(name: "measure", span: .ms(1)), FramePartTime(name: "rows", span: .ms(3)),
      ])
  }

  /// The frames of vsyncs 6 and 7 are only for the rest.
  @Test func `on demand, what is left requests the next frame`() {
    let run = Self.run(Self.onDemand(at: [1, 5, 20]), budget: .ms(6))
    #expect(run.log.frames.begins == [1, 5, 6, 7, 20])
    #expect(Self.drawing(run) == [.ms(4), .ms(10), .ms(10), .ms(7), .ms(4)])
    #expect(run.frames.dropped == 0 && run.frames.expected == 5)
    #expect(Self.late(run) == [2, Self.periods(from: 5, to: 7), 0])
  }

  /// Every frame that somebody requests needs 15 ms; the frames of vsyncs 2 and 3 are only for the rest, or that of 2 is requested, too.
  @Test func `on demand, a frame for the rest needs nothing of its own`() {
    let run = Self.run(Self.onDemand(at: [1], .constant(.ms(15))), budget: .ms(6))
    #expect(run.log.frames.begins == [1, 2, 3])
    #expect(Self.drawing(run) == [.ms(10), .ms(10), .ms(7)])
    let both = Self.run(Self.onDemand(at: [1, 2], .constant(.ms(15))), budget: .ms(6))
    #expect(both.log.frames.begins == [1, 2, 3, 4, 5])
    #expect(Self.drawing(both).allSatisfy { $0 == .ms(10) })
    #expect(Self.late(both) == [4, Self.periods(from: 2, to: 5), 0])
  }

  /// The last frame takes 18 ms, and the run ends after 17.7 ms.
  @Test(arguments: loops)
  func `put off nothing in a frame that the end of the run cuts off`(loop: MainLoop) {
    var scenario = Self.scenario(loop)
    scenario.duration = Self.refresh.vsync(6).sinceZero + .ms(1)
    let run = Self.run(scenario, budget: .ms(14))
    #expect(run.log.frames.begins.last == 5 && Self.late(run) == [0, 0, 0])
  }
}
