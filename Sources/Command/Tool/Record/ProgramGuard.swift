internal import CFrameBudgetLinux
internal import FrameBudget
internal import Glibc

/// The process between `record` or `live` and a program that they start: starts the program, and ends it however they end.
///
/// Its words are a file for the output of the program, or `-` for the socket, settings of the environment as `NAME=VALUE`,
/// `--`, and the program with its arguments. After the program's end it sends an event with the exit status, as in a shell, the
/// number of processes that the program has left, which end now, and the last line of the output.
enum ProgramGuard {
  /// The word before the program.
  static let end = "--"

  /// The word for output that goes to the socket.
  static let socket = "-"

  /// The time to end after a request, in steps of 10 ms.
  private static let patience = 200

  /// The bytes of the program's output that are kept from its beginning.
  private static let outputLimit = 8 << 20

  /// False at once unless `record` or `live` started this process with a socket as standard input.
  static func run() -> Bool {
    guard let words = GuardProcess.begin(), let end = words.firstIndex(of: end), end > 0,
      end + 1 < words.count
    else { return false }
    // The shell's status for a program that cannot be executed.
    var (status, left, last) = (Int32(126), 0, String?.none)
    if var output = self.output(to: words[0]) {
      (status, left) = perform(
        of: words[(end + 1)...], settings: words[1..<end], printing: &output)
      output.finish()
      last = output.lastLine()
    }
    GuardProcess.reportEnd([
      ("status", .number("\(status)")), ("left", .number("\(left)")),
      ("output", last.map(JSON.text) ?? .null),
    ])
    return true
  }

  private static func output(to word: String) -> ChildOutput? {
    guard word != socket else { return ChildOutput(passedTo: STDIN_FILENO) }
    let file = unsafe open(word, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    return ChildOutput(to: file, fileLimit: outputLimit)
  }

  /// Runs the program to its end.
  private static func perform(
    of words: ArraySlice<String>, settings: ArraySlice<String>, printing output: inout ChildOutput
  ) -> (status: Int32, left: Int) {
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      unsafe setenv(String(parts[0]), String(parts.last ?? ""), 1)
    }
    // The mark is for this process, which starts no guards; the program may start some.
    unsafe unsetenv("FRAMEBUDGET_SERVICE")
    let text = words.map { $0 + "\0" }.joined()
    let program = unsafe clinux_start_program(text, Int32(words.count), output.end)
    close(output.end)
    guard program > 0 else { return (126, 0) }
    while clinux_wait_for_end(program, STDIN_FILENO, output.input) != 0 { output.read() }
    // Lets the program complete its files.
    if clinux_ended(program) < 0 { kill(-program, SIGTERM) }
    for _ in 0..<patience where clinux_ended(program) < 0 {
      output.read()
      usleep(10_000)
    }
    let status = clinux_ended(program)
    let left = GuardProcess.children(of: "self").count { $0 != program }
    GuardProcess.endAll(of: program)
    return (status >= 256 ? status - 128 : status, left)
  }
}
