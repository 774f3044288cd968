import Foundation
import FrameBudget
import FrameBudgetAdvice
import TestSupport
import Testing

/// The frequency with which bound and search agree, as stated on the page on proofs.
@Suite struct TightnessTests {
  private static let systems: UInt64 = 60

  /// `make golden` writes all rows; here only the first one is recalculated.
  // Slow: 60 systems with up to 2500 runs each.
  @Test func `matches the table in the documentation`() throws {
    let page = try GeneratedPart(of: "results/reference/proofs.md", by: "make golden")
    if Golden.isRewriting { return try page.write(Self.table) }
    #expect(page.text.contains(Self.line(SmallSystem.Family.allCases[0])))
    for family in SmallSystem.Family.allCases {
      #expect(page.text.contains("| \(family.rawValue) |"))
    }
  }

  private static var table: String {
    let titles = [
      "strategy", "proven or refuted", "open, and a frame can be dropped", "open, and none can",
      "longest frame is the bound",
    ]
    let head = [titles, titles.map { _ in "---" }].map { "| \($0.joined(separator: " | ")) |\n" }
    return head.joined() + SmallSystem.Family.allCases.map { line($0) }.joined()
  }

  private static func line(_ family: SmallSystem.Family) -> String {
    var (decided, missed, loose, kept, exact) = (0, 0, 0, 0, 0)
    for seed in 0..<systems {
      let system = SmallSystem(seed: seed, family)
      let worst = WorstRuns(of: system)
      let prover = Prover(RunPlan(system.scenario, under: system.strategy), costs: system.costs)
      let proof = prover.proof { count, make in (0..<count).map(make) }
      switch (proof.verdict, worst.dropped > 0) {
      case (.open, true): missed += 1
      case (.open, false): loose += 1
      default: decided += 1
      }
      guard worst.dropped == 0 else { continue }
      kept += 1
      if proof.bound.frame == worst.longest { exact += 1 }
    }
    func share(_ count: Int, _ all: Int) -> String {
      all == 0 ? "" : "\(Int((Double(count) * 100 / Double(all)).rounded())) % of \(all)"
    }
    return
      "| \(family.rawValue) | \(share(decided, Int(systems))) | \(missed) | \(loose) | \(share(exact, kept)) |\n"
  }
}
