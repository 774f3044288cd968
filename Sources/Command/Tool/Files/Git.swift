internal import CFrameBudgetLinux
internal import Glibc
internal import FrameBudgetParsing

/// The repository around the current folder, if Git is installed.
enum Git {
  /// The full name of the commit that is checked out.
  static func head() throws(ToolError) -> String {
    let name = try output(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    guard let name, !name.isEmpty else {
      throw ToolError(
        .noInput, "this folder is in no Git repository with a commit; --commit takes any name")
    }
    return name
  }

  /// The first line that git prints; nil if it fails.
  private static func output(_ words: [String]) throws(ToolError) -> String? {
    let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
    guard let program = ProgramPath.find("git", in: folders) else {
      throw ToolError(.unavailable, "git is not installed; --commit takes any name instead of HEAD")
    }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw failure(.last) }
    defer { close(ends[0]) }
    let text = ([program] + words).map { $0 + "\0" }.joined()
    let process = unsafe clinux_start_program(text, Int32(words.count + 1), ends[1])
    close(ends[1])
    guard process > 0 else { throw failure(SystemError(number: -process)) }
    let printed = try? InputBytes.read(from: ends[0])
    let status = clinux_reap(process)
    guard status == 0, let printed else { return nil }
    return String(decoding: printed.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private static func failure(_ error: SystemError) -> ToolError {
    ToolError(.unavailable, "cannot start git: \(error)")
  }
}
