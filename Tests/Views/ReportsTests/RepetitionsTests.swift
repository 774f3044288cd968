import FrameBudget
import Testing

@testable import FrameBudgetReports

struct RepetitionsTests {
  /// A run that drops the given number of frames, one at a time.
  private func row(dropping drops: Int, repetition: Int = 1) -> ReportRow {
    var run = HandMadeRun()
    run.work = { [(.render, .milliseconds($0 % 10 == 0 && $0 / 10 < drops ? 20 : 10))] }
    return run.row(repetition: repetition)
  }

  @Test(arguments: [
    ([3], 3), ([5, 1], 5), ([1, 5], 5), ([9, 2, 4], 4), ([0, 0, 7, 1, 0], 0), ([4, 3, 2, 1], 3),
  ])
  func `are shown by the run with the median of drops`(_ drops: [Int], _ median: Int) throws {
    let runs = try #require(Repetitions(drops.map { row(dropping: $0).record }))
    #expect(runs.representative[.droppedFrames] == Double(median))
    #expect(
      runs.range { $0.count(.droppedFrames) } == (drops.min() ?? 0)...(drops.max() ?? 0))
  }

  @Test func `that were interrupted do not count, unless all were`() throws {
    var short = HandMadeRun.mainThread
    short.end = .zero + .milliseconds(900)
    let (cut, whole) = (short.row().record, HandMadeRun.mainThread.row(repetition: 2).record)
    let runs = try #require(Repetitions([cut, whole, cut]))
    #expect(runs.count == 1 && runs.representative.repetition == "2")
    #expect(runs.omission == "2 interrupted runs do not count")
    #expect(Repetitions([cut, whole])?.omission == "1 interrupted run does not count")
    let all = try #require(Repetitions([cut, cut]))
    #expect(all.count == 2 && all.omission == nil)
    #expect(Repetitions<RunRecord>([]) == nil)
  }

  @Test(arguments: [
    (["7"], "seed 7"), (["1", "2", "2", "1"], "seeds 1 to 2"),
    (["3", "8", "11"], "seeds 3, 8 and 11"),
    (["2", "1"], "seeds 2 and 1"),
    (["18446744073709551615", "0"], "seeds 18446744073709551615 and 0"),
    (["1", "3", "5", "7", "9"], "5 seeds"),
  ])
  func `of several seeds name them all`(_ seeds: [String], _ words: String) {
    #expect("\(Seeds(seeds))" == words)
  }

  @Test func `of interleaved strategies are grouped in the order of their first runs`() {
    let rows = [HandMadeRun.mainThread.row(), HandMadeRun.locks.row()]
    let again = [HandMadeRun.mainThread.row(repetition: 2), HandMadeRun.locks.row(repetition: 2)]
    let runs = RepeatedRun.grouped((rows + again).map(\.record))
    #expect(runs.map(\.name) == ["main-thread", "threads-and-locks"])
    #expect(runs.map(\.repetitions.count) == [2, 2])
  }

  @Test func `are kept apart by options, changes and engine`() {
    var other = HandMadeRun.locks
    other.options = "lock=barging"
    var predicted = HandMadeRun.locks
    predicted.engine = .virtual
    let rows = [HandMadeRun.locks.row(), other.row(), predicted.row()]
    let runs = RepeatedRun.grouped(
      (rows + [HandMadeRun.locks.row(changes: "seed=2")]).map(\.record))
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
