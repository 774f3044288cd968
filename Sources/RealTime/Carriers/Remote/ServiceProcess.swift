internal import CLinux
internal import Foundation
internal import Glibc

/// The process on the other side of a `process` lane: decodes every call and answers it, until nobody calls any more.
public struct ServiceProcess {
  /// How the program is asked, by its one argument, to become this.
  public static let argument = "serve"

  private let socket = SocketEnd(descriptor: STDIN_FILENO)
  private var calls = MessageBuffer.ofLines
  /// Answers that do not fit into the socket. They are kept here, because a side that reads only once it was read
  /// would let its caller wait, which is the main thread.
  private var answers = Data()

  /// Serves standard input; false at once if that is not the socket of a lane.
  public static func serve() -> Bool {
    var kind: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 else {
      return false
    }
    clinux_die_with_parent()
    var process = ServiceProcess()
    process.run()
    return true
  }

  private init() {}

  private mutating func run() {
    // An empty line says that the program has started.
    answers.append(UInt8(ascii: "\n"))
    var isCalled = true
    while sendAnswers(), isCalled || !answers.isEmpty {
      guard socket.wait(toReceive: isCalled, toSend: !answers.isEmpty) else { continue }
      guard let piece = socket.receive() else { continue }
      isCalled = !piece.isEmpty
      calls.add(piece)
      while let line = calls.take() {
        guard answer(line) else { return }
      }
    }
  }

  /// Answers one call; false if it is none, or if nobody waits for the answer.
  private mutating func answer(_ line: Data) -> Bool {
    guard let call = RemoteCoding.decoded(line, as: RemoteCall.self) else { return false }
    answers.append(RemoteCoding.encoded(RemoteAnswer(to: call)))
    answers.append(UInt8(ascii: "\n"))
    return sendAnswers()
  }

  private mutating func sendAnswers() -> Bool {
    guard !answers.isEmpty else { return true }
    guard let count = socket.sendAvailable(answers) else { return false }
    answers.removeFirst(count)
    return true
  }

  // MARK: The program

  /// The program that becomes this if it is given the argument: the running one; for tests, the tool beside them.
  package static var program: String {
    let own = "/proc/self/exe"
    let path = URL(fileURLWithPath: own).resolvingSymlinksInPath()
    guard path.pathExtension == "xctest" else { return own }
    return path.deletingLastPathComponent().appending(component: "framebudget").path
  }
}
