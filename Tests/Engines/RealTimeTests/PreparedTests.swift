import FrameBudget
import Testing

@testable import FrameBudgetRealTime

/// Parts of drawing that a lane prepares, on this machine's threads and clock. The machine may be busy, so only what must be is
/// expected, and a run that shows no frame with parts is made again.
@Suite struct PreparedTests {
  /// In every fourth frame of 20 Hz, the lane has 10 ms to do.
  private static func run(
    _ loop: MainLoop, on carrier: CarrierKind, frames: Int, detail: FrameLedger.Detail = .frames
  ) async throws -> RunLog {
    var scenario = Scenario(
      name: "list",
      display: Display(
        refresh: RefreshRate(20), render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: .seconds(2), warmup: .milliseconds(100), services: [Service(name: "app")])
    let costs = [TimeSpan.zero, .zero, .zero, .milliseconds(10)]
    let cpu = RecordedDurations(costs).map(DurationDistribution.recorded) ?? .none
    scenario.frameParts = ["row-1", "row-2"].map { FramePart(name: $0, cpu: cpu, ahead: 3) }
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "back", carrier: carrier))
    arrangement.frameParts = [.prepared(lane: 1, frames: frames), .inFrame]
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    var options = RealEngine.Options()
    options.detail = detail
    return try await realRuns(of: plan, by: RealEngine(options)) { !Self.heavy($0).isEmpty }
  }

  private static func isHeavy(_ frame: FrameRecord) -> Bool { frame.beginVsync % 4 == 3 }
  private static func heavy(_ log: RunLog) -> [FrameRecord] { log.drawn.filter(isHeavy) }

  private static let loops = [
    MainLoop.frame, .events(MainLoop.Events()), .events(MainLoop.Events(frameTime: .posted)),
  ]

  @Test(arguments: loops, [CarrierKind.scheduler, .dispatch, .ordered])
  func `run on their lane, and their frames draw the rest`(loop: MainLoop, carrier: CarrierKind)
    async throws
  {
    for frames in [0, 2] {
      let log = try await Self.run(loop, on: carrier, frames: frames)
      #expect(log.status == .complete, "\(log.violations)")
      let heavy = Self.heavy(log)
      #expect(!heavy.isEmpty && heavy.allSatisfy { $0.parts.map(\.name) == ["row-2"] })
      expectDrawing(in: log) { .milliseconds(Self.isHeavy($0) ? 11 : 1) }
      #expect(log.totals.hops == 0)
      #expect(log.totals.backgroundCPU ?? .zero >= .milliseconds(10) * heavy.count)
    }
  }

  /// Its frame has 10 ms to do beside the part, so it waits if the lane takes longer.
  @Test(arguments: loops)
  func `are waited for, which the trace shows`(loop: MainLoop) async throws {
    let log = try await Self.run(loop, on: .scheduler, frames: 0, detail: .trace)
    let trace = try #require(log.trace)
    let waits = trace.threads[.main].spans.filter { $0.activity == .partWait(0) }
    let waited = waits.reduce(TimeSpan.zero) { $0 + ($1.end - $1.begin) }
    #expect(waited == log.frames.totals[.lockWait])
    let prepared = trace.threads[1].spans.filter { $0.activity == .earlyPart(0) }
    #expect(!prepared.isEmpty)
    let took = prepared.reduce(TimeSpan.zero) { $0 + ($1.end - $1.begin) }
    #expect(took >= .milliseconds(10) * prepared.count)
    // What a frame waits for began before the wait's end, and ended behind the wait of an earlier frame, because it was handed over
    // behind that. It may end just before the wait begins: both threads read the clock behind their decisions. The end of the run
    // cuts the last.
    var earlier = Instant.zero
    for wait in waits where wait.end < .zero + log.duration {
      #expect(prepared.contains { earlier < $0.end && $0.begin <= wait.end })
      earlier = wait.end
    }
  }

  /// 900 ms for a part: the run ends while its frame waits.
  @Test(arguments: loops)
  func `that are never ready do not keep the run from its end`(loop: MainLoop) async throws {
    var scenario = Scenario(
      name: "list", display: Display(refresh: RefreshRate(20), mainLoop: loop),
      duration: .milliseconds(600), warmup: .zero, services: [Service(name: "app")])
    scenario.frameParts = [FramePart(name: "rows", cpu: .constant(.milliseconds(900)))]
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "back", carrier: .scheduler))
    arrangement.frameParts = [.prepared(lane: 1, frames: 0)]
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    func hasWaited(_ log: RunLog) -> Bool {
      log.frames.records.last?.spans[.lockWait] ?? .zero > .milliseconds(100)
    }
    let log = try await realRuns(of: plan, until: hasWaited)
    #expect(log.status == .complete, "\(log.violations)")
    #expect(hasWaited(log))
  }
}
