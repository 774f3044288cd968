import FrameBudget
import Testing

/// What is left undone, by hand: vsyncs are 10 ms apart, the run lasts a second, and the last vsync is at its end.
@Suite struct BacklogTests {
  /// One item at each of `arrivals`, in milliseconds, shown after `waits`; nil if it never is.
  private func run(_ arrivals: [Double], shownAfter waits: [Double?]) -> RunMetrics {
    var run = TestRun([.at(arrivals)])
    run.arriveAll()
    for (item, wait) in waits.enumerated() {
      run.items.done(0, item, at: .ms(arrivals[item]))
      guard let wait else { continue }
      run.items.resultRan(0, item)
      run.items.frameShown(at: .ms(arrivals[item] + wait))
    }
    return RunMetrics(run.finish())
  }

  private let everyTenth = (0..<10).map { Double($0) * 100 }

  @Test func `an item is shown when a vsync of the run shows its result, not when it is done`() {
    let metrics = run([0, 100, 200], shownAfter: [20, 800, nil])
    #expect(metrics["items_done"] == 3 && metrics["items_pending"] == 0)
    #expect(metrics["items_shown"] == 2 && metrics["results_waiting"] == 1)
    let late = run([0, 990], shownAfter: [20, 20])
    #expect(late["items_shown"] == 1 && late["results_waiting"] == 1)
  }

  @Test func `what is in flight at the end is no backlog`() {
    let metrics = run(everyTenth, shownAfter: Array(repeating: 150, count: 10))
    #expect(metrics["items_shown"] == 9 && metrics["results_waiting"] == 1)
    #expect(metrics["items_backlog"] == 0)
  }

  @Test func `what grows is a backlog`() {
    // Shown at 150, 300, …, 900: before the arrivals at 200 to 400 wait 1, 2 and 2, before those at 700 to 900 wait 3, 3 and 4.
    let waits = (0..<10).map { 50 * Double($0 + 1) + 100 }.enumerated().map { $0 < 6 ? $1 : nil }
    #expect(run(everyTenth, shownAfter: waits)["items_backlog"] == 4)
  }

  @Test func `items that are shown a vsync later from some moment on are no backlog`() {
    let drifting = (0..<10).map { $0 < 5 ? 95.0 : 105 }
    #expect(run(everyTenth, shownAfter: drifting)["items_backlog"] == 0)
    let slower = (0..<10).map { $0 < 5 ? 85.0 : 105 }
    #expect(run(everyTenth, shownAfter: slower)["items_backlog"] == 1)
  }

  @Test func `all of one instant must be shown`() {
    #expect(run([900, 900, 900], shownAfter: [20, 20, nil])["items_backlog"] == 1)
    #expect(run([900, 900, 900], shownAfter: [20, 20, 20])["items_backlog"] == 0)
  }

  @Test(
    arguments: [
      // The second has waited for 500 ms, the first took 200.
      ([0, 500], [200, nil], 1), ([0, 900], [200, nil], 0), ([0, 790], [200, nil], 0),
      ([0, 789], [200, nil], 1), ([0, 400, 900], [nil, nil, nil], 3),
      ([0, 400, 900], [100, nil, nil], 2),
    ] as [([Double], [Double?], Double)])
  func `of few instants, the last items may wait for as long as any before them`(
    _ arrivals: [Double], _ waits: [Double?], _ left: Double
  ) {
    #expect(run(arrivals, shownAfter: waits)["items_backlog"] == left)
  }
}
