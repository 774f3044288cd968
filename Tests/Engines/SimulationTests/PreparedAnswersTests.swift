import FrameBudget
import FrameBudgetSimulation
import Testing

/// Parts of drawing that a lane prepares, calculated by hand: 60 Hz, drawing 4 ms, and every sixth frame binds rows for 15 ms, which
/// is 19 ms of drawing. A core for each thread; handing over costs nothing.
@Suite struct `Parts that a lane prepares` {
  private static let refresh = RefreshRate(60)
  private static let heavy = Array(stride(from: 5, to: 60, by: 6))
  private static let loops = [MainLoop.frame, .events(MainLoop.Events())]

  private static func rows(_ span: TimeSpan) -> DurationDistribution {
    let costs = [TimeSpan](repeating: .zero, count: 5) + [span]
    return RecordedDurations(costs).map { .recorded($0) } ?? .none
  }

  private static func scenario(_ loop: MainLoop, _ rows: TimeSpan = .ms(15)) -> Scenario {
    var scenario = Scenario(
      name: "list",
      display: Display(refresh: refresh, render: .constant(.ms(4)), mainLoop: loop),
      duration: refresh.vsync(60).sinceZero, warmup: .zero, machine: Machine(cores: 2),
      services: [Service(name: "app"), Service(name: "files")])
    scenario.frameParts = [FramePart(name: "rows", cpu: self.rows(rows), ahead: 6)]
    return scenario
  }

