import FrameBudget
import FrameBudgetSimulation
import Testing

/// The work of the main thread in a frame, at 50 Hz and without costs except the work itself.
@Suite struct FrameLoopTests {
  private static let period: Int64 = 20_000_000

  /// Items with one step of `step`, in the background on a core of their own or on the main thread.
  private func scenario(
    _ count: Int, start: TimeSpan = .zero, step: TimeSpan = .milliseconds(1),
    result: TimeSpan = .milliseconds(1), render: TimeSpan = .zero,
    duration: TimeSpan = .milliseconds(200)
  ) -> Scenario {
    let work = Step(name: "step", service: 0, load: .cpu(.constant(step)))
    return Scenario(
      name: "frames",
      display: Display(refresh: RefreshRate(50), render: .constant(render)), duration: duration,
      machine: Machine(cores: 2), services: [Service(name: "service")],
      workloads: [
        Workload(
          name: "item", arrival: .once(count, start: start), steps: [work],
          result: .constant(result), respondWithin: .milliseconds(100))
      ])
  }

  private func drains(_ log: RunLog) -> [Int64] {
    log.frames.records.map { $0.spans[.drain].nanoseconds / 1_000_000 }
  }

  @Test(arguments: [(0, 0), (1, 1), (19_999_999, 1), (20_000_000, 1), (20_000_001, 2)])
  func `an item is delivered by the first frame that begins at or after its arrival`(
    start: Int64, frame: Int64
  ) {
    let scenario = scenario(1, start: TimeSpan(nanoseconds: start))
    let log = scenario.run(.onMain(scenario))
    #expect(log.items[0].completions == [frame * Self.period + 1_000_000])
    #expect(Array(log.items[0].arrivals) == [start])
    #expect(log.items[0].responses == [(frame + 1) * Self.period])
  }

  @Test func `results are drained within the budget, at least one in a frame`() {
    let scenario = scenario(5)
    var arrangement = scenario.inBackground()
    for (budget, expected) in [(0, [0, 1, 1, 1, 1, 1]), (2, [0, 2, 2, 1]), (3, [0, 3, 2])] {
      arrangement.returning = .drained(budget: .milliseconds(Int64(budget)))
      let drained = drains(scenario.run(arrangement, detail: .frames))
      #expect(Array(drained.prefix(expected.count)) == expected.map(Int64.init))
      #expect(drained.dropFirst(expected.count).allSatisfy { $0 == 0 })
    }
  }

  @Test func `results that are not limited all run in the next frame`() {
    let scenario = scenario(5)
    #expect(drains(scenario.run(scenario.inBackground(), detail: .frames)).prefix(3) == [0, 5, 0])
  }

  @Test func `coalesced results have the cost of one`() {
    let scenario = scenario(5)
    var arrangement = scenario.inBackground()
    arrangement.returning = .coalesced
    let log = scenario.run(arrangement, detail: .frames)
    #expect(drains(log).prefix(3) == [0, 1, 0])
    #expect(log.items[0].responses == Array(repeating: 2 * Self.period, count: 5))
    #expect(log.frames.records.map(\.items).prefix(3) == [0, 5, 0])
  }

  @Test func `an item that returns to main continues in the next frame`() {
    var scenario = scenario(2)
    scenario.services = [Service(name: "there"), Service(name: "here")]
    scenario.workloads[0].steps.append(
      Step(name: "back", service: 1, load: .cpu(.constant(.milliseconds(3)))))
    var arrangement = scenario.inBackground()
    arrangement.placement = [.home(1), .home(.main)]
    let log = scenario.run(arrangement, detail: .frames)
    #expect(log.items[0].completions == [23_000_000, 27_000_000])
    #expect(log.totals.hops == 4)
    #expect(log.items[0].responses == [40_000_000, 40_000_000])
  }

