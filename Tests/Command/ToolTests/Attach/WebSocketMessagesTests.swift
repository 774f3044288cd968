import Foundation
import Glibc
import TestSupport
import Testing

@testable import FrameBudgetCLI

@Suite struct `Messages of a WebSocket` {
  /// A frame of a server, which is not masked.
  private static func frame(_ code: UInt8, _ content: [UInt8], isLast: Bool = true) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      switch count {
      case ..<126: [UInt8(count)]
      case ..<0x1_0000: [126, UInt8(count >> 8), UInt8(count & 0xff)]
      default: [127] + (0..<8).reversed().map { UInt8(count >> (8 * $0) & 0xff) }
      }
    return [(isLast ? 0x80 : 0) | code] + length + content
  }

  private static func parts(
    _ bytes: [UInt8], in pieces: Int = 1, limit: Int = 1 << 20
  ) throws -> [WebSocketMessages.Part] {
    var messages = WebSocketMessages(limit: limit)
    var parts: [WebSocketMessages.Part] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      messages.add(bytes[start..<min(start + pieces, bytes.count)])
      while let part = try messages.next() { parts.append(part) }
    }
    return parts
  }

  private static let sizes = [0, 1, 125, 126, 127, 65535, 65536, 70000]

  @Test(arguments: sizes) func `are whole however they arrive`(size: Int) throws {
    let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let bytes = Self.frame(1, content) + Self.frame(2, [1, 2])
    for pieces in [1, 7, 4096, bytes.count] {
      #expect(try Self.parts(bytes, in: pieces) == [.message(content), .message([1, 2])])
    }
  }

  @Test func `are put together from fragments, between which a server may ping`() throws {
    let bytes =
      Self.frame(1, [1], isLast: false) + Self.frame(9, [7, 8]) + Self.frame(0, [2], isLast: false)
      + Self.frame(10, []) + Self.frame(0, [3]) + Self.frame(8, [3, 232])
    for pieces in 1...bytes.count {
      #expect(try Self.parts(bytes, in: pieces) == [.ping([7, 8]), .message([1, 2, 3]), .end])
    }
  }

  @Test func `in many fragments take no time for those before them`() throws {
    let times = try [1, 8 << 20].map { (size: Int) -> Double in
      var messages = WebSocketMessages(limit: 16 << 20)
      messages.add(Self.frame(1, Array(repeating: 7, count: size), isLast: false))
      #expect(try messages.next() == nil)
      let before = Self.processorTime
      for _ in 0..<500 {
        messages.add([0, 0])
        guard try messages.next() == nil else { return .infinity }
      }
      let time = Self.processorTime - before
      messages.add([0x80, 0])
      #expect(try messages.next() == .message(Array(repeating: 7, count: size)))
      return time
    }
    #expect(times[1] < 20 * times[0], "\(times)")
  }

  /// Of this thread, which no other test adds to, in seconds.
  private static var processorTime: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test(
    arguments: [
      ([0xc1, 0], "reserved"), ([0x81, 0x80, 0, 0, 0, 0], "masked"), ([0x80, 0], "beginning"),
      ([0x01, 0, 0x81, 0], "in another"), ([0x83, 0], "code 3"), ([0x09, 0], "fragmented"),
      ([0x89, 126, 0, 126], "125"), ([0x81, 127, 0, 0, 0, 0, 0, 0x10, 0, 1], "longer"),
      ([0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], "longer"),
      ([0x01, 1, 0, 0x80, 127, 0, 0, 0, 0, 0, 0x10, 0, 0], "longer"),
    ] as [([UInt8], String)])
  func `that break the rules are refused before memory is used for them`(
    bytes: [UInt8], reason: String
  ) {
    let violation = #expect(throws: WebSocketMessages.Violation.self) { try Self.parts(bytes) }
    #expect(violation?.reason.contains(reason) == true, "\(violation?.reason ?? "")")
  }

  @Test func `of random bytes end in a part, a wait or an error`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0..<64, using: &generator)).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      _ = try? Self.parts(bytes, in: 3, limit: 1000)
    }
  }

  @Test func `of the seeds of fuzzing are read`() throws {
    let bytes = Array(try Data(contentsOf: Self.seeds.appending(path: "websockets/frames.bin")))
    let parts = try Self.parts(bytes)
    #expect(parts.count == 5 && parts[1] == .ping([1, 2]) && parts.last == .end)
    let answer = Array(try Data(contentsOf: Self.seeds.appending(path: "websockets/answer.txt")))
    #expect(try HTTPAnswer(answer)?.status == 101)
    let report = Array(try Data(contentsOf: Self.seeds.appending(path: "page-reports/report.json")))
    #expect(WindowReport(parsing: report)?.longFrames.count == 1)
  }

  private static let seeds = Project.folder.appending(path: "Tests/Fuzz/Seeds")

  /// The bytes of the examples in RFC 6455, section 5.7.
  @Test func `are sent with a mask`() throws {
    let hello = Array("Hello".utf8)
    #expect(
      WebSocketMessages.text(hello, mask: 0x37fa_213d)
        == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
    #expect(
      WebSocketMessages.pong(hello, mask: 0x37fa_213d).prefix(2) == [0x8a, 0x85])
    #expect(WebSocketMessages.close(mask: 0).prefix(2) == [0x88, 0x80])
    for size in Self.sizes {
      let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
      var frame = WebSocketMessages.text(content, mask: 0)
      // Without the mask it is a server's frame.
      frame[1] &= 0x7f
      let head = frame.count - size - 4
      frame.removeSubrange(head..<head + 4)
      #expect(try Self.parts(frame, in: 4096) == [.message(content)])
    }
  }
}

@Suite struct `An answer of HTTP` {
  @Test func `is complete with its head`() throws {
    let text = "HTTP/1.1 101 Switching\r\nUpgrade: WebSocket\r\nEmpty:\r\nBad\r\n\r\nrest"
    let bytes = Array(text.utf8)
    for count in 0..<(bytes.count - 4) {
      #expect(try HTTPAnswer(Array(bytes[..<count])) == nil, "\(count) bytes")
    }
    let answer = try #require(try HTTPAnswer(bytes))
    #expect(answer.status == 101 && answer["upgrade"] == "WebSocket" && answer["empty"] == "")
    #expect(answer["bad"] == nil && answer.body == Array("rest".utf8))
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH\r\n", "\u{0}", "HTTP/2 200\r\n\r\n", "HTTP/1.1\r\n\r\n", "\r\n\r\n",
    "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 0200 OK\r\n\r\n", "HTTP/1.1 99999999999999999999 OK\r\n\r\n",
    "HTTP/1.1 200 " + String(repeating: "x", count: 100_000),
  ])
  func `of another kind is refused`(text: String) {
    #expect(throws: WebSocketMessages.Violation.self) { try HTTPAnswer(Array(text.utf8)) }
  }
}
