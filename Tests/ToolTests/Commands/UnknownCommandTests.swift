import Testing

@testable import Tool

/// Arguments that no command takes: what was probably meant, and where the help is.
struct UnknownCommandTests {
  @Test(arguments: [("rnu", "run"), ("Compare", "compare"), ("lst", "list"), ("chekc", "check")])
  func `a misspelt command gets the nearest name`(word: String, command: String) throws {
    let performed = try Performed(word, "camera-upload")
    #expect(performed.status == .usage)
    #expect(
      performed.diagnostics
        == "framebudget: '\(word)' is not a command; did you mean '\(command)'?\n")
  }

  @Test func `a word far from any command gets them all, but none that is not for people`() throws {
    let performed = try Performed("simulate")
    #expect(performed.diagnostics.contains("; allowed: init, run, live, limit"))
    #expect(!performed.diagnostics.contains("serve"))
  }

  @Test func `an error names the help of its own command`() throws {
    let performed = try Performed("list", "colours")
    #expect(performed.status == .usage)
    #expect(performed.diagnostics.contains("'framebudget list --help' says what is allowed"))
    #expect(
      try Performed("--colours").diagnostics
        .contains("'framebudget --help' says what is allowed"))
  }
}
