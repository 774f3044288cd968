internal import CFrameBudgetLinux
internal import FrameBudget
internal import Glibc

/// The process between `record` and a program that records itself: starts the program, and ends it however `record` ends.
///
/// Its words are the path of the recording, a file for the output of the program, and the program with its arguments. After the
/// program's end it sends an event with the exit status, as in a shell, and the last line of the output.
enum ProgramGuard {
  /// Gives `FrameRecorder` in the program the path of the file.
  private static let variable = "FRAMEBUDGET_RECORDING"

  /// The time to end after a request, in steps of 10 ms.
  private static let patience = 200

  /// The bytes of the program's output that are kept from its beginning.
  private static let outputLimit = 8 << 20

  /// False at once unless `record` started this process with a socket as standard input.
  static func run() -> Bool {
    guard let words = GuardProcess.begin(), words.count >= 3 else { return false }
    let file = unsafe open(words[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    // The shell's status for a program that cannot be executed.
    var (status, last) = (Int32(126), String?.none)
    if var output = ChildOutput(to: file, fileLimit: outputLimit) {
      status = self.status(of: words, printing: &output)
      output.finish()
      last = output.lastLine()
    }
    GuardProcess.reportEnd([
      ("status", .number("\(status)")), ("output", last.map(JSON.text) ?? .null),
    ])
    return true
  }

  private static func status(of words: [String], printing output: inout ChildOutput) -> Int32 {
    unsafe setenv(variable, words[0], 1)
    // The mark is for this process, which starts no guards; the program may start some.
    unsafe unsetenv("FRAMEBUDGET_SERVICE")
    let text = words[2...].map { $0 + "\0" }.joined()
    let program = unsafe clinux_start_program(text, Int32(words.count - 2), output.end)
    close(output.end)
    guard program > 0 else { return 126 }
    while clinux_wait_for_end(program, STDIN_FILENO, output.input) != 0 { output.read() }
    // Lets the program complete its files.
    if clinux_ended(program) < 0 { kill(-program, SIGTERM) }
    for _ in 0..<patience where clinux_ended(program) < 0 {
      output.read()
      usleep(10_000)
    }
    let status = clinux_ended(program)
    GuardProcess.endAll(of: program)
    return status >= 256 ? status - 128 : status
  }
}
