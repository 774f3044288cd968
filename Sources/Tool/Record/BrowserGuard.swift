internal import CLinux
internal import Foundation
internal import FrameBudget
internal import Glibc

/// The process between `record` and its browser: starts it in a temporary profile, and removes both, however `record` ends.
///
/// After the browser's program and arguments, the socket belongs to the browser until it ends; then the last line of its
/// diagnostics follows.
enum BrowserGuard {
  /// False at once unless `record` started this process with a socket as standard input.
  static func run() -> Bool {
    guard let words = GuardProcess.begin() else { return false }
    let profile = newProfile
    GuardProcess.reportEnd([("reason", .text(result(of: words, in: profile)))])
    try? FileManager.default.removeItem(atPath: profile)
    return true
  }

  /// The browser creates a socket in its profile. The path of a socket has at most 107 bytes, 45 of which the browser adds.
  private static var newProfile: String {
    let name = "framebudget-\(UUID().uuidString.prefix(8))"
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(component: name).path(percentEncoded: false)
    return path.utf8.count <= 62 ? path : "/tmp/\(name)"
  }

  /// The reason why the browser ended.
  private static func result(of words: [String], in path: String) -> String {
    guard unsafe mkdir(path, 0o700) == 0 else {
      return "cannot create \(path): \(SystemError.last)"
    }
    // Otherwise it leaves sockets and shared memory among the temporary files.
    unsafe setenv("TMPDIR", path, 1)
    let diagnostics = path + "/diagnostics"
    let file = unsafe open(diagnostics, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let words = words + ["--user-data-dir=\(path)"]
    let text = words.map { $0 + "\0" }.joined()
    let browser = unsafe clinux_start_browser(text, Int32(words.count), STDIN_FILENO, file)
    guard browser > 0 else { return "cannot start: \(SystemError(number: -browser))" }
    clinux_wait_for_end(browser, STDIN_FILENO)
    GuardProcess.endAll(of: browser)
    let said = (try? String(contentsOfFile: diagnostics, encoding: .utf8)) ?? ""
    // The crash reporter prints last, but its line is not the relevant one.
    let lines = said.split(separator: "\n").filter { !$0.contains("/crashpad/") }
    return lines.last.map(String.init) ?? "without a message"
  }
}