  @Test func `a read waits for a lock, and a frame that is late for it says so`() {
    var scenario = scenario(1, start: .zero, step: .milliseconds(45), render: .milliseconds(5))
    scenario.reads = [UIRead(service: 0, cpu: .constant(.milliseconds(1)))]
    var arrangement = scenario.inBackground()
    arrangement.locks = [Lock(name: "lock", kind: .fair)]
    arrangement.placement = [.guarded(0)]
    arrangement.entry = [1]
    arrangement.reading = .locked
    let log = scenario.run(arrangement, detail: .frames)
    // The first frame reads before the item takes the lock, at 1 ms; the second one waits from 20 to 46 ms.
    let second = log.frames.records[1]
    #expect(second.spans[.lockWait] == .milliseconds(26))
    #expect(second.spans[.reads] == .milliseconds(1))
    #expect(second.workEnd == Instant(nanoseconds: 52_000_000))
    #expect(second.lateVsyncs == 1)
    #expect(second.cause == .lock)
    #expect(log.frames.longestLockWait == .milliseconds(26))
  }

  @Test func `the run stops between two steps, and what is not done is pending`() {
    let scenario = scenario(
      500, start: .milliseconds(40), step: .milliseconds(3), duration: .milliseconds(200))
    let log = scenario.run(.onMain(scenario))
    #expect(log.status == .complete)
    // From 40 ms on, 3 ms and a result of 1 ms each.
    #expect(log.items[0].doneCount == 40)
    #expect(log.items[0].pendingCount == 460)
    #expect(log.frames.begins == [0, 1, 2])
    #expect(log.frames.works[2] == 160_000_000)
    #expect(log.frames.shown(2) == 11)
    #expect(log.frames.presented == 2)
    #expect(log.frames.drops.map(\.cause) == [.logic])
  }

  @Test func `arrivals before the end count even if no frame begins after them`() {
    let scenario = scenario(3, start: .milliseconds(195))
    let log = scenario.run(.onMain(scenario))
    #expect(log.items[0].arrivals.count == 3)
    #expect(log.items[0].pendingCount == 3)
  }

  @Test func `time slices hold back background items only`() {
    var scenario = scenario(100, step: .milliseconds(9), result: .zero)
    scenario.workloads.append(
      Workload(
        name: "tap", arrival: .at([.milliseconds(50)]),
        steps: [Step(name: "tap", service: 0, load: .cpu(.constant(.milliseconds(1))))],
        priority: .user, respondWithin: .milliseconds(100)))
    var arrangement = Arrangement.onMain(scenario)
    arrangement.admission = .fitting(.init(estimate: .exact))
    let log = scenario.run(arrangement)
    #expect(log.frames.presented == 10)
    #expect(log.items[0].doneCount == 20)
    #expect(log.items[1].completions == [61_000_000])
    #expect(log.items[1].responses == [80_000_000])
  }

  @Test func `warm-up frames read and draw before time 0 and are not recorded`() {
    var scenario = scenario(0, render: .milliseconds(5), duration: .milliseconds(100))
    for (warmup, render, frames) in [(100, 5, 5), (101, 5, 6), (0, 5, 0), (100, 25, 3)] {
      scenario.warmup = .milliseconds(Int64(warmup))
      scenario.display.render = .constant(.milliseconds(Int64(render)))
      let log = scenario.run(.onMain(scenario))
      #expect(log.warmupFrames == frames)
      #expect(log.frames.begins.first == 0)
    }
  }

  @Test func `a slice learns in the warm-up what drawing takes`() {
    // 20 ms less 12 ms of drawing leave room for two items of 3 ms, from the first frame on, once one is known.
    var scenario = scenario(
      50, step: .milliseconds(3), result: .zero, render: .milliseconds(12))
    scenario.warmup = .milliseconds(100)
    var arrangement = Arrangement.onMain(scenario)
    arrangement.admission = .fitting(.init(estimate: .learned))
    let log = scenario.run(arrangement)
    #expect(log.frames.presented == 10)
    #expect(log.items[0].doneCount == 20)
  }
}
