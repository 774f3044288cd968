import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// `bisect`, in small repositories.
struct BisectCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Makes a repository with a commit for each of `costs`, tagged c0, c1, …; its file `app.yaml` has that cost, or is missing.
  private func commit(_ costs: [String?]) throws {
    let files = try costs.enumerated().map { place, cost in
      let text = ShortScenario.text.replacing("cpu: 2 ms", with: "cpu: \(cost ?? "")")
      try scratch.write(text, to: "\(place).yaml")
      let change =
        cost == nil ? "git rm -q --cached app.yaml; rm app.yaml" : "cp ../\(place).yaml app.yaml"
      return """
        \(change); echo \(place) > number; git add -A
        git -c user.name=n -c user.email=e commit -q -m 'change \(place)'; git tag c\(place)
        """
    }
    let made = try BuiltTool(
      "cd \(scratch.root) && mkdir temporary && git init -q app && cd app\n"
        + files.joined(separator: "\n"))
    try #require(made.status == 0, "\(made.diagnostics)")
  }

  private static let run =
    #"sh -c '$tool run app.yaml --engine virtual -q -o "$FRAMEBUDGET_RESULT"'"#

  private func bisect(_ words: String) throws -> BuiltTool {
    try BuiltTool(
      "cd \(scratch.root)/app && $tool bisect \(words)",
      environment: ["TMPDIR": scratch.path("temporary")])
  }

  /// Whether only the repository's own folder is left.
  private func isCleanedUp() throws -> Bool {
    let list = try BuiltTool("cd \(scratch.root)/app && git worktree list && git status --short")
    return list.output.split(separator: "\n").count == 1 && scratch.names(in: "temporary").isEmpty
  }

  @Test(arguments: [1, 4, 6]) func `the commit that made an app slower is found`(_ first: Int)
    throws
  {
    try commit((0...6).map { $0 < first ? "2 ms" : "4 ms" })
    let found = try bisect("c0..c6 -- \(Self.run)")
    #expect(found.status == 0, "\(found.diagnostics)")
    #expect(found.output.contains("change \(first) ("))
    #expect(found.output.contains("Regression: ") && found.output.contains("went from"))
    #expect(try isCleanedUp())
  }

  @Test func `commits that do not build are skipped, and named if they may be the one`() throws {
    let costs: [String?] = ["2 ms", nil, "2 ms", "2 ms", nil, "4 ms", "4 ms", nil, "4 ms"]
    try commit(costs)
    let found = try bisect("c0..c8 -- \(Self.run)")
    #expect(found.status == 2, "\(found.diagnostics)")
    #expect(found.output.contains("change 4, ") && found.output.contains("change 5 ("))
    #expect(found.diagnostics.contains("the command ended with status"))
    let silent = try bisect("c0..c8 -- true")
    #expect(silent.status == 2)
    #expect(silent.diagnostics.contains("wrote nothing to FRAMEBUDGET_RESULT"))
    #expect(try bisect("c5..c8 -q -- \(Self.run)").status == 1)
    #expect(try bisect("c4..c8 -q -- \(Self.run)").status == 2)
    #expect(try isCleanedUp())
  }

  /// Sends a signal to the command while it measures a commit.
  private func signalled(_ signal: String, then next: String = "exit $?") throws -> BuiltTool {
    try commit(["2 ms", "4 ms"])
    let begun = scratch.path("begun")
    return try BuiltTool(
      """
      cd \(scratch.root)/app
      $tool bisect c0..c1 -- sh -c 'touch \(begun); exec sleep 30' & process=$!
      until [ -e \(begun) ]; do sleep 0.05; done
      kill -\(signal) $process; wait $process; \(next)
      """, environment: ["TMPDIR": scratch.path("temporary")])
  }

  @Test func `a signal ends the command and removes the worktree`() throws {
    let ended = try signalled("TERM")
    #expect(ended.status == 143, "\(ended.diagnostics)")
    #expect(ended.diagnostics.contains("interrupted before the commit was found"))
    #expect(try isCleanedUp())
  }

  @Test func `what a killed command has left is removed by the next one`() throws {
    let killed = try signalled("KILL", then: "git worktree list | wc -l")
    #expect(killed.output.contains("2"))
    let next = try bisect("c0..c1 -q -- \(Self.run)")
    #expect(next.status == 0 && next.diagnostics.contains("which a killed command has left"))
    #expect(try isCleanedUp())
  }

  @Test func `a range has two commits, of which one follows the other`() throws {
    try commit(["2 ms", "4 ms"])
    for (words, status) in [
      ("c0 -- true", 64), ("c1..c0 -- true", 64), ("c0..c0 -- true", 64), ("c0..c1", 64),
      ("c0..none -- true", 66), ("c0.. -- true", 64),
    ] as [(String, Int32)] {
      #expect(try bisect(words).status == status, "\(words)")
    }
    #expect(try isCleanedUp())
  }
}
