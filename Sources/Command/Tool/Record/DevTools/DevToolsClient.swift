internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import Glibc

/// A connection that carries the messages of DevTools' protocol.
protocol DevToolsChannel {
  /// Sends a message. A failure shows when an answer is awaited.
  func send(_ message: String)
  /// Waits a short time for bytes; returns the next message, nil while there is none.
  mutating func receive() throws(DevToolsEnd) -> [UInt8]?
  func close()
}

/// Why a connection carries no more messages.
enum DevToolsEnd: Error, Equatable {
  case closed
  /// What the browser does wrong, as a predicate of it.
  case broken(String)
}

/// Sends commands to a browser, and receives answers and the events of one page.
class DevToolsClient {
  /// The browser's name, for errors.
  let name: String
  private var channel: any DevToolsChannel
  private var number = 0
  /// The session of the page's commands; null if the connection is the page's own.
  final var session = JSON.null
  /// The newest event of each kind that something waits for.
  private(set) final var events: [String: JSON] = [:]
  /// Why the page cannot be used any more, as a predicate of it.
  final var loss: String?
  /// Whether the browser has left out the beginning of the recording.
  final var lacksBeginning = false
  /// Whether the loss of the page, or a signal, ends a wait.
  final var needsPage = true
  final var isInterruptible = true
  /// Whether another signal than SIGINT still ends a wait.
  final var endsWhenTerminated = false

  /// An answer that takes longer is a failure: of the browser, and of its page, which may compute for a while.
  private static let patience = Duration.seconds(60)
  private static let patienceWithPage = Duration.seconds(10)

  init(_ channel: any DevToolsChannel, to name: String) {
    self.channel = channel
    self.name = name
  }

  deinit { channel.close() }

  // MARK: Commands

  enum Recipient {
    /// The browser; its part for the page, which answers even if the page computes; the page.
    case browser, pageInBrowser, page
  }

  /// The result of a command.
  ///
  /// - Throws: `.unavailable` if the browser refuses, ends, or does not answer.
  @discardableResult
  final func call(
    _ method: String, _ parameters: [(name: String, value: JSON)] = [],
    of recipient: Recipient = .page
  ) throws(ToolError) -> JSON {
    let limit = recipient == .page ? Self.patienceWithPage : Self.patience
    guard let answer = try answer(method, parameters, of: recipient, within: limit) else {
      guard recipient == .page else {
        throw ToolError(.unavailable, "\(name) does not answer \(method)")
      }
      loss = "does not answer"
      throw lost
    }
    if let refusal = answer["error"]["message"].text {
      throw ToolError(.unavailable, "\(name) refuses \(method): \(refusal)")
    }
    return answer["result"]
  }

