import FrameBudget
import FrameBudgetSimulation
import Testing

/// A hang until the end of the run has no reads: the state on the screen has the age of the screen.
@Suite struct OpenHangTests {
  private static func step(_ service: ServiceIndex, _ span: TimeSpan) -> Step {
    Step(name: "step", service: service, load: .cpu(.constant(span)))
  }

  /// Ten items on the main thread, from 100 ms on, at 50 Hz; the UI reads what they change.
  private func inPlace(duration: TimeSpan, item: TimeSpan = .milliseconds(100)) -> RunLog {
    let scenario = Scenario(
      name: "hang", display: Display(refresh: RefreshRate(50)), duration: duration,
      services: [Service(name: "service")],
      workloads: [
        Workload(
          name: "item", arrival: .once(10, start: .milliseconds(100)),
          steps: [Self.step(0, item)])
      ], reads: [UIRead(service: 0, cpu: .constant(.milliseconds(1)))])
    return scenario.run(.onMain(scenario))
  }

  @Test func `of state read in place it adds the time since the newest item was done`() {
    // Five frames have read; then items are done at 200, 300 ... 900 ms.
    let ages = inPlace(duration: .milliseconds(950)).totals.stateAges
    #expect(ages.fresh == 5 && ages.stale.map { $0 } == [50_000_000])
  }

  @Test func `the state is fresh if nothing was done since`() {
    let ages = inPlace(duration: .milliseconds(950), item: .seconds(2)).totals.stateAges
    #expect(ages.fresh == 6 && ages.stale.isEmpty)
  }

  @Test(arguments: [(350, 0), (351, 1), (1090, 1)] as [(Int64, Int)])
  func `a frame that is not yet a hang adds nothing`(_ milliseconds: Int64, _ hangs: Int) {
    let log = inPlace(duration: .milliseconds(milliseconds))
    #expect(RunMetrics(log).frames.hangs == hangs)
    let ages = log.totals.stateAges
    #expect(ages.fresh + ages.stale.count == 5 + hangs)
  }

  @Test func `a finished hang has read the state, and adds nothing more`() {
    let log = inPlace(duration: .milliseconds(1200))
    #expect(RunMetrics(log).frames.hangs == 1)
    let ages = log.totals.stateAges
    // Five frames, the hang, and those from 1120 ms on.
    #expect(ages.stale.isEmpty && ages.fresh == 10)
  }

  /// Items of 30 ms in the background, whose every change is published, and from 40 ms on a hang of a second.
  private func snapshots(duration: TimeSpan) -> RunLog {
    let scenario = Scenario(
      name: "hang", display: Display(refresh: RefreshRate(50)), duration: duration,
      machine: Machine(cores: 2), services: [Service(name: "read"), Service(name: "other")],
      workloads: [
        Workload(
          name: "item", arrival: .once(20, start: .zero), steps: [Self.step(0, .milliseconds(30))]),
        Workload(
          name: "hang", arrival: .once(1, start: .milliseconds(40)),
          steps: [Self.step(1, .seconds(1))]
        ),
      ], reads: [UIRead(service: 0, cpu: .constant(.milliseconds(1)))])
    var arrangement = scenario.inBackground()
    arrangement.placement = [.home(1), .home(0)]
    arrangement.reading = .snapshot(.perStep)
    return scenario.run(arrangement)
  }

  @Test func `with snapshots, it adds the time for which the snapshot has missed the newest item`()
  {
    // Items are done every 30 ms, the newest at 300 ms; frames read at 0 and 20 ms.
    let ages = snapshots(duration: .milliseconds(310)).totals.stateAges
    #expect(ages.fresh == 2 && ages.stale.map { $0 } == [10_000_000])
    let short = snapshots(duration: .milliseconds(290)).totals.stateAges
    #expect(short.fresh == 2 && short.stale.isEmpty)
  }
}
