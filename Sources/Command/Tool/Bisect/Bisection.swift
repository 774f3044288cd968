internal import FrameBudget
internal import FrameBudgetAdvice
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import Glibc

/// Commits that are measured one after the other, until the first one is found that is worse than the good one.
struct Bisection: ~Copyable {
  /// Gives the command the path for its result.
  static let variable = "FRAMEBUDGET_RESULT"

  let request: Request
  private let worktree: Worktree
  private let folder: String
  private let console: Console
  private var measurements = 0
  private var measurementsOfGood = 1
  /// The rows of the commits that have been judged, by their places; those of the good commit at -1.
  private var results: [Int: ComparedRows] = [:]

  struct Request {
    /// The name of the good commit, and the commits after it until the bad one.
    let good: String
    let commits: [String]
    let command: [String]
    let gates: [Gate]
    /// How often a commit is measured at most.
    let tries: Int
    let isQuiet: Bool

    fileprivate func name(_ place: Int) -> String { place < 0 ? good : commits[place] }
  }

  struct Found {
    /// One commit, or several if those before the last one are undecided.
    let suspects: [String]
    /// The first commit that is known to be worse, compared with the newest one that is not.
    let step: ResultComparison
    /// The same, compared with the good commit.
    let whole: ResultComparison
    let measurements: Int
  }

  enum Answer {
    case found(Found)
    case notWorse
    /// A sentence with the reason.
    case undecided(String)
  }

  /// `folder` is for the results.
  init(
    _ request: Request, in worktree: consuming Worktree, results folder: String, on console: Console
  ) {
    self.worktree = worktree
    (self.folder, self.request, self.console) = (folder, request, console)
  }

  /// The answer; nil after a signal.
  mutating func answer() throws(ToolError) -> Answer? {
    let last = request.commits.count - 1
    guard let base = try measure(-1) else { return unmeasured(request.good) }
    results[-1] = base
    guard let ofLast = try judge(last) else { return nil }
    switch ofLast.of {
    case .good: return .notWorse
    case .undecided:
      return .undecided(
        "it is undecided whether \(request.name(last)) is worse than \(request.good): \(ofLast.reason)"
      )
    case .bad: break
    }
    var search = FirstBadSearch(count: request.commits.count)
    while let place = search.next {
      guard let judgement = try judge(place) else { return nil }
      search.note(judgement.of, at: place)
    }
    guard let old = results[search.good], let new = results[search.bad], let good = results[-1]
    else { return nil }
    return .found(
      Found(
        suspects: search.suspects.map(request.name), step: compare(old, new),
        whole: compare(good, new), measurements: measurements))
  }

  private func compare(_ base: ComparedRows, _ new: ComparedRows) -> ResultComparison {
    ResultComparison(base: base, new: new, gates: request.gates, shown: [])
  }

  private func unmeasured(_ commit: String) -> Answer? {
    Interruption.signal == nil ? .undecided("\(commit) has no result to compare with") : nil
  }

  /// Compares a commit with the good one, by the gates of `compare`; measures both again while the result is too noisy: one
  /// side alone could not become certain. Nil after a signal.
  private mutating func judge(
    _ place: Int
  ) throws(ToolError) -> (of: FirstBadSearch.Judgement, reason: String)? {
    var judgement = FirstBadSearch.Judgement.undecided
    var reason = "it has no result"
    for number in 1...max(1, request.tries) {
      if number > measurementsOfGood { try measureGoodAgain() }
      guard let base = results[-1], let rows = try measure(place) else { break }
      results[place] = rows
      let comparison = compare(base, rows)
      reason = ComparisonText.reason(comparison)
      switch comparison.outcome {
      case .regression: judgement = .bad
      case .holds: judgement = .good
      case .inconclusive where comparison.mayDependOnChance: continue
      case .inconclusive: break
      }
      break
    }
    guard Interruption.signal == nil else { return nil }
    let why = judgement == .undecided ? ": \(reason)" : ""
    note("\(request.name(place)) is \(judgement)\(why)")
    return (judgement, reason)
  }

  private mutating func measureGoodAgain() throws(ToolError) {
    guard let rows = try measure(-1) else { return }
    results[-1] = rows
    measurementsOfGood += 1
  }

  /// Runs the command in the commit. The rows of its result, with those of earlier measurements; nil without a result.
  private mutating func measure(_ place: Int) throws(ToolError) -> ComparedRows? {
    guard Interruption.signal == nil else { return nil }
    let commit = request.name(place)
    try worktree.checkOut(commit)
    measurements += 1
    let path = "\(folder)/result-\(measurements)"
    let status = try run(writing: path)
    guard Interruption.signal == nil else { return nil }
    guard status == 0 else {
      note("\(commit): the command ended with status \(status)")
      return nil
    }
    guard unsafe access(path, F_OK) == 0 else {
      note("\(commit): the command wrote nothing to \(Self.variable)")
      return nil
    }
    do {
      let rows = try ComparedRows.read(path, request.gates.map(\.metric), on: console)
      // Virtual runs of the same seeds are no further ones; a count that differed may be steady now.
      guard let known = results[place], !rows.isVirtual else { return rows }
      return try known.adding(path, on: console)
    } catch {
      note("\(commit): \(error.message)")
      return nil
    }
  }

  private func run(writing path: String) throws(ToolError) -> Int32 {
    unsafe setenv(Self.variable, path, 1)
    defer { unsafe unsetenv(Self.variable) }
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", worktree.path]
    let output =
      request.isQuiet
      ? unsafe open("\(folder)/output", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      : dup(console.diagnostics)
    let process = ChildProcess.start(shell + request.command, output: output)
    close(output)
    guard process > 0 else {
      throw ToolError(.unavailable, "cannot start a shell: \(SystemError(number: -process))")
    }
    return ChildProcess.wait(for: process, patience: ChildProcess.nestedPatience) {
      Interruption.signal != nil
    }
  }

  private func note(_ text: String) { if !request.isQuiet { console.note(text) } }
}
