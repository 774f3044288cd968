internal import CFrameBudgetLinux
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

  /// The full name of a commit; nil if there is none.
  static func commit(_ name: String) throws(ToolError) -> String? {
    try lines(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"])?.first
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

/// A folder in which commits of the repository are checked out one after the other, beside the user's own; removed with this
/// value.
struct Worktree: ~Copyable {
  let path: String

  init(of commit: String, at path: String) throws(ToolError) {
    self.path = path
    guard try Git.lines(["worktree", "add", "--quiet", "--force", "--detach", path, commit]) != nil
    else {
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

  deinit { _ = try? Git.lines(["worktree", "remove", "--force", "--force", path]) }
}

/// A program that this process starts, in a process group of its own.
enum ChildProcess {
  /// The time to end after a signal, in steps of 20 ms.
  private static let patience = 100

  /// Starts the program with that path and those arguments; what it prints goes to the file `output`. Returns its id, or an
  /// errno as a negative number.
  static func start(_ words: [String], output: Int32) -> Int32 {
    let text = words.map { $0 + "\0" }.joined()
    return unsafe clinux_start_program(text, Int32(words.count), output)
  }

  /// Waits for the end of `process` and of its group, and returns its status as a shell does. Asks it to end as soon as
  /// `isUnwanted`.
  static func wait(for process: Int32, until isUnwanted: () -> Bool) -> Int32 {
    var left = patience
    while clinux_ended(process) < 0, left > 0 {
      if isUnwanted() {
        if left == patience { kill(-process, SIGTERM) }
        left -= 1
      }
      usleep(20_000)
    }
    kill(-process, SIGKILL)
    let status = clinux_reap(process)
    return status >= 256 ? status - 128 : status
  }
}
