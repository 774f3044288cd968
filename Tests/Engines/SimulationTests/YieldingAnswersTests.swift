import FrameBudget
import FrameBudgetSimulation
import Testing

/// Results of yielding, calculated by hand: 60 Hz, frames of 4 ms, a task of four calls of 12 ms that comes at 101 ms, and
/// a short item of 3 ms at 110 ms.
///
/// The frame of vsync 6 runs from 100 to 104 ms, so the task begins at 104. The vsyncs after that are at 116.67, 133.33, 150.
@Suite struct YieldingAnswersTests {
  private static let scenario = Scenario(
    name: "yielding",
    display: Display(
      refresh: RefreshRate(60), render: .constant(.milliseconds(4)),
      mainLoop: .events(MainLoop.Events())),
    duration: .milliseconds(300), services: [Service(name: "page")],
    workloads: [
      Workload(
        name: "task", arrival: .at([.milliseconds(101)]),
        steps: Array(
          repeating: Step(name: "call", service: 0, load: .cpu(.constant(.ms(12)))), count: 4)),
      Workload(
        name: "short", arrival: .at([.milliseconds(110)]),
        steps: [Step(name: "short", service: 0, load: .cpu(.constant(.ms(3))))]),
    ])

  private struct Answer: Equatable {
    var dropped: [Int]
    /// The times at which they are done, in milliseconds.
    var task: Double
    var short: Double
  }

  private static func run(_ yielding: Yielding?, fifo: Bool = false) -> Answer {
    var scenario = scenario
    scenario.display.mainLoop = .events(MainLoop.Events(order: fifo ? .fifo : .first))
    var arrangement = Arrangement.onMain(scenario)
    arrangement.yielding = yielding
    let metrics = RunMetrics(scenario.run(arrangement, detail: .frames))
    #expect(metrics.log.status == .complete, "\(metrics.log.violations)")
    #expect(metrics.frames.drops.reduce(0, +) == metrics.frames.dropped)
    let done = metrics.log.items.map { Double($0.completions[0]) / 1e6 }
    return Answer(
      dropped: PipelineAnswersTests.dropped(metrics), task: done[0], short: done[1])
  }

  /// The frame that waits since 116.67 begins at 152 and is shown at vsync 10; the short item comes behind it.
  private static let whole = Answer(dropped: [8, 9], task: 152, short: 159)

  @Test func `a task that does not yield runs to its end`() {
    #expect(Self.run(nil) == Self.whole)
  }

  @Test(arguments: [Yielding.Grain.step, .after(.milliseconds(20))])
  func `a task that resumes first lets nothing else run`(grain: Yielding.Grain) {
    #expect(Self.run(Yielding(grain, resumes: .first)) == Self.whole)
  }

  @Test func `a task that yields in turn lets waiting items and each frame run`() {
    // A call to 116, the short item, which has waited, to 119, the frame of vsync 7 to 123, a call to 135, the frame of
    // vsync 8 to 139, a call to 151, the frame of vsync 9 to 155, the last call.
    #expect(Self.run(Yielding(.step)) == Answer(dropped: [], task: 167, short: 119))
  }

  @Test func `a task that yields after a time first finishes the step in which it passes`() {
    // Two calls to 128, the frame of vsync 7 to 132, the short item to 135, the frame of vsync 8 to 139, two calls to 163:
    // the frame of vsync 9 begins at 163, too late for vsync 10, which is at 166.67: it ends at 167.
    #expect(
      Self.run(Yielding(.after(.milliseconds(20)))) == Answer(dropped: [10], task: 163, short: 135))
  }

  @Test func `a time that a step just reaches is over`() {
    #expect(Self.run(Yielding(.after(.milliseconds(12)))) == Self.run(Yielding(.step)))
    #expect(Self.run(Yielding(.after(.milliseconds(48)))) == Self.whole)
  }

  @Test
  func `a frame event that waits its turn waits for the rest of a task posted before it`() {
    // A call to 116, the short item to 119, the rest, which was posted at 116, to 131, and only then the frame of vsync 7,
    // to 135: shown at vsync 9, which frees the buffer. Until then two calls, to 159, and the frame of vsync 9.
    #expect(Self.run(Yielding(.step), fifo: true) == Answer(dropped: [8], task: 159, short: 119))
  }

  @Test func `a frame loop has nothing to give way to`() {
    var scenario = Self.scenario
    scenario.display.mainLoop = .frame
    var arrangement = Arrangement.onMain(scenario)
    arrangement.yielding = Yielding()
    let error = #expect(throws: ArrangementError.self) { try arrangement.validate(for: scenario) }
    #expect(error?.description == "yields; that needs 'main-loop: events' in the display")
  }

  @Test func `the strategy is main-thread with tasks that yield`() throws {
    let named = try StrategyCatalog.strategy("yielding", for: Self.scenario)
    #expect(named.arrangement.yielding == Yielding(.step, resumes: .inTurn))
    let own = try StrategyCatalog.strategy(
      "yielding", options: [("every", "5 ms"), ("resumes", "first")], for: Self.scenario)
    #expect(own.arrangement.yielding == Yielding(.after(.milliseconds(5)), resumes: .first))
    #expect(own.label == "yielding:every=5 ms:resumes=first")
  }
}
