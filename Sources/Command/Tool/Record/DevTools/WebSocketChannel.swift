internal import Foundation
internal import FrameBudget
internal import FrameBudgetRealTime

/// A WebSocket to a port of this machine.
struct WebSocketChannel: DevToolsChannel {
  private let socket: SocketEnd
  private var messages = WebSocketMessages(limit: MessageBuffer.limit)

  /// Opens the WebSocket at `path`.
  init(_ port: DebuggingPort, path: String) throws(ToolError) {
    let key = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    let (socket, answer) = try port.answer(
      to: path,
      [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: \(key)",
      ])
    // The answer to the key tells caches between both ends apart; there are none within a machine.
    guard answer.status == 101, answer["upgrade"]?.lowercased() == "websocket" else {
      socket.close()
      throw port.refusal("it refuses a connection to \(path) with status \(answer.status)")
    }
    self.socket = socket
    messages.add(answer.body)
    wait(for: .milliseconds(50))
  }

  /// How long `receive` waits for bytes.
  func wait(for limit: TimeSpan) { socket.setTimeout(limit) }

  func send(_ message: String) {
    _ = socket.send(Data(WebSocketMessages.text(message.utf8, mask: .random(in: .min ... .max))))
  }

  mutating func receive() throws(DevToolsEnd) -> [UInt8]? {
    if let message = try takeMessage() { return message }
    guard let piece = socket.receive() else { return nil }
    if piece.isEmpty { throw .closed }
    messages.add(piece)
    return try takeMessage()
  }

  private mutating func takeMessage() throws(DevToolsEnd) -> [UInt8]? {
    while let part = try takePart() {
      switch part {
      case .message(let message): return message
      case .ping(let content):
        _ = socket.send(Data(WebSocketMessages.pong(content, mask: .random(in: .min ... .max))))
      case .end: throw .closed
      }
    }
    return nil
  }

  private mutating func takePart() throws(DevToolsEnd) -> WebSocketMessages.Part? {
    do throws(WebSocketMessages.Violation) {
      return try messages.next()
    } catch {
      throw .broken("breaks the rules of WebSockets: \(error.reason)")
    }
  }

  func close() {
    _ = socket.send(Data(WebSocketMessages.close(mask: .random(in: .min ... .max))))
    socket.close()
  }
}
