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

  private let worktree: Worktree
  private let folder: String
  private let request: Request
  private let console: Console
  private var measurements = 0
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

  enum Answer {
    /// One commit, or several if those before the last one are undecided, with the comparison of the newest good one with the
    /// first one that is known to be worse.
    case found([String], ResultComparison, measurements: Int)
    case notWorse
    /// A sentence with the reason.
    case undecided(String)
  }

  /// `folder` is for the worktree and the results.
  init(_ request: Request, in folder: String, on console: Console) throws(ToolError) {
    worktree = try Worktree(of: request.good, at: "\(folder)/worktree")
    (self.folder, self.request, self.console) = (folder, request, console)
  }

  /// The answer; nil after a signal.
  mutating func answer() throws(ToolError) -> Answer? {
    let last = request.commits.count - 1
    guard let base = try measure(-1) else { return unmeasured(request.good) }
    results[-1] = base
    switch try judge(last) {
    case nil: return nil
    case .good: return .notWorse
    case .undecided:
      return .undecided(
        "it is undecided whether \(request.name(last)) is worse than \(request.good)")
    case .bad: break
    }
    var search = FirstBadSearch(count: request.commits.count)
    while let place = search.next {
      guard let judgement = try judge(place) else { return nil }
      search.note(judgement, at: place)
    }
    guard let old = results[search.good], let new = results[search.bad] else { return nil }
    return .found(
      search.suspects.map(request.name),
      ResultComparison(base: old, new: new, gates: request.gates, shown: []),
      measurements: measurements)
  }

  private func unmeasured(_ commit: String) -> Answer? {
    Interruption.signal == nil ? .undecided("\(commit) has no result to compare with") : nil
  }

  /// Compares a commit with the good one, by the gates of `compare`; measures it again while the result is too noisy. Nil after
  /// a signal.
  private mutating func judge(_ place: Int) throws(ToolError) -> FirstBadSearch.Judgement? {
    var judgement = FirstBadSearch.Judgement.undecided
    for _ in 0..<request.tries {
      guard let base = results[-1], let rows = try measure(place) else { break }
      results[place] = rows
      let comparison = ResultComparison(base: base, new: rows, gates: request.gates, shown: [])
      switch comparison.outcome {
      case .regression: judgement = .bad
      case .holds: judgement = .good
      case .inconclusive: continue
      }
      break
    }
    guard Interruption.signal == nil else { return nil }
    note("\(request.name(place)) is \(judgement)")
    return judgement
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
    let metrics = request.gates.map(\.metric)
    guard let known = results[place] else {
      return try ComparedRows.read(path, metrics, on: console)
    }
    return try known.adding(path, on: console)
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
    return ChildProcess.wait(for: process) { Interruption.signal != nil }
  }

  private func note(_ text: String) { if !request.isQuiet { console.note(text) } }
}
