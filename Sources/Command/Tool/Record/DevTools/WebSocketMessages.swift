internal import FrameBudget

/// The messages in the bytes that a WebSocket's server sends, and the frames that a client sends, by RFC 6455.
struct WebSocketMessages {
  enum Part: Equatable {
    case message([UInt8])
    /// The content of the answer that the server wants.
    case ping([UInt8])
    /// The server closes the connection.
    case end
  }

  /// What is wrong with the bytes.
  struct Violation: Error, Equatable {
    let reason: String
  }

  /// In bytes, for a message with all its fragments.
  let limit: Int
  private var bytes: [UInt8] = []
  /// The start of the next frame.
  private var begin = 0
  /// The fragments of a message whose last one has not come.
  private var fragments: [UInt8]?

  init(limit: Int) { self.limit = limit }

  mutating func add(_ piece: some Sequence<UInt8>) { bytes += piece }

  /// The next complete part; nil while it is incomplete.
  mutating func next() throws(Violation) -> Part? {
    while let frame = try header(), bytes.count - frame.content >= frame.length {
      let end = frame.content + frame.length
      let content = Array(bytes[frame.content..<end])
      consume(to: end)
      if let part = try part(of: frame, content) { return part }
    }
    return nil
  }

  private struct Header {
    let isLast: Bool
    let code: UInt8
    /// Where the content begins.
    let content: Int
    let length: Int

    var isControl: Bool { code >= 8 }
  }

  private enum Code {
    static let continuation: UInt8 = 0
    static let text: UInt8 = 1
    static let binary: UInt8 = 2
    static let close: UInt8 = 8
    static let ping: UInt8 = 9
    static let pong: UInt8 = 10
  }

  /// The header of the next frame; nil while it is incomplete.
  private func header() throws(Violation) -> Header? {
    guard bytes.count - begin >= 2 else { return nil }
    let (first, second) = (bytes[begin], bytes[begin + 1])
    guard first & 0x70 == 0 else { throw Violation(reason: "a frame has reserved bits") }
    guard second & 0x80 == 0 else { throw Violation(reason: "a frame of a server is masked") }
    let short = Int(second)
    let digits = short == 126 ? 2 : short == 127 ? 8 : 0
    let content = begin + 2 + digits
    guard bytes.count >= content else { return nil }
    let long = bytes[begin + 2..<content].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let length = digits == 0 ? UInt64(short) : long
    let code = first & 0x0f
    guard length <= UInt64(code < 8 ? limit - (fragments?.count ?? 0) : 125) else {
      throw Violation(reason: "a message is longer than \(code < 8 ? limit : 125) bytes")
    }
    return Header(isLast: first & 0x80 != 0, code: code, content: content, length: Int(length))
  }

  /// The part that a frame completes, if it does.
  private mutating func part(
    of frame: Header, _ content: [UInt8]
  ) throws(Violation) -> Part? {
    guard !frame.isControl || frame.isLast else {
      throw Violation(reason: "a control frame is fragmented")
    }
    switch frame.code {
    case Code.close: return .end
    case Code.ping: return .ping(content)
    case Code.pong: return nil
    case Code.text, Code.binary:
      guard fragments == nil else { throw Violation(reason: "a message begins in another one") }
    case Code.continuation:
      guard fragments != nil else { throw Violation(reason: "a fragment has no beginning") }
    default: throw Violation(reason: "frame code \(frame.code) is unknown")
    }
    // Added in place: a server may send any number of fragments.
    if fragments == nil { fragments = content } else { fragments?.append(contentsOf: content) }
    return frame.isLast ? fragments.take().map(Part.message) : nil
  }

  private mutating func consume(to end: Int) {
    begin = end
    // Not after each frame: removing moves all later bytes.
    guard begin == bytes.count || begin > 1 << 20 else { return }
    bytes.removeFirst(begin)
    begin = 0
  }

  // MARK: The client's frames

  static func text(_ content: some Collection<UInt8>, mask: UInt32) -> [UInt8] {
    frame(Code.text, content, mask)
  }

  static func pong(_ content: some Collection<UInt8>, mask: UInt32) -> [UInt8] {
    frame(Code.pong, content, mask)
  }

  static func close(mask: UInt32) -> [UInt8] { frame(Code.close, [], mask) }

  private static func frame(
    _ code: UInt8, _ content: some Collection<UInt8>, _ mask: UInt32
  ) -> [UInt8] {
    let count = content.count
    var frame: [UInt8] = [0x80 | code]
    switch count {
    case ..<126: frame.append(0x80 | UInt8(count))
    case ..<0x1_0000: frame += [0x80 | 126] + bigEndian(UInt64(count), 2)
    default: frame += [0x80 | 127] + bigEndian(UInt64(count), 8)
    }
    let key = bigEndian(UInt64(mask), 4)
    frame += key
    frame += content.enumerated().map { $1 ^ key[$0 % 4] }
    return frame
  }

  private static func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}

/// The answer of a server of HTTP/1.1.
struct HTTPAnswer {
  let status: Int
  private let fields: [(name: String, value: String)]
  /// The bytes after the head.
  let body: [UInt8]

  /// In bytes.
  static let longestHead = 64 << 10

  /// Nil while the head is incomplete.
  init?(_ bytes: [UInt8]) throws(WebSocketMessages.Violation) {
    let empty = Array("\r\n\r\n".utf8)
    guard let end = bytes.prefix(Self.longestHead).firstRange(of: empty) else {
      guard Self.mayBegin(bytes), bytes.count < Self.longestHead else {
        throw WebSocketMessages.Violation(reason: "the answer is not of HTTP")
      }
      return nil
    }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix(Self.protocolName),
      let status = words[1].wholeMatch(of: #/[1-5][0-9]{2}/#)
    else { throw WebSocketMessages.Violation(reason: "the answer is not of HTTP") }
    self.status = status.output.utf8.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    fields = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].trimmed))
    }
    body = Array(bytes[end.upperBound...])
  }

  private static let protocolName = "HTTP/1."

  private static func mayBegin(_ bytes: [UInt8]) -> Bool {
    zip(bytes, protocolName.utf8).allSatisfy { $0 == $1 }
  }

  /// The value of a field, by its name in small letters.
  subscript(_ field: String) -> String? { fields.first { $0.name == field }?.value }
}
