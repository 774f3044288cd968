internal import CLinux
internal import FrameBudget
internal import Glibc

/// The process between `record` and a program that records itself: starts it, and ends it however `record` ends.
///
/// Its words are the path of the recording, a file for what the program prints, and the program with its arguments. Once the
/// program has ended, an event with its status, as a shell has it, follows on the socket.
enum ProgramGuard {
  /// What tells `FrameRecorder` in the program which file to write.
  private static let variable = "FRAMEBUDGET_RECORDING"

  /// Who is asked to end has this long for it, in steps of 10 ms.
  private static let patience = 200

  /// False at once if standard input is not what `record` started this with.
  static func run() -> Bool {
    guard let words = GuardProcess.begin(), words.count >= 3 else { return false }
    GuardProcess.sayEnded([("status", .number("\(status(of: words))"))])
    return true
  }

  private static func status(of words: [String]) -> Int32 {
    unsafe setenv(variable, words[0], 1)
    // That is of this process, which starts no guards; the program may.
    unsafe unsetenv("FRAMEBUDGET_SERVICE")
    let output = unsafe open(words[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    let text = words[2...].map { $0 + "\0" }.joined()
    let program = unsafe clinux_start_program(text, Int32(words.count - 2), output)
    // As shells say that a program cannot be run.
    guard program > 0 else { return 126 }
    clinux_wait_for_end(program, STDIN_FILENO)
    // It may complete what it writes.
    if clinux_ended(program) < 0 { kill(-program, SIGTERM) }
    for _ in 0..<patience where clinux_ended(program) < 0 { usleep(10_000) }
    let status = clinux_ended(program)
    GuardProcess.endAll(of: program)
    return status >= 256 ? status - 128 : status
  }
}
