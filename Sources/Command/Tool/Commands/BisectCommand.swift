internal import ArgumentParser
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import Glibc

/// Finds the first commit at which results are worse, by measuring commits between two others.
struct BisectCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "bisect",
      success: "the first worse commit is found",
      failed: "the last commit is not worse than the first",
      inconclusive: "too noisy, or commits without a result are in between")
  ]

  static let configuration = CommandConfiguration(
    commandName: "bisect",
    abstract: "Find the commit that made results worse, by measuring commits in between.",
    discussion: """
      Checks out commits between GOOD and BAD, which follow each other by their first parents, in a worktree beside your own, \
      where files that Git ignores stay from one to the next. There it runs the command, which builds and writes a result to \
      the path in FRAMEBUDGET_RESULT, and compares that with GOOD by the gates of 'compare'. A commit whose result is too noisy \
      is measured again, and so is GOOD; one that stays undecided, or whose command fails or writes no result that can be \
      read, is skipped. The worktree is removed at the end.

      With 'git bisect run', 'compare --skip-undecided' does the same for a build that keeps its place.

      \(outcomes[0].sentence)

      EXAMPLES:
        framebudget bisect v1.2..main -- ./measure.sh
        framebudget bisect HEAD~20..HEAD --gate frame_ms_p99=2% -- \\
          sh -c 'make && ./app --results "$FRAMEBUDGET_RESULT"'
      """)

  @Argument(
    help: ArgumentHelp(
      "The last commit known to be good, and one that is worse.", valueName: "good..bad"))
  var range: String

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The command, after --, and its arguments.", valueName: "command"))
  var command: [String] = []

  @OptionGroup var gates: GateOptions

  @Option(
    parsing: .unconditional, help: "How often a commit is measured at most, also GOOD.",
    transform: WholeNumber.repetitions)
  var tries = 3

  @OptionGroup var notes: NoteOptions

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError("bisect needs '-- COMMAND' at its end") }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let (good, commits) = try commits()
    let request = Bisection.Request(
      good: good, commits: commits, command: command, gates: try gates.chosen(), tries: tries,
      isQuiet: notes.quiet)
    let repository = try Git.leaveRepository()
    LockedFolder.removeLeftovers(on: console)
    let folder = LockedFolder.new()
    if let error = folder.create() {
      throw ToolError(.cannotCreate, "cannot create \(folder.path): \(error)")
    }
    defer { folder.remove() }
    Interruption.install()
    let worktree = try Worktree(of: good, from: repository, at: folder.worktree)
    return try answer(
      Bisection(request, in: worktree, results: folder.path, on: console), of: repository,
      on: console)
  }

  private func answer(
    _ bisection: consuming Bisection, of repository: String, on console: Console
  ) throws(ToolError) -> ExitStatus {
    let request = bisection.request
    switch try bisection.answer() {
    case nil:
      console.note("interrupted before the commit was found")
      return .interrupted(by: Interruption.signal ?? SIGINT)
    case .notWorse:
      console.printError("\(request.commits.last ?? "") is not worse than \(request.good)")
      return .failed
    case .undecided(let reason):
      console.printError(reason)
      return .inconclusive
    case .found(let found):
      let words = ["--git-dir", repository, "log", "-1", "--format=%h %s"]
      let names = try found.suspects.map { commit throws(ToolError) in
        try Git.lines(words + [commit])?.first ?? commit
      }
      let subject =
        names.count == 1
        ? "\(names[0].printable)" : "one of \(names.map(\.printable).joined(separator: ", "))"
      try console.print(
        "The first worse commit is \(subject) (\(found.measurements) measurements of \(request.commits.count + 1) commits).\n\n"
          + text(found, isColored: console.isColored(.auto)))
      return names.count == 1 ? .success : .inconclusive
    }
  }

  /// The comparison with the commit before it and, if that alone is no regression, with the good one: several commits have made
  /// the result worse, by little each.
  private func text(_ found: Bisection.Found, isColored: Bool) -> String {
    let step = ComparisonText.table(found.step, isColored: isColored)
    guard found.step.outcome != .regression else { return step }
    return "Compared with the newest commit that is not worse:\n\n\(step)\n"
      + "Compared with GOOD, from which several commits have led here:\n\n"
      + ComparisonText.table(found.whole, isColored: isColored)
  }

  /// The good commit, and those after it until the bad one.
  private func commits() throws(ToolError) -> (good: String, after: [String]) {
    let ends = range.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2, !ends.contains("") else {
      throw ToolError(.usage, "'\(range)' is no range of commits; allowed: GOOD..BAD")
    }
    var names: [String] = []
    for end in ends {
      guard let name = try Git.commit(end) else {
        throw ToolError(.noInput, "'\(end)' is no commit of this folder's repository")
      }
      names.append(name)
    }
    let list = ["rev-list", "--reverse", "\(names[0])..\(names[1])"]
    // Git's own combination of both finds nothing if GOOD is in a branch that was merged.
    let after = Set(try Git.lines(list + ["--ancestry-path"]) ?? [])
    let between = (try Git.lines(list + ["--first-parent"]) ?? []).filter(after.contains)
    guard !between.isEmpty else {
      throw ToolError(.usage, "'\(range)': \(ends[1]) does not follow \(ends[0])")
    }
    return (names[0], between)
  }
}
