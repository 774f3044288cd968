import FrameBudget
import Testing

@testable import FrameBudgetReports

/// With advice, the verdict recommends the advised arrangement, not the cheapest one.
struct `A verdict beside advice` {
  private let hang = OutcomeRow(drops: [.logic: 390], longestGap: 390, hangs: 1)

  private func verdict(
    _ rows: [OutcomeRow], advised: [String], allowing drops: Int = 0
  ) throws -> Verdict {
    try #require(
      Verdict.all(
        rows.map(\.row), advised: ["scenario": advised], allowedDrops: ["scenario": drops]
      ).first)
  }

  private func smooth(_ label: String, _ price: Double) -> OutcomeRow {
    OutcomeRow(label: label, handOff: price)
  }

  @Test func `recommends the first of what is advised that is smooth, whatever it costs`() throws {
    let rows = [hang, smooth("advice-1", 50), smooth("advice-2", 5)]
    let verdict = try verdict(rows, advised: ["advice-1", "advice-2"])
    #expect(verdict.recommended?.label == "advice-1" && verdict.best?.label == "advice-1")
    #expect(verdict.cheapest?.label == "advice-2")
    #expect(verdict.answer.first?.hasPrefix("advice-1: ") == true)
    let dropping = [hang, OutcomeRow(label: "advice-1", drops: [.logic: 1]), smooth("advice-2", 5)]
    #expect(
      try self.verdict(dropping, advised: ["advice-1", "advice-2"]).recommended?.label == "advice-2"
    )
  }

  @Test func `recommends the lowest price without advice, and where none of it is smooth`() throws {
    let rows = [hang, smooth("dear", 50), smooth("cheap", 5)]
    #expect(try verdict(rows, advised: []).recommended?.label == "cheap")
    let dropping = [hang, OutcomeRow(label: "advice-1", drops: [.logic: 1]), smooth("cheap", 5)]
    #expect(try verdict(dropping, advised: ["advice-1"]).recommended?.label == "cheap")
  }

  @Test func `recommends what drops no more than the aims of the advice allow`() throws {
    let dropping = OutcomeRow(label: "advice-1", drops: [.logic: 3])
    let verdict = try verdict([hang, dropping], advised: ["advice-1"], allowing: 3)
    #expect(verdict.recommended?.label == "advice-1" && verdict.nearest == nil)
    #expect(
      verdict.answer.first?.hasPrefix("advice-1 meets the aims of the advice: 3 of 600 frames")
        == true, "\(verdict.answer)")
    #expect(
      try self.verdict([hang, dropping], advised: ["advice-1"], allowing: 2).recommended == nil)
    // Nor does a smooth one take its place, which changes more.
    let both = [hang, dropping, smooth("advice-2", 5)]
    let chosen = try self.verdict(both, advised: ["advice-1", "advice-2"], allowing: 3)
    #expect(chosen.recommended?.label == "advice-1" && chosen.cheapest?.label == "advice-2")
    let last = try #require(chosen.answer.last)
    #expect(last.hasPrefix("advice-2 is smooth, at 5 ms"), "\(chosen.answer)")
  }

  @Test func `recommends no other run if the advice was not run`() throws {
    let verdict = try verdict([hang, smooth("schedulable", 5)], advised: ["advice-1"])
    #expect(verdict.recommended == nil && verdict.best == nil)
    #expect(
      verdict.answer == [
        "Of the strategies that ran, schedulable is smooth: none of 600 frames dropped, no response late, all work done."
      ])
  }

  @Test func `says of a smooth app what is advised, or that nothing has to change`() throws {
    let rows = [smooth("main-thread", 50), smooth("advice-1", 20), smooth("cheap", 5)]
    #expect(
      try verdict(rows, advised: ["advice-1"]).answer.last
        == "The advice is advice-1: 20 ms of handing work over.")
    let kept = try verdict(rows, advised: ["main-thread"])
    #expect(kept.recommended?.label == "main-thread")
    #expect(kept.answer.last == "Nothing has to change.")
  }

  @Test func `calls nearest what the advice does, and something else the worst`() throws {
    let rows = [
      hang, OutcomeRow(label: "nearest", drops: [.logic: 300]),
      OutcomeRow(label: "other", drops: [.logic: 3]),
    ]
    let verdict = try verdict(rows, advised: ["nearest"])
    #expect(verdict.nearest?.label == "nearest" && verdict.worst?.label == "main-thread")
    #expect(try self.verdict(rows, advised: []).nearest?.label == "other")
    let further = [hang, OutcomeRow(label: "nearest", drops: [.logic: 400])]
    #expect(try self.verdict(further, advised: ["nearest"]).worst == nil)
  }
}
