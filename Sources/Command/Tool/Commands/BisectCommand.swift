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
      is measured again; one that stays undecided, or whose command fails, is skipped. The worktree is removed at the end.

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
    parsing: .unconditional, help: "How often a commit is measured at most.",
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
    LockedFolder.removeLeftovers(on: console)
    // Git forgets the worktrees that were in them.
    _ = try Git.lines(["worktree", "prune"])
    let folder = LockedFolder.new()
    if let error = folder.create() {
      throw ToolError(.cannotCreate, "cannot create \(folder.path): \(error)")
    }
    defer { folder.remove() }
    Interruption.install()
    return try answer(request, in: folder.path, on: console)
  }

  private func answer(
    _ request: Bisection.Request, in folder: String, on console: Console
  ) throws(ToolError) -> ExitStatus {
    var bisection = try Bisection(request, in: folder, on: console)
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
    case .found(let suspects, let comparison, let measurements):
      let names = try suspects.map { commit throws(ToolError) in
        try Git.lines(["log", "-1", "--format=%h %s", commit])?.first ?? commit
      }
      let subject =
        names.count == 1
        ? "\(names[0].printable)" : "one of \(names.map(\.printable).joined(separator: ", "))"
      try console.print(
        "The first worse commit is \(subject) (\(measurements) measurements of \(request.commits.count + 1) commits).\n\n"
          + ComparisonText.table(comparison, isColored: console.isColored(.auto)))
      return names.count == 1 ? .success : .inconclusive
    }
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
    let between = try Git.lines(
      ["rev-list", "--reverse", "--first-parent", "--ancestry-path", "\(names[0])..\(names[1])"])
    guard let between, !between.isEmpty else {
      throw ToolError(.usage, "'\(range)': \(ends[1]) does not follow \(ends[0])")
    }
    return (names[0], between)
  }
}
