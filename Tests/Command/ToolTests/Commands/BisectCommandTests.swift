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

  @Test func `a result that cannot be read is skipped like none`() throws {
    try commit(["2 ms", "2 ms", "2 ms", "4 ms"])
    // Damaged, unfinished, and whole.
    let command = #"""
      sh -c 'case $(cat number) in
        1) echo a,b > "$FRAMEBUDGET_RESULT" ;;
        2) mkdir "$FRAMEBUDGET_RESULT" ;;
        *) $tool run app.yaml --engine virtual -q -o "$FRAMEBUDGET_RESULT" ;;
      esac'
      """#
    let found = try bisect("c0..c3 -- \(command)")
    #expect(found.status == 2, "\(found.diagnostics)")
    #expect(found.output.contains("change 1, ") && found.output.contains("change 3 ("))
    let base = try bisect("c1..c3 -- \(command)")
    #expect(base.status == 2 && base.diagnostics.contains("has no result to compare with"))
    #expect(try isCleanedUp())
  }

  @Test func `a good commit in a merged branch is followed by the merge`() throws {
    try commit(["2 ms", "2 ms", "2 ms", "4 ms"])
    let merged = try BuiltTool(
      """
      set -e
      export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e
      cd \(scratch.root)/app
      git checkout -q -b side c0; echo side > side; git add -A; git commit -q -m side; git tag side1
      echo more > side; git commit -q -a -m more
      git checkout -q c2; git merge -q --no-edit side
      cp ../3.yaml app.yaml; git commit -q -a -m slower; git tag worse
      """)
    try #require(merged.status == 0, "\(merged.diagnostics)")
    let found = try bisect("side1..worse -q -- \(Self.run)")
    #expect(found.status == 0, "\(found.diagnostics)")
    #expect(found.output.contains("slower (") && found.output.contains(" of 3 commits)"))
    #expect(try bisect("worse..side1 -q -- \(Self.run)").status == 64)
  }

  /// In hooks and for repositories without a worktree, the environment names the repository.
  @Test func `variables of git do not lead to the user's own files`() throws {
    try commit((0...3).map { $0 < 2 ? "2 ms" : "4 ms" })
    let app = "\(scratch.root)/app"
    let branch = try BuiltTool("cd \(app) && git symbolic-ref HEAD; git rev-parse HEAD")
    try scratch.write("mine", to: "app/untracked")
    let found = try BuiltTool(
      """
      cd \(app)
      export GIT_DIR=\(app)/.git GIT_INDEX_FILE=\(app)/.git/index
      $tool bisect c0..c3 -q -- sh -c '[ -z "$GIT_DIR$GIT_INDEX_FILE" ] && $tool run app.yaml --engine virtual -q -o "$FRAMEBUDGET_RESULT"'
      """, environment: ["TMPDIR": scratch.path("temporary")])
    #expect(found.status == 0, "\(found.diagnostics)")
    #expect(found.output.contains("change 2 ("))
    let after = try BuiltTool(
      "cd \(app) && git symbolic-ref HEAD; git rev-parse HEAD; git diff --stat HEAD")
    #expect(after.output == branch.output)
    #expect(scratch.text("app/untracked") == "mine")
    #expect(
      try BuiltTool("cd \(app) && git worktree list").output.split(separator: "\n").count == 1)
  }

  @Test func `a worktree on a disk that is not mounted is not forgotten`() throws {
    try commit(["2 ms", "4 ms"])
    let disk = try BuiltTool(
      "cd \(scratch.root)/app && git worktree add -q --detach ../disk c0 && mv ../disk ../elsewhere"
    )
    try #require(disk.status == 0, "\(disk.diagnostics)")
    #expect(try bisect("c0..c1 -q -- \(Self.run)").status == 0)
    let mounted = try BuiltTool("cd \(scratch.root) && mv elsewhere disk && git -C disk status")
    #expect(mounted.status == 0, "\(mounted.diagnostics)")
  }

  /// Each commit is less than 1 % slower than the one before it.
  @Test func `commits that are worse together are compared with the good one, too`() throws {
    let costs = (0...4).map { "\(20_000 + 80 * $0) us" }
    try commit(costs)
    let command = Self.run.replacing(
      "--engine", with: "--strategy main-thread --set workloads.add-file.arrival.once=3 --engine")
    let found = try bisect("c0..c4 -q --gate frame_ms_p99 -- \(command)")
    #expect(found.status == 0, "\(found.diagnostics)")
    let parts = found.output.split(separator: "Compared with GOOD")
    try #require(parts.count == 2, "\(found.output)")
    #expect(parts[0].contains("No regression") && parts[1].contains("Regression: frame_ms_p99"))
  }

  /// A result of one measured run, which alone decides nothing.
  private static let measured = #"""
    sh -c '$tool run app.yaml --strategy main-thread --engine virtual -q -o out &&
      sed s/,virtual,/,real,/ out/summary.csv > "$FRAMEBUDGET_RESULT"; rm -r out'
    """#

  @Test(arguments: [(4, 0, 8), (3, 2, 6)])
  func `a noisy result is measured again on both sides`(
    _ tries: Int, _ status: Int32, _ measurements: Int
  ) throws {
    try commit(["2 ms", "4 ms"])
    let counted = Self.measured.replacing("sed s", with: "echo >> \(scratch.path("count")); sed s")
    let found = try bisect("c0..c1 --gate frame_ms_p99 --tries \(tries) -- \(counted)")
    #expect(found.status == status, "\(found.diagnostics)")
    #expect(scratch.text("count")?.count == measurements)
    #expect(found.diagnostics.contains("too few") || status == 0)
  }

  @Test func `a result that no further measurement decides is measured once, and says why`() throws
  {
    try commit(["2 ms", "2 ms"])
    let command = """
      sh -c 'strategies="--strategy main-thread --strategy schedulable"; [ $(cat number) = 0 ] || strategies="--strategy schedulable"; echo >> \(scratch.path("count"))
      $tool run app.yaml $strategies --engine virtual -q -o "$FRAMEBUDGET_RESULT"'
      """
    let found = try bisect("c0..c1 -- \(command)")
    #expect(found.status == 2 && scratch.text("count")?.count == 2, "\(found.diagnostics)")
    #expect(found.diagnostics.contains("the new result lacks main-thread"))
  }

  /// A shell ends at once, the program that it has started takes its time.
  @Test func `a signal leaves time to what the command has started`() throws {
    let program = """
      trap 'sleep 0.3; touch \(scratch.path("ended")); exit' TERM
      touch \(scratch.path("begun")); while :; do sleep 0.05; done
      """
    try scratch.write(program, to: "program.sh")
    let ended = try signalled("TERM", "sh -c 'sh \(scratch.path("program.sh")); :'")
    #expect(ended.status == 143, "\(ended.diagnostics)")
    #expect(scratch.text("ended") != nil)
    #expect(try isCleanedUp())
  }

  /// Sends a signal to the command while it measures a commit.
  private func signalled(
    _ signal: String, _ command: String? = nil, then next: String = "exit $?"
  ) throws -> BuiltTool {
    try commit(["2 ms", "4 ms"])
    let begun = scratch.path("begun")
    return try BuiltTool(
      """
      cd \(scratch.root)/app
      $tool bisect c0..c1 -- \(command ?? "sh -c 'touch \(begun); exec sleep 30'") & process=$!
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
