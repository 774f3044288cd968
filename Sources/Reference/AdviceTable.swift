internal import Advice
internal import Foundation
internal import FrameBudget
internal import Reports
internal import Scenarios
internal import ShippedScenarios

/// What is advised first for each shipped scenario, on the documentation's page on advice.
struct AdviceTable {
  private static let head = [
    "scenario", "today", "today drops", "the first advice", "then drops", "late", "costs may grow",
    "candidates run",
  ]

  /// The page, beside which the rest of it is written by hand.
  static func page(in project: URL) -> URL {
    project.appending(components: "Documentation", "Advise.md")
  }

  /// The table for all scenarios; some seconds in a release build, minutes in one for debugging.
  static var markdown: String {
    get throws {
      MarkdownTable.text(head, try ShippedScenarios.all.map { try cells(of: $0) })
    }
  }

  /// The line of one scenario, as it stands in the table.
  static func line(of scenario: ShippedScenario) throws -> String {
    "| \(try cells(of: scenario).joined(separator: " | ")) |\n"
  }

  private static func cells(of shipped: ShippedScenario) throws -> [String] {
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    guard let today = scenario.strategies.first else { return [shipped.name] }
    let advice = Adviser(AdviceRequest(scenario, today: today)).advice()
    let outcome = advice.today.outcome
    let dropped = outcome.late.map { "\(outcome.dropped), \($0) late" } ?? "\(outcome.dropped)"
    let head = [shipped.name, today.label, dropped]
    let count = "\(advice.count.tried)" + (advice.count.isExhaustive ? "" : " (not exhaustive)")
    switch advice.verdict {
    case .nothingToChange: return head + ["nothing to change", "", "", "", ""]
    case .nothingHelps:
      let nearest = advice.nearest.map { "; nearest: \($0.words.joined(separator: "; "))" } ?? ""
      let drops = advice.nearest?.outcome ?? outcome
      return head + [
        "nothing helps: \(Figure.text(advice.demand.perSecond)) cores asked for, "
          + "\(Figure.text(advice.demand.cores)) there\(nearest)",
        "\(drops.dropped)", drops.late.map { "\($0)" } ?? "", "", count,
      ]
    case .change:
      guard let first = advice.proposals.first else { return head }
      let late = first.trial.outcome.late.map { "\($0)" } ?? ""
      return head + [
        first.trial.words.joined(separator: "; "), "\(first.trial.outcome.dropped)", late,
        growth(first), count,
      ]
    }
  }

  private static func growth(_ proposal: Proposal) -> String {
    guard let margin = proposal.margins.first else { return "" }
    return "\(margin.isLimit ? "> " : "")\(margin.percent) %\(proposal.isFragile ? " !" : "")"
  }
}