  /// The answer, which may be a refusal; nil if there is none within the time.
  final func answer(
    _ method: String, _ parameters: [(name: String, value: JSON)], of recipient: Recipient,
    within limit: Duration
  ) throws(ToolError) -> JSON? {
    let number = send(method, parameters, of: recipient)
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if let message = try next(), message["id"].whole == number { return message }
    }
    return nil
  }

  /// Sends a command, for which nothing waits; returns its number. A failure is reported, with its reason, when an answer is
  /// awaited.
  @discardableResult
  final func send(
    _ method: String, _ parameters: [(name: String, value: JSON)] = [],
    of recipient: Recipient = .page
  ) -> Int {
    number += 1
    var message: [(name: String, value: JSON)] = [
      ("id", .number("\(number)")), ("method", .text(method)), ("params", .object(parameters)),
    ]
    if recipient != .browser, !session.isNull { message.append(("sessionId", session)) }
    channel.send(JSON.object(message).written())
    return number
  }

  /// The value of a script in the page, awaited if it is a promise; null if the page is navigating.
  final func evaluate(_ script: String) throws(ToolError) -> JSON {
    guard let value = try evaluate(script, within: Self.patienceWithPage) else {
      loss = "does not answer"
      throw lost
    }
    return value
  }

  /// Nil if there is no answer within the time.
  final func evaluate(_ script: String, within limit: Duration) throws(ToolError) -> JSON? {
    let answer = try answer(
      "Runtime.evaluate", Self.evaluation(of: script), of: .page, within: limit)
    return answer?["result"]["result"]["value"]
  }

  /// The parameters that evaluate a script, in the page's own world or another one.
  static func evaluation(
    of script: String, in world: JSON? = nil
  ) -> [(name: String, value: JSON)] {
    [
      ("expression", .text(script)), ("returnByValue", .flag(true)), ("awaitPromise", .flag(true)),
    ] + (world.map { [("contextId", $0)] } ?? [])
  }

  // MARK: Events

  /// The newest event of that name since the last wait for it, or the next one if none came yet; nil after a timeout.
  final func wait(for event: String, upTo patience: Duration) throws(ToolError) -> JSON? {
    let deadline = ContinuousClock.now + patience
    while events[event] == nil, ContinuousClock.now < deadline { _ = try next() }
    return events.removeValue(forKey: event)
  }

  final func forget(_ event: String) { events[event] = nil }

  /// Receives the browser's messages for about 50 ms, or until the next one.
  final func receiveMessages() throws(ToolError) { _ = try next() }

  /// The next answer or event; nil if none has arrived.
  final func next() throws(ToolError) -> JSON? {
    if let signal = Interruption.signal,
      isInterruptible || endsWhenTerminated && signal != SIGINT
    {
      throw ToolError(.interrupted(by: signal), "interrupted before there was a recording")
    }
    if needsPage, loss != nil { throw lost }
    let bytes: [UInt8]?
    do throws(DevToolsEnd) {
      bytes = try channel.receive()
    } catch {
      switch error {
      case .closed: throw ended
      case .broken(let reason): throw ToolError(.unavailable, "\(name) \(reason)")
      }
    }
    // The last message of a browser that crashed may be incomplete.
    guard let bytes, let message = try? JSON(parsing: bytes) else { return nil }
    // Other pages have sessions, too: a new window, or the first page of the browser, which is closed.
    let sender = message["sessionId"].text
    if let method = message["method"].text, sender == nil || sender == session.text {
      if Self.awaited.contains(method) { events[method] = message["params"] }
      observe(method, message["params"])
    }
    return message
  }

  /// The events that are kept: all others are of no use, and may be large.
  static let awaited: Set = [loaded, complete, GuardProcess.ended]
  static let loaded = "Page.loadEventFired"
  static let crash = "crashed"
  static let closed = "was closed"

  /// Takes note of an event.
  func observe(_ event: String, _ parameters: JSON) {
    switch event {
    case "Inspector.targetCrashed": loss = Self.crash
    case "Inspector.detached": loss = Self.closed
    default: break
    }
  }

  /// The error after the end of the connection.
  var ended: ToolError { ToolError(.unavailable, "\(name) has closed the connection") }

  final var lost: ToolError { ToolError(.unavailable, "the page \(loss ?? "is gone")") }
}

/// DevTools' pipe: messages that end with a zero. One that is too long is left out: a page determines the length of some, as of
/// the address of a download.
struct PipeChannel: DevToolsChannel {
  let socket: SocketEnd
  private var messages = MessageBuffer(end: end)
  private var isInTooLong = false

  private static let end: UInt8 = 0

  init(_ socket: SocketEnd) { self.socket = socket }

  func send(_ message: String) { _ = socket.send(Data(message.utf8) + [Self.end]) }

  mutating func receive() throws(DevToolsEnd) -> [UInt8]? {
    if let message = messages.take() { return Array(message) }
    guard let piece = socket.receive() else { return nil }
    if piece.isEmpty { throw .closed }
    add(piece)
    return nil
  }

  private mutating func add(_ piece: Data) {
    var rest = piece
    if !isInTooLong, !messages.add(piece) {
      messages = MessageBuffer(end: Self.end)
      isInTooLong = true
    } else if !isInTooLong {
      return
    }
    guard let end = rest.firstIndex(of: Self.end) else { return }
    isInTooLong = false
    rest = rest[(end + 1)...]
    _ = messages.add(rest)
  }

  func close() { socket.close() }
}
