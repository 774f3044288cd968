import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `Verdicts on one command's runs` {
  private func paragraphs(_ rows: [OutcomeRow]) -> [String] {
    VerdictSummary(verdicts: Verdict.all(rows)).paragraphs
  }

  private func rows(
    _ engine: EngineKind, _ changes: String = "", smooth: String = "locks"
  ) -> [OutcomeRow] {
    ["main-thread", "locks", "copies"].map { label in
      OutcomeRow(
        label: label, engine: engine, changes: changes, drops: label == smooth ? [:] : [.logic: 9])
    }
  }

  @Test func `say whether the other engine picks the same`() {
    #expect(
      paragraphs(rows(.real) + rows(.virtual))[1]
        == "On the virtual engine locks is also the smooth strategy with the lowest price.")
    #expect(
      paragraphs(rows(.real, smooth: "") + rows(.virtual, smooth: ""))[1]
        == "On the virtual engine no strategy is smooth either, and main-thread is also the nearest."
    )
    #expect(
      paragraphs(rows(.real) + rows(.virtual, smooth: "copies"))[1]
        == "On the virtual engine the answer differs: copies: none of 600 frames dropped, no response late, all work done."
    )
  }

  @Test func `report the other engine's result for a single strategy`() {
    let alone = [OutcomeRow(engine: .real), OutcomeRow(drops: [.logic: 2])]
    #expect(
      paragraphs(alone)[1]
        == "On the virtual engine main-thread: 2 of 600 frames dropped (one at a time), no response late, all work done."
    )
  }

  @Test func `merge neighbouring values with the same verdict`() {
    let values = (1...5).flatMap { value in
      rows(
        .virtual, "a=1;load=\(value)", smooth: ["locks", "locks", "main-thread", "", ""][value - 1])
    }
    #expect(
      paragraphs(values) == [
        "a=1;load=1 to 2: locks is smooth at the lowest price.",
        "a=1;load=3: main-thread is smooth at the lowest price.",
        "a=1;load=4 to 5: no strategy that ran is smooth; main-thread comes nearest.",
      ])
  }

  @Test func `tell both engines apart where a value varies`() {
    let values = ["x=1", "x=2"].flatMap { rows(.real, $0) + rows(.virtual, $0, smooth: "copies") }
    #expect(
      paragraphs(values) == [
        "x=1 to 2: locks is smooth at the lowest price (real engine).",
        "x=1 to 2: copies is smooth at the lowest price (virtual engine).",
      ])
  }

  /// The one with a lower price shows frames later.
  private func later(
    _ engine: EngineKind, _ changes: String = "", isEarlySmooth: Bool = true
  ) -> [OutcomeRow] {
    [
      OutcomeRow(engine: engine, changes: changes, drops: [.logic: 9]),
      OutcomeRow(
        label: "locks", engine: engine, changes: changes,
        drops: isEarlySmooth ? [:] : [.logic: 9], lockWait: 5),
      OutcomeRow(label: "late", engine: engine, changes: changes, periodsLater: 1),
    ]
  }

  @Test func `call a price the lowest only if it is`() {
    #expect(
      paragraphs(later(.virtual, "x=1") + later(.virtual, "x=2", isEarlySmooth: false)) == [
        "x=1: locks is smooth with the earliest frames.",
        "x=2: late is smooth at the lowest price, with each shown 16.7 ms later from 1 more buffer.",
      ])
    #expect(
      paragraphs(rows(.real) + later(.virtual))[1]
        == "On the virtual engine locks is the smooth strategy with the earliest frames.")
    #expect(
      paragraphs(later(.real) + later(.virtual))[1]
        == "On the virtual engine locks is also the smooth strategy with the earliest frames.")
  }
}
