import FrameBudgetScenarios
import Testing

struct NameRulesFileTests {
  private func rules(_ text: String) throws -> [NameRulesFile.Rule] {
    try NameRulesFile.parse(Array(text.utf8), file: "rules.yaml")
  }

  @Test func `rules are read in their order`() throws {
    let rules = try rules(
      """
      - {match: "^decode", as: service decoder}
      - {match: GC, as: ignore}
      - {match: "paint$", as: render}
      - {match: poll, as: workload polling}
      """)
    #expect(rules.map(\.target) == [.service, .ignore, .render, .workload])
    #expect(rules.map(\.name) == ["decoder", "", "", "polling"])
    let first = try Regex(rules[0].pattern)
    #expect("decode 7".contains(first) && !"redecode".contains(first))
  }

  /// Text nested up to the limit can be read on the small stack of a test.
  @Test(arguments: [("(", ")"), ("[", "a]"), ("[a--", "]"), ("(?=", ")"), ("[^a&&", "]")])
  func `a pattern of the greatest length is read or refused`(open: String, close: String) throws {
    let depth = 200 / (open + close).utf8.count
    let pattern =
      String(repeating: open, count: depth) + String(repeating: close, count: depth)
    do {
      let rules = try rules("- {match: \"\(pattern)\", as: ignore}")
      _ = "paint".contains(try Regex(#require(rules.first).pattern))
    } catch let error as ScenarioError {
      #expect(error.description.contains("is not a regular expression"), "\(error)")
    }
  }

  @Test(arguments: [
    ("- {match: \"(\", as: ignore}", "is not a regular expression"),
    ("- {match: a, as: servce b}", "is not a role of slices"),
    ("- {match: a, as: service}", "is not a role of slices"),
    ("- {match: a, as: service b.c}", "is not a name"),
    ("- {match: a}", "'as' is missing in a rule"),
    ("match: a", "allowed: a list of rules"),
    ("- {match: \"[^\(String(repeating: "-", count: 70_000))]\", as: ignore}", "is too long"),
  ])
  func `errors have their position`(text: String, message: String) throws {
    let error = try #require(throws: ScenarioError.self) { try rules(text) }
    #expect(error.description.hasPrefix("rules.yaml:1:"))
    #expect(error.description.contains(message), "\(error)")
  }
}
