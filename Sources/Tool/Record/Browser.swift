internal import CLinux
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import Parsing
internal import RealTime

/// A browser with one page, which ends with this value: sends commands and receives answers over DevTools' pipe.
final class Browser {
  private let program: BrowserProgram
  private let socket: SocketEnd
  /// The process id of `BrowserGuard`.
  private let guardian: Int32
  private var messages = MessageBuffer(end: 0)
  private var number = 0
  /// The session of the page; before it exists, commands are for the browser.
  private var session: String?
  /// The newest event of each kind.
  private var events: [String: JSON] = [:]
  /// Whether a signal ends a wait. Otherwise it is handled later.
  var isInterruptible = true

  /// An answer that takes longer is a failure.
  private static let patience = Duration.seconds(60)

  /// - Throws: `.unavailable` if it does not start, `.interrupted` after a signal.
  init(_ program: BrowserProgram, arguments: [String]) throws(ToolError) {
    self.program = program
    (socket, guardian) = try GuardProcess.start(
      GuardBrowserCommand.name, of: program.name,
      [program.path, "--remote-debugging-pipe"] + arguments)
    try openPage()
  }

  deinit {
    socket.close()
    // When the guard ends, the browser and its profile are gone.
    _ = clinux_reap(guardian)
  }

  private func openPage() throws(ToolError) {
    let others = try call("Target.getTargets")["targetInfos"].elements
    let target = try call("Target.createTarget", [("url", .text("about:blank"))])["targetId"]
    for other in others where other["type"].text == "page" {
      try call("Target.closeTarget", [("targetId", other["targetId"])])
    }
    let attached = try call(
      "Target.attachToTarget", [("targetId", target), ("flatten", .flag(true))])
    session = attached["sessionId"].text
    for domain in ["Page", "Inspector"] { try call("\(domain).enable") }
  }

  // MARK: Commands

  /// The result of a command to the page, or to the browser.
  ///
  /// - Throws: `.unavailable` if the browser refuses, ends, or does not answer.
  @discardableResult
  func call(
    _ method: String, _ parameters: [(name: String, value: JSON)] = [], ofBrowser: Bool = false
  ) throws(ToolError) -> JSON {
    number += 1
    var message: [(name: String, value: JSON)] = [
      ("id", .number("\(number)")), ("method", .text(method)), ("params", .object(parameters)),
    ]
    if let session, !ofBrowser { message.append(("sessionId", .text(session))) }
    // A failure is reported, with its reason, when the answer is awaited.
    _ = socket.send(Data(JSON.object(message).written().utf8) + [0])
    let deadline = ContinuousClock.now + Self.patience
    while true {
      guard let answer = try next() else {
        if ContinuousClock.now < deadline { continue }
        throw ToolError(.unavailable, "\(program.name) does not answer \(method)")
      }
      guard answer["id"].whole == number else { continue }
      if let refusal = answer["error"]["message"].text {
        throw ToolError(.unavailable, "\(program.name) refuses \(method): \(refusal)")
      }
      return answer["result"]
    }
  }

  /// The value of a script in the page, awaited if it is a promise.
  func evaluate(_ script: String) throws(ToolError) -> JSON {
    try call(
      "Runtime.evaluate",
      [
        ("expression", .text(script)), ("returnByValue", .flag(true)),
        ("awaitPromise", .flag(true)),
      ]
    )["result"]["value"]
  }

  // MARK: The page

  /// The time limit for loading a page; then the recording starts anyway.
  private static let loading = Duration.seconds(30)

  /// Opens a page, with `name` for errors; returns false if it is still loading after the time limit.
  ///
  /// - Throws: `.noInput` if it cannot be reached.
  func open(_ url: String, called name: String) throws(ToolError) -> Bool {
    events["Page.loadEventFired"] = nil
    let opened = try call("Page.navigate", [("url", .text(url))])
    if let error = opened["errorText"].text, !error.isEmpty {
      throw ToolError(.noInput, "cannot open \(name): \(error.replacing("net::", with: ""))")
    }
    let isLoaded = try wait(for: "Page.loadEventFired", upTo: Self.loading) != nil
    let status = try evaluate("performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0")
    if let status = status.whole, status >= 400 {
      throw ToolError(.noInput, "cannot open \(name): the server answers \(status)")
    }
    return isLoaded
  }

  /// Gives the page a size in pixels.
  func resize(width: Int, height: Int) throws(ToolError) {
    try call(
      "Emulation.setDeviceMetricsOverride",
      [
        ("width", .number("\(width)")), ("height", .number("\(height)")),
        ("deviceScaleFactor", .number("1")), ("mobile", .flag(false)),
      ])
  }

  // MARK: Events

  /// The newest event of that name since the last wait for it, or the next one if none came yet; nil after a timeout.
  func wait(for event: String, upTo patience: Duration) throws(ToolError) -> JSON? {
    let deadline = ContinuousClock.now + patience
    while events[event] == nil, ContinuousClock.now < deadline { _ = try next() }
    return events.removeValue(forKey: event)
  }

  /// Receives the browser's messages for about 50 ms, or until the next one.
  func receiveMessages() throws(ToolError) { _ = try next() }

  private func next() throws(ToolError) -> JSON? {
    if isInterruptible, let signal = Interruption.signal {
      throw ToolError(.interrupted(by: signal), "interrupted before the recording")
    }
    guard let text = messages.take() else {
      guard let piece = socket.receive() else { return nil }
      if piece.isEmpty { throw ended }
      messages.add(piece)
      return nil
    }
    // The last message of a browser that crashed may be incomplete.
    guard let message = try? JSON(parsing: Array(text)) else { return nil }
    if let method = message["method"].text {
      events[method] = message["params"]
      if method == "Inspector.targetCrashed" {
        throw ToolError(.unavailable, "the page crashed")
      }
      if method == "Target.detachedFromTarget" || method == "Inspector.detached" {
        throw ToolError(.unavailable, "the page was closed before its recording was complete")
      }
    }
    return message
  }

  private var ended: ToolError {
    let reason = events[GuardProcess.ended]?["reason"].text ?? "its guard was killed"
    return ToolError(.unavailable, "\(program.name) has ended: \(reason)")
  }
}
