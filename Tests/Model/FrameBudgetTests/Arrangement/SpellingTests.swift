import FrameBudget
import Testing

@Suite struct SpellingTests {
  private let names = ["constant", "uniform", "normal", "exponential", "recorded"]

  @Test(arguments: [
    ("constant", "constant"), ("Constant", "constant"), ("constnat", "constant"),
    ("unifrom", "uniform"), ("norml", "normal"), ("normall", "normal"), ("nromal", "normal"),
    ("exponental", "exponential"), ("record", "recorded"),
  ])
  func `a misspelt name is recognised`(word: String, name: String) {
    #expect(Spelling.nearest(to: word, among: names) == name)
    #expect(Spelling.suggestion(for: word, among: names) == "; did you mean '\(name)'?")
  }

  @Test(arguments: ["exp", "gauss", "", "x", "constantinople", "🚀🚀🚀"])
  func `a word that resembles no name is answered with the allowed names`(word: String) {
    #expect(Spelling.nearest(to: word, among: names) == nil)
    #expect(
      Spelling.suggestion(for: word, among: names)
        == "; allowed: constant, uniform, normal, exponential, recorded")
  }

  @Test func `swapped neighbours count as one error, and the first of equal matches wins`() {
    #expect(Spelling.nearest(to: "ab", among: ["ba"]) == "ba")
    #expect(Spelling.nearest(to: "cat", among: ["bat", "rat"]) == "bat")
    #expect(Spelling.nearest(to: "anything", among: []) == nil)
  }

  @Test func `a word of a megabyte is answered, and shortened`() {
    let word = String(repeating: "x", count: 1_000_000)
    #expect(Spelling.nearest(to: word, among: names) == nil)
  }
}
