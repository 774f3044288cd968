import FrameBudget
import Testing

/// The thread that accounts for an item at the end of a run, in every state of the thread.
@Suite struct EndOfRunTests {
  /// Items in the background, at 50 Hz; every step publishes, and freeing an unread snapshot takes 0.2 ms.
  private func run(
    _ step: Double, items: Int, until end: TimeSpan,
    _ change: (inout Arrangement) -> Void = { _ in }
  ) -> RunLog {
    let load = Step.Load.cpu(.constant(.microseconds(Int64(step * 1000))))
    let scenario = Scenario(
      name: "end", display: Display(refresh: RefreshRate(50)), duration: end,
      machine: Machine(cores: 2), services: [Service(name: "service", records: 20_000)],
      workloads: [
        Workload(
          name: "item", arrival: .once(items, start: .zero),
          steps: [Step(name: "step", service: 0, load: load)])
      ],
      reads: [UIRead(service: 0, cpu: .constant(.milliseconds(1)))])
    var arrangement = scenario.inBackground()
    arrangement.reading = .snapshot(.perStep)
    change(&arrangement)
    var costs = Costs.none
    costs.releasePerRecord = .nanoseconds(10)
    return scenario.run(arrangement, costs: costs, detail: .frames)
  }

  /// Items are done at 9, 18 and, the second having published until 18.2 ms, at 27.2 ms; that one publishes until 27.4.
  @Test(arguments: [27.1, 27.2, 27.3, 27.4, 27.5])
  func `an item that is done while its thread still publishes counts once`(end: Double) {
    let log = run(9, items: 4, until: .microseconds(Int64(end * 1000)))
    #expect(log.violations.isEmpty)
    #expect(log.items[0].doneCount == (end < 27.2 ? 2 : 3))
    #expect(log.items[0].pendingCount == (end < 27.2 ? 2 : 1))
  }

  @Test func `it counts once if each step is its own event`() {
    let log = run(9, items: 4, until: .microseconds(27_300)) { arrangement in
      arrangement.lanes[1].carrier = .operationQueue
      arrangement.lanes[1].options[.operations] = .choice("step")
    }
    #expect(log.violations.isEmpty)
    #expect(log.items[0].doneCount == 3 && log.items[0].pendingCount == 1)
  }

  /// Both are done at 19.9 ms; the frame that begins at 20 ms finds the lane still publishing.
  @Test func `a done item whose thread still publishes does not reduce the waiting items`() {
    let log = run(9.95, items: 2, until: .milliseconds(40))
    #expect(log.items[0].completions == [9_950_000, 19_900_000])
    #expect(log.frames.records.map(\.queueDepth) == [2, 0])
  }
}
