internal import CFrameBudgetLinux
package import Foundation
package import FrameBudget
internal import Glibc

/// The process of a `process` lane: answers calls until the caller closes.
public struct ServiceProcess {
  /// The argument that makes the program become this process.
  public static let argument = "serve"

  private let socket = SocketEnd(descriptor: STDIN_FILENO)
  private var calls = MessageBuffer.ofLines
  /// Answers that do not fit into the socket. Kept here, so that this process continues to read: otherwise the caller, which is
  /// the main thread, would block.
  private var answers = Data()

  /// Serves standard input; returns false at once if that is not a socket.
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
    // An empty line reports the start.
    answers.append(UInt8(ascii: "\n"))
    var isCalled = true
    while sendAnswers(), isCalled || !answers.isEmpty {
      guard socket.wait(toReceive: isCalled, toSend: !answers.isEmpty) else { continue }
      guard let piece = socket.receive() else { continue }
      isCalled = !piece.isEmpty
      guard calls.add(piece) else { return }
      while let line = calls.take() {
        guard answer(line) else { return }
      }
    }
  }

  /// Answers one call; false if it cannot be decoded or the caller is gone.
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

  /// The program to start: the running one; in tests, the tool beside them.
  package static var program: String {
    let own = "/proc/self/exe"
    let path = URL(fileURLWithPath: own).resolvingSymlinksInPath()
    guard path.pathExtension == "xctest" else { return own }
    return path.deletingLastPathComponent().appending(component: "framebudget").path
  }
}

/// One of two connected sockets.
package struct SocketEnd: Sendable {
  package let descriptor: Int32

  /// A connected pair, closed on exec; nil if the system has no more.
  package static func pair() -> (SocketEnd, SocketEnd)? {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let outcome = unsafe socketpair(AF_UNIX, kind, 0, &ends)
    return outcome == 0 ? (SocketEnd(descriptor: ends[0]), SocketEnd(descriptor: ends[1])) : nil
  }

  /// Connects to a port of this machine: no other address is ever connected to. Returns an errno if nothing listens there.
  package static func connected(
    toPort port: UInt16, within limit: TimeSpan
  ) -> (socket: SocketEnd?, error: Int32) {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = SocketEnd(descriptor: Glibc.socket(AF_INET, kind, 0))
    guard socket.descriptor >= 0 else { return (nil, errno) }
    socket.setTimeout(limit)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let outcome = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(socket.descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let error = errno
    guard outcome == 0 else {
      socket.close()
      return (nil, error)
    }
    return (socket, 0)
  }

  /// Sets the timeout of each send and receive.
  package func setTimeout(_ timeout: TimeSpan) {
    let nanoseconds = Int(timeout.nanoseconds)
    var limit = timeval(
      tv_sec: nanoseconds / 1_000_000_000, tv_usec: nanoseconds % 1_000_000_000 / 1000)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      let size = socklen_t(MemoryLayout<timeval>.size)
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, size)
    }
  }

  /// Sends all bytes; false if the other end is closed or a send times out.
  package func send(_ bytes: Data) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = sendSome(rest, options: 0), count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends what fits without blocking; returns the number of bytes, nil if the other end is closed.
  func sendAvailable(_ bytes: Data) -> Int? {
    sendSome(bytes, options: Int32(MSG_DONTWAIT))
  }

  private func sendSome(_ bytes: Data, options: Int32) -> Int? {
    // Otherwise SIGPIPE would end this process.
    let options = options | Int32(MSG_NOSIGNAL)
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, options)
    }
    if count >= 0 { return count }
    if errno == EINTR { return sendSome(bytes, options: options) }
    return errno == EAGAIN ? 0 : nil
  }

  /// Waits for bytes; empty at the end of the stream, nil after a timeout.
  package func receive() -> Data? {
    var bytes = Data(count: 1 << 16)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return nil }
      return bytes.prefix(max(0, count))
    }
  }

  /// Polls the socket; returns whether bytes, or the end, can be received.
  func wait(toReceive: Bool, toSend: Bool) -> Bool {
    let wanted = (toReceive ? POLLIN : 0) | (toSend ? POLLOUT : 0)
    var request = pollfd(fd: descriptor, events: Int16(wanted), revents: 0)
    while unsafe poll(&request, 1, -1) < 0 && errno == EINTR {}
    return Int32(request.revents) & ~POLLOUT != 0
  }

  /// Closes the sending direction.
  package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes both directions: a receiver gets the arrived bytes, then the end.
  package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  package func close() { Glibc.close(descriptor) }
}

/// Splits arriving bytes into messages.
package struct MessageBuffer {
  /// The byte after each message.
  private let end: UInt8
  private var bytes: [UInt8] = []
  /// The start of the next message, and where to continue the search for its end.
  private var begin = 0
  private var searched = 0

  /// In bytes; messages of the project's own processes, and of browsers, are far shorter.
  package static let limit = 64 << 20

  package static var ofLines: Self { Self(end: UInt8(ascii: "\n")) }

  package init(end: UInt8) { self.end = end }

  /// Adds bytes that have arrived. Returns false, and drops them, if an incomplete message would exceed the limit.
  package mutating func add(_ piece: Data) -> Bool {
    guard bytes.count - begin + piece.count <= Self.limit else { return false }
    bytes += piece
    return true
  }

  /// The next complete message, without its end byte.
  package mutating func take() -> Data? {
    guard let terminator = bytes[searched...].firstIndex(of: end) else {
      bytes.removeFirst(begin)
      (begin, searched) = (0, bytes.count)
      return nil
    }
    defer { (begin, searched) = (terminator + 1, terminator + 1) }
    return Data(bytes[begin..<terminator])
  }
}
