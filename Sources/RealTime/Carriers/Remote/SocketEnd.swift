internal import CLinux
package import Foundation
package import FrameBudget
internal import Glibc

/// One of two connected sockets. Messages are lines.
package struct SocketEnd: Sendable {
  package let descriptor: Int32

  /// Both ends, closed in programs that this process starts; nil if the system has none left.
  package static func pair() -> (SocketEnd, SocketEnd)? {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let outcome = unsafe socketpair(AF_UNIX, kind, 0, &ends)
    return outcome == 0 ? (SocketEnd(descriptor: ends[0]), SocketEnd(descriptor: ends[1])) : nil
  }

  /// From now on this end waits no longer than `patience` for a sign of the other side, each time.
  package func setPatience(_ patience: TimeSpan) {
    let nanoseconds = Int(patience.nanoseconds)
    var limit = timeval(
      tv_sec: nanoseconds / 1_000_000_000, tv_usec: nanoseconds % 1_000_000_000 / 1000)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      let size = socklen_t(MemoryLayout<timeval>.size)
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, size)
    }
  }

  /// Sends all of it; false if there is no other side any more, or if it took nothing for as long as patience lasts.
  package func send(_ bytes: Data) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = sendSome(rest, options: 0), count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends what fits without waiting and returns how much that was; nil if there is no other side any more.
  func sendAvailable(_ bytes: Data) -> Int? {
    sendSome(bytes, options: Int32(MSG_DONTWAIT))
  }

  private func sendSome(_ bytes: Data, options: Int32) -> Int? {
    // Otherwise the signal for a side that is gone would end this process.
    let options = options | Int32(MSG_NOSIGNAL)
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, options)
    }
    if count >= 0 { return count }
    if errno == EINTR { return sendSome(bytes, options: options) }
    return errno == EAGAIN ? 0 : nil
  }

  /// Waits for bytes and returns what is there; empty once the other side sends no more, nil if patience ran out.
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

  /// Waits until what is wanted can be done; says whether something, be it the end, can be received.
  func wait(toReceive: Bool, toSend: Bool) -> Bool {
    let wanted = (toReceive ? POLLIN : 0) | (toSend ? POLLOUT : 0)
    var request = pollfd(fd: descriptor, events: Int16(wanted), revents: 0)
    while unsafe poll(&request, 1, -1) < 0 && errno == EINTR {}
    return Int32(request.revents) & ~POLLOUT != 0
  }

  /// Tells the other side that nothing more will come.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions: who receives here gets what has arrived, and then the end.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  package func close() { Glibc.close(descriptor) }
}

/// Bytes that arrive in pieces, taken out message by message.
package struct MessageBuffer {
  /// Follows each message.
  private let end: UInt8
  private var bytes: [UInt8] = []
  /// Where the next message begins, and from where on its end is not looked for yet.
  private var begin = 0
  private var searched = 0

  package static var ofLines: Self { Self(end: UInt8(ascii: "\n")) }

  package init(end: UInt8) { self.end = end }

  package mutating func add(_ piece: Data) { bytes += piece }

  /// The next message that is whole, without its end.
  package mutating func take() -> Data? {
    guard let place = bytes[searched...].firstIndex(of: end) else {
      bytes.removeFirst(begin)
      (begin, searched) = (0, bytes.count)
      return nil
    }
    defer { (begin, searched) = (place + 1, place + 1) }
    return Data(bytes[begin..<place])
  }
}
