import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `A verdict` {
  private let hang = OutcomeRow(drops: [.logic: 390], longestGap: 390, hangs: 1)

  private func verdict(_ rows: [OutcomeRow]) throws -> Verdict {
    try #require(Verdict.all(rows).first)
  }

  // MARK: The rule

  @Test func `picks the smallest sum of all three prices among what is smooth`() throws {
    let verdict = try verdict([
      hang, OutcomeRow(label: "locks", lockWait: 40, handOff: 3),
      OutcomeRow(label: "copies", copying: 30, handOff: 12), OutcomeRow(label: "late", late: 1),
    ])
    #expect(verdict.today.label == "main-thread")
    #expect(verdict.smooth.map(\.label) == ["copies", "locks"])
    #expect(verdict.cheapest?.label == "copies")
    #expect(verdict.runnerUp?.label == "locks")
    #expect(verdict.worst?.label == "main-thread")
    #expect(verdict.nearest == nil)
  }

  @Test func `picks the first in the file among equal prices`() throws {
    let rows = [hang] + ["b", "a", "c"].map { OutcomeRow(label: $0, lockWait: 5) }
    #expect(try verdict(rows).smooth.map(\.label) == ["b", "a", "c"])
  }

  @Test func `names no runner-up with the same kind of price`() throws {
    let verdict = try verdict([
      hang, OutcomeRow(label: "cheap", lockWait: 5), OutcomeRow(label: "dear", lockWait: 50),
      OutcomeRow(label: "other", copying: 500),
    ])
    #expect(verdict.runnerUp?.label == "other")
    #expect(try self.verdict([hang, OutcomeRow(label: "cheap", lockWait: 5)]).runnerUp == nil)
  }

  @Test(arguments: [(3, true), (4, false)])
  func `allows a strategy the pending items of the first one, and no more`(
    _ left: Int, _ isSmooth: Bool
  ) throws {
    let verdict = try verdict([OutcomeRow(left: 3), OutcomeRow(label: "other", left: left)])
    #expect(verdict.strategies[1].isSmooth == isSmooth)
    #expect(verdict.strategies[1].unfinished == left - 3)
  }

  @Test func `says what comes nearest where nothing is smooth`() throws {
    let verdict = try verdict([
      hang, OutcomeRow(label: "hitches", drops: [.lock: 22]),
      OutcomeRow(label: "undone", left: 500),
    ])
    #expect(verdict.cheapest == nil)
    #expect(verdict.nearest?.label == "hitches")
    #expect(verdict.worst?.label == "main-thread")
    #expect(verdict.best?.label == "hitches")
    #expect(
      verdict.answer == [
        "No strategy that ran is smooth.",
        "hitches comes nearest: 22 of 600 frames dropped (one at a time), no response late, all work done.",
      ])
  }

  @Test func `recommends nothing where the machine was busy during all runs`() throws {
    func row(_ label: String, _ drops: Int, _ isDisturbed: Bool) -> OutcomeRow {
      OutcomeRow(label: label, engine: .real, drops: [.logic: drops], isDisturbed: isDisturbed)
    }
    let busy = try verdict([row("a", 30, true), row("b", 20, true)])
    #expect(busy.nearest == nil && busy.best == nil)
    #expect(
      busy.answer == [
        "Nothing can be recommended: other processes kept the machine busy during all runs, and no strategy was smooth. "
          + "Measure again on an idle machine."
      ])
    #expect(busy.caveats.isEmpty)
    let quiet = try verdict([row("a", 30, true), row("b", 20, false)])
    #expect(quiet.nearest?.label == "b")
    // Smooth all the same.
    let smooth = try verdict([row("a", 30, true), row("b", 0, true)])
    #expect(smooth.recommended?.label == "b")
    #expect(smooth.caveats.contains { $0.hasPrefix("The machine was disturbed") })
  }

  @Test func `never picks what did not run to its end`() throws {
    let verdict = try verdict([
      hang, OutcomeRow(label: "cut", status: .interrupted), OutcomeRow(label: "dear", copying: 900),
    ])
    #expect(verdict.cheapest?.label == "dear")
    #expect(verdict.caveats == ["cut was interrupted: it proves nothing."])
  }

  // MARK: The machine's frames

  @Test func `keeps what the machine cost apart from what the app cost`() throws {
    let row = OutcomeRow(engine: .real, drops: [.wakeup: 3, .machine: 2])
    let verdict = try verdict([row])
    #expect(verdict.today.machineFrames == 5)
    #expect(verdict.today.ownDrops == 0)
    #expect(verdict.today.isSmooth)
    #expect(
      verdict.today.facts
        == "none of 600 frames dropped by the app (5 by the machine), no response late, all work done"
    )
  }

  @Test func `puts many late wake-ups down to the strategy's own threads`() throws {
    let row = OutcomeRow(engine: .real, drops: [.wakeup: 4, .machine: 2])
    let verdict = try verdict([row])
    #expect(verdict.today.machineFrames == 2)
    #expect(verdict.today.ownDrops == 4)
    #expect(!verdict.today.isSmooth)
  }

  @Test func `counts no frames of the machine in virtual time`() throws {
    let verdict = try verdict([OutcomeRow(drops: [.wakeup: 1])])
    #expect(verdict.today.ownDrops == 1)
  }

  // MARK: Repetitions

  @Test func `takes the median of repetitions and says in how many it was smooth`() throws {
    let verdict = try verdict([
      OutcomeRow(engine: .real, drops: [.logic: 3]),
      OutcomeRow(repetition: 2, engine: .real, late: 1),
      OutcomeRow(repetition: 3, engine: .real),
      OutcomeRow(repetition: 4, engine: .real),
      OutcomeRow(repetition: 5, engine: .real),
    ])
    #expect(verdict.today.isSmooth)
    #expect(verdict.today.runs == 5)
    #expect(verdict.today.smoothRuns == 3)
    #expect(
      verdict.caveats == [
        "Each is the median of 5 runs. main-thread was smooth in 3 of them."
      ])
  }

  // MARK: Grouping

  @Test func `is separate for each origin, set of changes and engine`() {
    let rows = [
      hang, OutcomeRow(engine: .real), OutcomeRow(changes: "seed=2"),
      OutcomeRow(label: "other"), OutcomeRow(origin: "before"),
    ]
    let verdicts = Verdict.all(rows)
    #expect(verdicts.map(\.strategies.count) == [2, 1, 1, 1])
    #expect(verdicts.map(\.engine) == ["virtual", "real", "virtual", "virtual"])
    #expect(verdicts.map(\.origin) == ["", "", "", "before"])
  }
}
