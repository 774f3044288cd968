internal import CFrameBudgetLinux
internal import Foundation
internal import Glibc
internal import FrameBudgetParsing

/// The repository around the current folder, if Git is installed.
enum Git {
  /// The full name of the commit that is checked out.
  static func head() throws(ToolError) -> String {
    guard let name = try commit("HEAD") else {
      throw ToolError(
        .noInput, "this folder is in no Git repository with a commit; --commit takes any name")
    }
    return name
  }

  /// The full name of the commit that `name` means today, if it may mean another one tomorrow, as a branch does; otherwise `name`,
  /// also if it is no commit of this folder's repository.
  static func fixed(_ name: String) -> String {
    guard let full = try? commit(name), !full.hasPrefix(name.lowercased()) else { return name }
    let isTag = (try? commit("refs/tags/\(name)")) ?? nil != nil
    return isTag ? name : full
  }

  /// The full name of a commit; nil if there is none.
  static func commit(_ name: String) throws(ToolError) -> String? {
    try lines(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"])?.first
  }

  /// The folder of the repository itself, which all its worktrees share. From then on neither this process nor those that it
  /// starts see the variables by which the environment names a repository, such as `GIT_DIR` in a hook: Git would use that one in
  /// every other worktree, too. Variables that only set options stay.
  static func leaveRepository() throws(ToolError) -> String {
    guard let named = try lines(["rev-parse", "--git-common-dir"])?.first else {
      throw ToolError(.noInput, "this folder is in no Git repository")
    }
    let folder = URL(filePath: named).absoluteURL.path
    for name in try lines(["rev-parse", "--local-env-vars"]) ?? []
    where !name.hasPrefix("GIT_CONFIG_") {
      unsafe unsetenv(name)
    }
    return folder
  }

  /// What git prints; nil if it fails.
  static func lines(_ words: [String]) throws(ToolError) -> [String]? {
    let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
    guard let program = ProgramPath.find("git", in: folders) else {
      throw ToolError(.unavailable, "git is not installed, or not in PATH")
    }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw failure(.last) }
    defer { close(ends[0]) }
    let process = ChildProcess.start([program] + words, output: ends[1])
    close(ends[1])
    guard process > 0 else { throw failure(SystemError(number: -process)) }
    let printed = try? InputBytes.read(from: ends[0])
    guard clinux_reap(process) == 0, let printed else { return nil }
    return String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func failure(_ error: SystemError) -> ToolError {
    ToolError(.unavailable, "cannot start git: \(error)")
  }
}

/// A folder in which commits of a repository are checked out one after the other, beside the user's own; removed with this
/// value. Git's variables must not name another repository.
struct Worktree: ~Copyable {
  let path: String
  private let repository: String

  init(of commit: String, from repository: String, at path: String) throws(ToolError) {
    (self.path, self.repository) = (path, repository)
    let words = ["worktree", "add", "--quiet", "--force", "--detach", path, commit]
    guard try Git.lines(["--git-dir", repository] + words) != nil else {
      throw ToolError(.cannotCreate, "git cannot check out \(commit) in \(path)")
    }
  }

  /// Checks out `commit`. Files that Git ignores stay, so that a build does only what is new.
  func checkOut(_ commit: String) throws(ToolError) {
    guard try Git.lines(["-C", path, "checkout", "--quiet", "--force", "--detach", commit]) != nil,
      try Git.lines(["-C", path, "clean", "--quiet", "-ffd"]) != nil
    else {
      throw ToolError(.cannotWrite, "git cannot check out \(commit) in \(path)")
    }
  }

  deinit { Self.remove(path, from: repository) }

  /// Removes one that a killed command has left. Others that seem to be gone may be on a disk that is not mounted.
  static func removeLeftover(at path: String) {
    guard unsafe access("\(path)/.git", F_OK) == 0,
      let repository = try? Git.lines(["-C", path, "rev-parse", "--git-common-dir"])?.first
    else { return }
    remove(path, from: repository)
  }

  private static func remove(_ path: String, from repository: String) {
    let words = ["worktree", "remove", "--force", "--force", path]
    _ = try? Git.lines(["--git-dir", repository] + words)
  }
}

/// A program that this process starts, in a process group of its own.
enum ChildProcess {
  /// The time to end after a signal, in steps of 20 ms: two seconds, and five for a command that may wait for its own child.
  static let (patience, nestedPatience) = (100, 250)

  /// Starts the program with that path and those arguments; what it prints goes to the file `output`. Returns its id, or an
  /// errno as a negative number.
  static func start(_ words: [String], output: Int32) -> Int32 {
    let text = words.map { $0 + "\0" }.joined()
    return unsafe clinux_start_program(text, Int32(words.count), output)
  }

  /// Waits for the end of `process`, and returns its status as a shell does; what it has left of its group ends, too. Asks the
  /// group to end as soon as `isUnwanted`, and then waits for all of it: a shell ends before the programs that it has started.
  static func wait(
    for process: Int32, patience: Int = patience, until isUnwanted: () -> Bool
  ) -> Int32 {
    var left = patience
    while left > 0, clinux_ended(process) < 0 || left < patience && isRunning(group: process) {
      if left < patience || isUnwanted() {
        if left == patience { kill(-process, SIGTERM) }
        left -= 1
      }
      usleep(20_000)
    }
    kill(-process, SIGKILL)
    let status = clinux_reap(process)
    return status >= 256 ? status - 128 : status
  }

  /// Whether the group has a process that has not ended. The leader may have ended; it is not reaped, so the number is still its.
  private static func isRunning(group: Int32) -> Bool {
    StagedOutput.names(in: "/proc").contains { (name: String) -> Bool in
      guard let process = Int32(name), let fields = ProcessFile.fields(of: process),
        fields.count > 2
      else { return false }
      return !["Z", "X"].contains(fields[0]) && fields[2] == "\(group)"
    }
  }
}
