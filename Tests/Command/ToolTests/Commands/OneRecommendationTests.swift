import Foundation
import FrameBudgetParsing
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// The text of `advise`, its files for programs, its page and the page of its runs recommend the same.
struct `One recommendation` {
  /// Fast ones first, with all three outcomes; for some the cheapest arrangement is not the first advice.
  private static let scenarios: ArraySlice<String> = {
    let first = [
      "steady", "priority-inversion", "lock-starvation", "three-files", "long-task",
      "tap-behind-files", "like-ios", "like-chrome",
    ]
    let all = first + ShippedScenarios.all.map(\.name).filter { !first.contains($0) }
    return all.prefix(Tries.advisedScenarios.count)
  }()

  /// Slow: the search of some takes many runs.
  @Test(arguments: scenarios)
  func `is on the page, in text and for programs`(_ name: String) throws {
    let scratch = try Scratch()
    let folder = scratch.path("advised")
    let advise = try Performed("advise", name, "--quiet", "-o", folder + "/")
    #expect([.success, .failed].contains(advise.status), "\(advise.diagnostics)")
    let run = try Performed(
      "run", folder + "/advice.yaml", "--engine", "virtual", "--quiet", "-o", folder, "--format",
      "json")
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let verdicts = (json?["verdict"] as? [String: Any])?["subjects"] as? [[String: Any]]
    let best = (verdicts?.first?["best"] as? [String: Any])?["strategy"] as? String
    let page = try Performed("report", folder)
    #expect(page.status == .success, "\(page.diagnostics)")

    var rows: [[String]] = []
    var records = CSVRecords(try ByteSource(path: folder + "/advice.csv"))
    try records.forEach { fields throws(InputError) in rows.append(fields) }
    let head = try #require(rows.first)
    func value(_ column: String, _ row: [String]) throws -> String {
      row[try #require(head.firstIndex(of: column))]
    }
    let recommended = try rows.dropFirst().filter { try value("recommended", $0) == "1" }
    let nearest = try rows.dropFirst().filter { try value("role", $0) == "nearest" }
    #expect(recommended.count <= 1 && (recommended.isEmpty || nearest.isEmpty))
    let verdict = try value("verdict", rows[1])
    #expect(recommended.isEmpty == (verdict == "nothing-helps"))
    let label = try (recommended.first ?? nearest.first).map { try value("arrangement", $0) }

    // The first advice is the first sentence of the text.
    let text = advise.output.replacing("\n", with: " ").lowercased()
    if verdict == "change", let moves = try recommended.first.map({ try value("moves", $0) }) {
      #expect(text.hasPrefix(moves.replacing("; ", with: ", ").lowercased()), "\(text)")
    }
    // On the page, nothing else is highlighted: in the verdict, in the strips, and under What to change.
    let picks = page.output.components(separatedBy: "<b class=\"pick\">").dropFirst()
      .map { String($0.prefix { $0 != "<" }) }
    let badges = page.output.components(separatedBy: " <b class=\"badge best\"").dropLast()
      .map(Self.name)
    #expect(Set(picks + badges).count <= 1, "\(picks) \(badges)")
    // The page of the runs recommends the same; for a single strategy only if it is smooth.
    #expect(label == nil || best == label || rows.count == 2, "\(best ?? "")")
    if let label {
      #expect(picks.first == label, "\(picks) \(badges)")
      #expect(verdict == "nothing-to-change" || badges.contains(label))
    }
  }

  /// The text before a badge: the name of a strategy, possibly with its options and another badge.
  private static func name(_ markup: String) -> String {
    let plain = markup.replacing(" <b class=\"badge\">today</b>", with: "")
    let end = plain.hasSuffix("</small>") ? plain.range(of: "<small>", options: .backwards) : nil
    let name = end.map { plain[..<$0.lowerBound] } ?? plain[...]
    return String(name[(name.lastIndex(of: ">") ?? name.startIndex)...].drop { $0 == ">" })
  }
}
