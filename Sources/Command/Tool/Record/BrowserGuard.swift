internal import CFrameBudgetLinux
internal import FrameBudget
internal import Glibc

/// The process between `record` and its browser: starts it in a temporary profile, and removes both, however `record` ends.
///
/// Its words are the path of the profile, and the browser's program with its arguments. After them the socket belongs to the
/// browser until it ends; then the last line of its diagnostics follows.
enum BrowserGuard {
  /// False at once unless `record` started this process with a socket as standard input.
  static func run() -> Bool {
    guard let words = GuardProcess.begin(), words.count >= 2 else { return false }
    let profile = LockedFolder(path: words[0])
    let failure = profile.create().map { "cannot create \(profile.path): \($0)" }
    let reason = failure ?? result(of: Array(words.dropFirst()), in: profile)
    GuardProcess.reportEnd([("reason", .text(reason))])
    profile.remove()
    return true
  }

  /// The reason why the browser ended.
  private static func result(of words: [String], in profile: LockedFolder) -> String {
    for (name, value) in profile.environment { unsafe setenv(name, value, 1) }
    guard var diagnostics = ChildOutput() else { return "no pipes are available" }
    let words = words + ["--user-data-dir=\(profile.path)"]
    let text = words.map { $0 + "\0" }.joined()
    let browser = unsafe clinux_start_browser(
      text, Int32(words.count), STDIN_FILENO, diagnostics.end)
    close(diagnostics.end)
    guard browser > 0 else { return "cannot start: \(SystemError(number: -browser))" }
    while clinux_wait_for_end(browser, STDIN_FILENO, diagnostics.input) != 0 { diagnostics.read() }
    GuardProcess.endAll(of: browser)
    diagnostics.finish()
    // The crash reporter prints last, but its line is not the relevant one.
    return diagnostics.lastLine { !$0.contains("/crashpad/") } ?? "without a message"
  }
}

extension LockedFolder {
  /// The environment that makes a browser write here what does not belong to its profile.
  fileprivate var environment: [(name: String, value: String)] {
    [("TMPDIR", path), ("XDG_CACHE_HOME", path + "/cache"), ("BREAKPAD_DUMP_LOCATION", path)]
  }
}
