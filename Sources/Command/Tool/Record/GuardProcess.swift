internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import FrameBudgetRealTime

/// A process between `record` or `live` and the program that they start. However they end, the guard ends that program and all
/// its descendants.
///
/// Its standard input is a socket, from which it reads words. Each word ends with a zero, and an additional zero ends the list.
enum GuardProcess {
  /// The event that reports the end of the guarded program.
  static let ended = "Guard.ended"

  // MARK: In record

  /// Starts this program with the command `command` as the guard of `name`, and sends it `words`.
  ///
  /// - Returns: the socket to it, and its process id.
  static func start(
    _ command: String, of name: String, _ words: [String]
  ) throws(ToolError) -> (SocketEnd, Int32) {
    guard let (own, other) = SocketEnd.pair() else {
      throw ToolError(.unavailable, "no sockets are available")
    }
    let process = unsafe clinux_start_process(ServiceProcess.program, command, other.descriptor)
    other.close()
    guard process > 0 else {
      own.close()
      throw ToolError(.unavailable, "cannot start \(name): \(SystemError(number: -process))")
    }
    // If the guard is killed, this process inherits, and ends, what it has started.
    clinux_adopt_orphans()
    own.setTimeout(.milliseconds(50))
    _ = own.send(Data(words.map { $0 + "\0" }.joined().utf8) + [0])
    return (own, process)
  }

  /// Waits for the end of a guard whose socket is closed. When it ends, so has all that it started; if it was killed, this
  /// process ends that.
  static func reap(_ guardian: Int32) {
    if clinux_reap(guardian) != 0 { endChildren() }
  }

  // MARK: In the guard

  /// Makes this process a guard. Returns its words, or nil at once if standard input is not a socket from `record`.
  static func begin() -> [String]? {
    guard let words = words() else { return nil }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    clinux_adopt_orphans()
    return words
  }

  /// Reads single bytes, because the bytes after the words are for the browser.
  private static func words() -> [String]? {
    var words: [String] = []
    var word: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(STDIN_FILENO, &byte, 1) == 1 {
      if byte != 0 {
        word.append(byte)
      } else if word.isEmpty {
        return words.isEmpty ? nil : words
      } else {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
    }
    return nil
  }

  /// Ends a child's process group and, because this process adopts orphans, also descendants outside it.
  static func endAll(of child: pid_t) {
    kill(-child, SIGKILL)
    endChildren()
  }

  private static func endChildren() {
    repeat {
      for child in children(of: "self") { kill(child, SIGKILL) }
    } while waitpid(-1, nil, 0) > 0
  }

  /// The children of a process, which is a number or `self`.
  static func children(of process: String) -> [pid_t] {
    let tasks = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.flatMap { thread in
      let text = try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// Reports the end of the guarded program as an event of the browser, whose own last event may be incomplete.
  static func reportEnd(_ parameters: [(name: String, value: JSON)]) {
    let event = JSON.object([("method", .text(ended)), ("params", .object(parameters))])
    // In one line, as the output of a client is read; in a text, JSON has no line break.
    let line = event.written().replacing("\n", with: " ")
    _ = FileWriting.write([0] + Array(line.utf8) + [0], to: STDIN_FILENO)
  }
}
