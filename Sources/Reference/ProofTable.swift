internal import Foundation
internal import FrameBudget
internal import Proving
internal import Reports
internal import Scenarios
internal import ShippedScenarios

/// What is proven of each shipped scenario under its strategies, on the documentation's page on proofs.
struct ProofTable {
  private static let head = [
    "scenario", "strategy", "answer", "tightest budget, ms", "costs, times", "worst run drops",
    "any run drops at most", "no bound, because",
  ]

  /// The page, beside which the rest of it is written by hand.
  static func page(in project: URL) -> URL {
    project.appending(components: "Documentation", "Prove.md")
  }

  /// The table for all scenarios; some thousand runs.
  static var markdown: String {
    get throws {
      MarkdownTable.text(head, try ShippedScenarios.all.flatMap { try cells(of: $0) })
    }
  }

  /// The lines of one scenario, as they stand in the table.
  static func lines(of shipped: ShippedScenario) throws -> [String] {
    try cells(of: shipped).map { "| \($0.joined(separator: " | ")) |\n" }
  }

  private static func cells(of shipped: ShippedScenario) throws -> [[String]] {
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    return scenario.strategies.map { strategy in
      let proof = Prover(RunPlan(scenario, under: strategy)).proof { count, make in
        (0..<count).map(make)
      }
      return [shipped.name, strategy.label, proof.verdict.rawValue] + figures(proof)
    }
  }

  private static func figures(_ proof: Proof) -> [String] {
    let budget = proof.bound.tightest.map { budget in
      "\(Figure.text(budget.total.inMilliseconds)) of "
        + Figure.text(budget.available.inMilliseconds)
    }
    let growth = proof.growth.map { growth in
      growth == FrameBound.mostGrowth ? "any" : Decimal.text(Double(growth) / 1000, places: 3)
    }
    return [
      budget ?? "", growth ?? "", "\(proof.worst?.dropped ?? 0)",
      proof.bound.dropped.map { "\($0)" } ?? "",
      proof.bound.gaps.map(\.reason).joined(separator: "; "),
    ]
  }
}