  private static func run(
    _ scenario: Scenario, frames: Int, costs: Costs = .none,
    detail: FrameLedger.Detail = .frames
  ) -> RunLog {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "back", carrier: .scheduler))
    arrangement.placement[1] = .home(1)
    arrangement.frameParts = scenario.frameParts.map {
      $0.name == "rows" ? .prepared(lane: 1, frames: frames) : .inFrame
    }
    return scenario.run(arrangement, costs: costs, detail: detail)
  }

  /// The frame waits for 15 ms and draws for 4 ms, so it is as late as if it had bound the rows itself.
  @Test(arguments: loops)
  func `when their frame begins buy nothing if it does nothing else, and it waits`(loop: MainLoop) {
    let log = Self.run(Self.scenario(loop), frames: 0)
    #expect(log.frames.records.flatMap(\.droppedVsyncs) == Self.heavy.map { $0 + 1 })
    for record in log.frames.records where Self.heavy.contains(record.beginVsync) {
      #expect(record.spans[.lockWait] == .ms(15) && record.parts.isEmpty)
      #expect(record.spans[.render] == .ms(4) || record.beginVsync == 59)
      #expect(record.mainCause == .lock)
    }
    #expect(log.totals.backgroundCPU == .ms(10 * 15) && log.violations.isEmpty)
    // Only items hop.
    #expect(log.totals.hops == 0)
  }

  /// 12 ms on the lane, beside 5 ms on the main thread: 7 ms of waiting, and 16 ms in all.
  @Test(arguments: loops)
  func `run beside the other parts of their frame`(loop: MainLoop) throws {
    var scenario = Self.scenario(loop, .ms(12))
    scenario.frameParts.append(FramePart(name: "measure", cpu: Self.rows(.ms(5))))
    #expect(scenario.run(.onMain(scenario)).frames.dropped == 10)
    let log = Self.run(scenario, frames: 0)
    #expect(log.frames.dropped == 0)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    #expect(heavy.spans[.lockWait] == .ms(7) && heavy.spans[.render] == .ms(9))
    #expect(heavy.parts == [FramePartTime(name: "measure", span: .ms(5))])
    #expect(heavy.workEnd == Self.refresh.vsync(5) + .ms(16))
  }

  @Test(arguments: loops)
  func `a frame early are ready in time`(loop: MainLoop) throws {
    let log = Self.run(Self.scenario(loop), frames: 1)
    #expect(log.frames.dropped == 0 && log.frames.totals[.lockWait] == .zero)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    #expect(heavy.spans[.render] == .ms(4) && heavy.parts.isEmpty)
    #expect(log.totals.backgroundCPU == .ms(10 * 15))
  }

  /// 25 ms from the vsync before: the frame waits for what is left, and is still in time.
  @Test(arguments: loops)
  func `are waited for if they take more than a period`(loop: MainLoop) throws {
    let log = Self.run(Self.scenario(loop, .ms(25)), frames: 1)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    let period = Self.refresh.vsync(5) - Self.refresh.vsync(4)
    #expect(heavy.spans[.lockWait] == .ms(25) - period)
    #expect(log.frames.dropped == 0)
    #expect(Self.run(Self.scenario(loop, .ms(25)), frames: 2).frames.totals[.lockWait] == .zero)
  }

  /// The picture of the model: drawing 10 ms, rows of 20 ms, from the vsync before.
  @Test(arguments: loops)
  func `the model's picture`(loop: MainLoop) throws {
    var scenario = Self.scenario(loop, .ms(20))
    scenario.display.render = .constant(.ms(10))
    let log = Self.run(scenario, frames: 1)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    let period = Self.refresh.vsync(5) - Self.refresh.vsync(4)
    #expect(heavy.spans[.lockWait] == .ms(20) - period && heavy.spans[.render] == .ms(10))
    #expect(log.frames.dropped == 0 && log.frames.begins.prefix(8) == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  /// An item of 20 ms came to the lane with the frame before; the rows of 5 ms wait for it, and the frame for them.
  @Test func `wait for what their lane has to do before`() throws {
    var scenario = Self.scenario(.frame, .ms(5))
    scenario.workloads = [
      Workload(
        name: "work", arrival: .once(1, start: Self.refresh.vsync(4).sinceZero),
        steps: [Step(name: "step", service: 1, load: .cpu(.constant(.ms(20))))])
    ]
    let log = Self.run(scenario, frames: 0)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    let period = Self.refresh.vsync(5) - Self.refresh.vsync(4)
    #expect(heavy.spans[.lockWait] == .ms(25) - period && heavy.dropped == 0)
    // Those that are handed over with it, in the same frame, go before it.
    let next = try #require(log.frames.records.first { $0.beginVsync == 11 })
    #expect(next.spans[.lockWait] == .ms(5))
    scenario.workloads[0].arrival = .once(1, start: Self.refresh.vsync(5).sinceZero)
    let later = Self.run(scenario, frames: 0)
    let first = try #require(later.frames.records.first { $0.beginVsync == 5 })
    #expect(first.spans[.lockWait] == .ms(5))
  }

  /// Frames at vsyncs 1, 5, 8 and 11; those of 5 and 11 are heavy. The frame before hands their rows over.
  @Test func `on demand, are those of the next frames that are wanted`() {
    var scenario = Self.scenario(.events(MainLoop.Events()))
    let vsyncs = [1, 5, 8, 11]
    scenario.display.frames = .onDemand(at: vsyncs.map { Self.refresh.vsync($0).sinceZero })
    let early = Self.run(scenario, frames: 1)
    #expect(early.frames.records.map(\.beginVsync) == vsyncs && early.frames.dropped == 0)
    #expect(early.frames.totals[.lockWait] == .zero)
    #expect(early.totals.backgroundCPU == .ms(2 * 15))
    let late = Self.run(scenario, frames: 0)
    #expect(late.frames.records.flatMap(\.droppedVsyncs) == [6, 12])
  }

  @Test(arguments: loops)
  func `have spans on the lane, and the waits on the main thread`(loop: MainLoop) throws {
    let trace = try #require(Self.run(Self.scenario(loop), frames: 0, detail: .trace).trace)
    func spans(_ thread: ThreadIndex, _ activity: TraceActivity) -> [TimeSpan] {
      trace.threads[thread].spans.filter { $0.activity == activity }.map { $0.end - $0.begin }
    }
    #expect(spans(.main, .partWait(0)) == Array(repeating: .ms(15), count: 10))
    #expect(spans(1, .earlyPart(0)) == Array(repeating: .ms(15), count: 10))
    #expect(spans(1, .phase(.render)) == Array(repeating: .ms(15), count: 10))
    #expect(trace.lost == 0)
  }

  /// 200 µs for each of ten posts, and the frames are as much later.
  @Test func `cost the main thread what posting to their lane costs`() {
    var costs = Costs.none
    costs[.scheduler] = HandOffCosts(post: .microseconds(200), wake: .zero, latency: .zero)
    let log = Self.run(Self.scenario(.frame), frames: 1, costs: costs)
    #expect(log.frames.totals[.post] == .ms(2) && log.frames.dropped == 0)
  }

  /// 40 ms for each frame, more than it can ever get; the run ends in a wait.
  @Test(arguments: loops, [0, 3])
  func `that are never ready leave no item behind`(loop: MainLoop, frames: Int) throws {
    var scenario = Self.scenario(loop)
    scenario.frameParts[0].cpu = .constant(.ms(40))
    scenario.duration = .ms(210)
    let log = Self.run(scenario, frames: frames, detail: .trace)
    #expect(log.violations.isEmpty)
    let last = try #require(log.frames.records.last)
    #expect(last.mainCause == .lock && last.spans[.lockWait] > .zero)
  }
}
