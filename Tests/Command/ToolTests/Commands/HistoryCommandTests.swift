import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// `history`, from the command line to the exit status.
struct HistoryCommandTests {
  private let scratch: Scratch
  private var file: String { scratch.path("history.csv") }

  init() throws {
    scratch = try Scratch()
    try ResultCommandsTests.run("base", in: scratch)
  }

  private func add(_ result: String, _ commit: String, _ more: String...) throws -> Performed {
    try Performed(
      ["history", "add", scratch.path(result), "--commit", commit, "--file", file] + more)
  }

  private func show(_ arguments: String...) throws -> Performed {
    try Performed(["history", "--file", file] + arguments)
  }

  @Test func `a commit that makes virtual results worse fails until it is old or undone`() throws {
    try ResultCommandsTests.run(
      "slow", in: scratch, "--set", "workloads.add-file.steps.0.cpu=4 ms")
    // An override would make another series; the app's own scenario has changed.
    let slow = try #require(scratch.text("slow/summary.csv"))
    try scratch.write(
      slow.replacing("workloads.add-file.steps.0.cpu=4 ms", with: ""), to: "slow/summary.csv")
    #expect(try add("base", "one").diagnostics.contains("of one\n"))
    #expect(try show("--fail-within", "1").status == .inconclusive)
    #expect(try add("base", "two").status == .success)
    #expect(try show("--fail-within", "1").status == .success)
    #expect(try add("slow", "three").status == .success)
    let worse = try show("--fail-within", "1")
    #expect(worse.status == .failed)
    #expect(worse.output.hasPrefix("Regression: ") && worse.output.contains("at three"))
    #expect(try show().status == .success)
    #expect(try add("slow", "four").status == .success)
    #expect(try show("--fail-within", "1").status == .success)
    #expect(try show("--fail-within", "2", "-q", "--format", "json").status == .failed)
    #expect(try add("base", "five").status == .success)
    let undone = try show("--fail-within", "5")
    #expect(undone.status == .success && undone.output.hasPrefix("Better: "))
  }

  @Test func `a commit is kept once, with the metrics that are asked for`() throws {
    #expect(try add("base", "one").diagnostics.contains("figures of one\n"))
    let first = try #require(scratch.text("history.csv"))
    let again = try add("base", "one", "--show", "dropped_frames")
    #expect(
      again.status == .success && again.diagnostics.contains("of them instead of earlier ones"))
    let second = try #require(scratch.text("history.csv"))
    #expect(second.hasPrefix(first) && second != first)
    #expect(try !show().output.contains("dropped_frames "))
    #expect(try show("--show", "dropped_frames").output.contains("dropped_frames "))
    #expect(try show("--gate", "average_fps").status == .badInput)
  }

  @Test func `an output is written once, in every format`() throws {
    for commit in ["one", "two"] { _ = try add("base", commit) }
    for format in ["table", "markdown", "csv", "json"] {
      let shown = try show("--format", format)
      #expect(shown.status == .success && !shown.output.isEmpty)
      let path = scratch.path("out.\(format)")
      #expect(try show("--format", format, "-o", path).status == .success)
      #expect(scratch.text("out.\(format)") == shown.output)
      #expect(try show("--format", format, "-o", path).status == .cannotCreate)
    }
  }

  @Test func `mistakes are told with their remedy, and leave the file as it is`() throws {
    let none = try show()
    #expect(none.status == .noInput && none.diagnostics.contains("history add RESULT --commit ID"))
    #expect(try add("none", "one").status == .noInput)
    #expect(scratch.text("history.csv") == nil)
    for wrong in [
      ["add"], ["add", scratch.path("base")], ["--commit", "one"], ["add", "--commit", "one"],
      ["add", scratch.path("base"), "--commit", ""], ["remove"], ["--fail-within", "0"],
      ["add", scratch.path("base"), "--commit", "one", "--fail-within", "3"],
    ] {
      #expect(try Performed(["history", "--file", file] + wrong).status == .usage, "\(wrong)")
    }
    try scratch.write("schema,commit\n4,\n", to: "history.csv")
    #expect(try add("base", "one").status == .badInput)
    #expect(try show().status == .badInput)
    #expect(scratch.text("history.csv") == "schema,commit\n4,\n")
    #expect(scratch.names().allSatisfy { !$0.hasSuffix(".unfinished") })
  }

  @Test func `results that are added at once are all kept`() throws {
    let adding = try BuiltTool(
      """
      for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
        $tool history add \(scratch.path("base")) --commit c$number --file \(file) -q || echo lost &
      done
      wait
      """)
    #expect(adding.output == "" && adding.diagnostics == "")
    let lines = try #require(scratch.text("history.csv")).split(separator: "\n").dropFirst()
    let commits = Set(lines.compactMap { $0.split(separator: ",").dropFirst().first })
    #expect(commits.count == 12)
    #expect(lines.count % 12 == 0)
  }

  @Test func `a link stays one`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link.csv"), withDestinationPath: file)
    #expect(try add("base", "one").status == .success)
    let linked = try Performed(
      "history", "add", scratch.path("base"), "--commit", "two", "--file", scratch.path("link.csv"))
    #expect(linked.status == .success)
    #expect(scratch.text("history.csv")?.contains(",two,") == true)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link.csv")) == file)
  }

  /// Otherwise each result of a branch would replace the one before it.
  @Test func `a name that moves is the commit that it means; others are kept`() throws {
    let added = try BuiltTool(
      """
      cd \(scratch.root) && git init -q -b trunk repository && cd repository
      git -c user.name=n -c user.email=e commit -q --allow-empty -m first && git tag v1
      for name in trunk HEAD~0 v1 $(git rev-parse --short HEAD) build-17; do
        $tool history add ../base --commit $name -q --file $name.csv && cut -d, -f2 $name.csv | tail -1
      done
      git rev-parse HEAD; git rev-parse --short HEAD
      """)
    let names = added.output.split(separator: "\n").map(String.init)
    #expect(names.count == 7, "\(added.diagnostics)")
    let (full, short) = (names[5], names[6])
    #expect(Array(names[..<5]) == [full, full, "v1", short, "build-17"])
  }

  @Test func `HEAD is the commit that is checked out`() throws {
    let inside = try BuiltTool(
      """
      cd \(scratch.root) && git init -q repository && cd repository
      git -c user.name=n -c user.email=e commit -q --allow-empty -m first
      $tool history add ../base --commit HEAD -q && cut -d, -f2 history.csv | tail -1
      git rev-parse HEAD
      """)
    let names = inside.output.split(separator: "\n")
    #expect(names.count == 2 && names[0] == names[1] && names[0].count >= 40)
    let outside = try BuiltTool(
      "cd \(scratch.root) && GIT_CEILING_DIRECTORIES=/ $tool history add base --commit HEAD")
    #expect(outside.status == 66 && outside.diagnostics.contains("--commit takes any name"))
    let without = try BuiltTool(
      "cd \(scratch.root) && PATH=\(scratch.root) $tool history add base --commit HEAD")
    #expect(without.status == 69 && without.diagnostics.contains("git is not installed"))
  }
}
