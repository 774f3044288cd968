internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime

/// A port of this machine on which a browser answers DevTools.
struct DebuggingPort {
  let number: UInt16
  /// The browser's name and version.
  private(set) var browser = ""

  /// The time for an answer.
  private static let patience = Duration.seconds(5)
  /// In bytes, for an answer.
  private static let longest = 4 << 20

  /// - Throws: `.unavailable` if no browser answers.
  init(_ number: UInt16) throws(ToolError) {
    self.number = number
    let version = try document("/json/version")
    guard let name = version["Browser"].text, !version["webSocketDebuggerUrl"].isNull else {
      throw refusal("its answer names no browser")
    }
    browser = String(name.prefix(100))
  }

  /// The pages, the one that was used last first.
  func pages() throws(ToolError) -> [DebuggedPage] {
    try document("/json/list").elements.compactMap(DebuggedPage.init)
  }

  /// The page with this identifier, or with this text in its address or title; nil means the one that was used last. Several may
  /// have the text; then it is the one of them that was used last.
  func page(_ wanted: String?) throws(ToolError) -> (page: DebuggedPage, matches: Int) {
    let pages = try pages()
    guard let first = pages.first else {
      throw ToolError(.unavailable, "\(browser) on port \(number) has no page; open one")
    }
    guard let wanted else { return (first, 1) }
    if let page = pages.first(where: { $0.id == wanted }) { return (page, 1) }
    let found = pages.filter { $0.has(wanted) }
    if let page = found.first { return (page, found.count) }
    let addresses = pages.prefix(5).map(\.address).joined(separator: ", ")
    throw ToolError(
      .noInput,
      "no page of \(browser) on port \(number) has '\(wanted)' in its address or title; it has \(addresses)"
        + (pages.count > 5 ? ", …" : ""))
  }

  private func document(_ path: String) throws(ToolError) -> JSON {
    let (socket, answer) = try answer(to: path, ["Connection: close"])
    defer { socket.close() }
    guard answer.status == 200 else { throw refusal("its status is \(answer.status)") }
    var body = answer.body
    let length = answer["content-length"].flatMap { InputNumber.whole($0, in: 0...Self.longest) }
    let deadline = ContinuousClock.now + Self.patience
    while body.count < length ?? .max {
      guard body.count <= Self.longest, ContinuousClock.now < deadline else {
        throw refusal("its answer does not end")
      }
      guard let piece = socket.receive() else { continue }
      if piece.isEmpty { break }
      body += piece
    }
    do throws(InputError) {
      return try JSON(parsing: length.map { Array(body.prefix($0)) } ?? body)
    } catch {
      throw refusal("its answer is no JSON")
    }
  }

  /// Connects, and sends a request with these lines. The socket can have more bytes than the answer.
  func answer(
    to path: String, _ fields: [String]
  ) throws(ToolError) -> (SocketEnd, HTTPAnswer) {
    let (connected, error) = SocketEnd.connected(toPort: number, within: .milliseconds(200))
    guard let socket = connected else {
      throw ToolError(
        .unavailable,
        "no browser listens on port \(number): \(SystemError(number: error)); start it with "
          + "--remote-debugging-port=\(number) --user-data-dir=DIR")
    }
    do throws(ToolError) {
      let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(number)"] + fields + ["", ""]
      _ = socket.send(Data(lines.joined(separator: "\r\n").utf8))
      return (socket, try head(from: socket))
    } catch {
      socket.close()
      throw error
    }
  }

  private func head(from socket: SocketEnd) throws(ToolError) -> HTTPAnswer {
    var bytes: [UInt8] = []
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      guard let piece = socket.receive() else { continue }
      if piece.isEmpty { throw refusal("it closes the connection") }
      bytes += piece
      do throws(WebSocketMessages.Violation) {
        if let answer = try HTTPAnswer(bytes) { return answer }
      } catch {
        throw refusal(error.reason)
      }
    }
    throw refusal("it does not answer within \(Self.patience)")
  }

  /// The error on a port that is not DevTools'.
  func refusal(_ reason: String) -> ToolError {
    ToolError(
      .unavailable,
      "port \(number) is not that of a browser's DevTools: \(reason); start the browser with "
        + "--remote-debugging-port=PORT --user-data-dir=DIR, and name that port")
  }
}
