internal import CLinux
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import RealTime

/// A process between `record` and what it starts, which ends that, and all that descends from it, however `record` ends.
///
/// Its standard input is a socket. It reads words from it, each followed by a zero, and one zero more.
enum GuardProcess {
  /// The event by which a guard says that what it guarded has ended.
  static let ended = "Guard.ended"

  // MARK: In record

  /// Starts this program as the guard of `name` by the command `command`, and tells it `words`.
  ///
  /// - Returns: the way to it, and its process id.
  static func start(
    _ command: String, of name: String, _ words: [String]
  ) throws(ToolError) -> (SocketEnd, Int32) {
    guard let (own, other) = SocketEnd.pair() else {
      throw ToolError(.unavailable, "there are no sockets left")
    }
    let process = unsafe clinux_start_process(ServiceProcess.program, command, other.descriptor)
    other.close()
    guard process > 0 else {
      own.close()
      throw ToolError(.unavailable, "cannot start \(name): \(SystemError(number: -process))")
    }
    own.setPatience(.milliseconds(50))
    _ = own.send(Data(words.map { $0 + "\0" }.joined().utf8) + [0])
    return (own, process)
  }

  // MARK: In the guard

  /// Makes this process a guard; its words, or nil at once if standard input is not what `record` started this with.
  static func begin() -> [String]? {
    guard let words = words() else { return nil }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    clinux_adopt_orphans()
    return words
  }

  /// Byte by byte: what follows is for the browser.
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

  /// Ends a child's group and, because this process adopts orphans, whatever left the group.
  static func endAll(of child: pid_t) {
    kill(-child, SIGKILL)
    let own = getpid()
    repeat {
      let path = "/proc/\(own)/task/\(own)/children"
      let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      for orphan in children.split(separator: " ").compactMap({ pid_t($0) }) {
        kill(orphan, SIGKILL)
      }
    } while waitpid(-1, nil, 0) > 0
  }

  /// Says that what it guarded has ended, as an event of the browser, whose last one may lack its end.
  static func sayEnded(_ parameters: [(name: String, value: JSON)]) {
    let event = JSON.object([("method", .text(ended)), ("params", .object(parameters))])
    _ = FileWriting.write([0] + Array(event.written().utf8) + [0], to: STDIN_FILENO)
  }
}
