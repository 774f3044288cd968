import FrameBudget
import Testing

@testable import Reports

struct `Repetitions` {
  /// A run that drops the given number of frames, one at a time.
  private func row(dropping drops: Int, repetition: Int = 1) -> ReportRow {
    var run = HandMadeRun()
    run.work = { [(.render, .milliseconds($0 % 10 == 0 && $0 / 10 < drops ? 20 : 10))] }
    return run.row(repetition: repetition)
  }

  @Test(arguments: [
    ([3], 3), ([5, 1], 1), ([1, 5], 1), ([9, 2, 4], 4), ([0, 0, 7, 1, 0], 0), ([4, 3, 2, 1], 2),
  ])
  func `are shown by the run with the median of drops`(_ drops: [Int], _ median: Int) throws {
    let run = try #require(RepeatedRun(drops.map { row(dropping: $0) }, namesEngine: false))
    #expect(run.typical.metrics.frames.dropped == median)
    #expect(run.droppedRange == (drops.min() ?? 0)...(drops.max() ?? 0))
  }

  @Test func `of interleaved strategies are grouped in the order of their first runs`() {
    let rows = [HandMadeRun.mainThread.row(), HandMadeRun.locks.row()]
    let again = [HandMadeRun.mainThread.row(repetition: 2), HandMadeRun.locks.row(repetition: 2)]
    let runs = RepeatedRun.grouped(rows + again)
    #expect(runs.map(\.name) == ["main-thread", "threads-and-locks"])
    #expect(runs.map(\.runs.count) == [2, 2])
  }

  @Test func `are kept apart by options, changes and engine`() {
    var other = HandMadeRun.locks
    other.options = "lock=barging"
    var predicted = HandMadeRun.locks
    predicted.engine = .virtual
    let rows = [HandMadeRun.locks.row(), other.row(), predicted.row()]
    let runs = RepeatedRun.grouped(rows + [HandMadeRun.locks.row(changes: "seed=2")])
    #expect(runs.count == 4)
    #expect(
      runs.map(\.label) == [
        "threads-and-locks:lock=fair (real)", "threads-and-locks:lock=barging (real)",
        "threads-and-locks:lock=fair (virtual)", "threads-and-locks:lock=fair (real)",
      ])
  }

  @Test(arguments: [(0, "good"), (4.99, "good"), (5, "fair"), (9.99, "fair"), (10, "poor")])
  func `fall into Apple's bands`(_ ratio: Double, _ band: String) {
    #expect(Bands.hitches.band(of: ratio).rawValue == band)
  }
}
