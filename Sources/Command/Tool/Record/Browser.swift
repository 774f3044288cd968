internal import Foundation
internal import FrameBudget
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetRealTime

/// A browser with one page, which ends with this value: sends commands and receives answers over DevTools' pipe.
///
/// It answers the page's dialogs, and denies downloads, permissions, windows, and addresses beyond the rule of `PageAddress`.
final class Browser {
  private let program: BrowserProgram
  private let profile: LockedFolder
  private let socket: SocketEnd
  /// The process id of `BrowserGuard`.
  private let guardian: Int32
  private var messages = MessageBuffer(end: 0)
  private var number = 0
  /// The page, and the session of its commands.
  private var target = JSON.null
  private var session = JSON.null
  /// The newest event of each kind.
  private var events: [String: JSON] = [:]
  /// Whether an address may be opened.
  private let allows: (String) -> Bool
  private(set) var attempts = PageAttempts()
  /// Why the page cannot be used any more, as a predicate of it.
  private(set) var loss: String?
  /// Whether the loss of the page, or a signal, ends a wait.
  var needsPage = true
  var isInterruptible = true

  /// An answer that takes longer is a failure: of the browser, and of its page, which may compute for a while.
  private static let patience = Duration.seconds(60)
  private static let patienceWithPage = Duration.seconds(10)

  /// - Throws: `.unavailable` if it does not start, `.interrupted` after a signal.
  init(
    _ program: BrowserProgram, arguments: [String], allows: @escaping (String) -> Bool
  ) throws(ToolError) {
    self.program = program
    self.allows = allows
    let profile = LockedFolder.new(longest: LockedFolder.longestOfBrowser)
    self.profile = profile
    (socket, guardian) = try GuardProcess.start(
      GuardBrowserCommand.name, of: program.name,
      [profile.path, program.path, "--remote-debugging-pipe"] + arguments)
    try openPage()
  }

  deinit {
    socket.close()
    GuardProcess.reap(guardian)
    // A guard that was killed leaves it.
    profile.remove()
  }

  private func openPage() throws(ToolError) {
    let others = try call("Target.getTargets", of: .browser)["targetInfos"].elements
    target = try call(
      "Target.createTarget", [("url", .text("about:blank"))], of: .browser)["targetId"]
    for other in others where other["type"].text == "page" {
      try call("Target.closeTarget", [("targetId", other["targetId"])], of: .browser)
    }
    let attached = try call(
      "Target.attachToTarget", [("targetId", target), ("flatten", .flag(true))], of: .browser)
    session = attached["sessionId"]
    for domain in ["Page", "Inspector"] { try call("\(domain).enable") }
    try restrict()
  }

  private func restrict() throws(ToolError) {
    try call(
      "Browser.setDownloadBehavior",
      [("behavior", .text("deny")), ("eventsEnabled", .flag(true))], of: .browser)
    // All that are not granted here are denied.
    try call("Browser.grantPermissions", [("permissions", .array([]))], of: .browser)
    // A new window waits before its first request, and is closed.
    let kinds: [JSON] = [
      .object([("type", .text("page"))]), .object([("exclude", .flag(true))]),
    ]
    try call(
      "Target.setAutoAttach",
      [
        ("autoAttach", .flag(true)), ("waitForDebuggerOnStart", .flag(true)),
        ("flatten", .flag(true)), ("filter", .array(kinds)),
      ], of: .browser)
    try call(
      "Page.addScriptToEvaluateOnNewDocument", [("source", .text(PermissionRequests.script))])
  }

  /// Denies files that `allows` does not accept. Servers' pages cannot open files.
  func restrictFiles() throws(ToolError) {
    let files = JSON.object([
      ("urlPattern", .text("file://*")), ("resourceType", .text("Document")),
    ])
    try call("Fetch.enable", [("patterns", .array([files]))])
  }

  // MARK: Commands

  enum Recipient {
    /// The browser; its part for the page, which answers even if the page computes; the page.
    case browser, pageInBrowser, page
  }

  /// The result of a command.
  ///
  /// - Throws: `.unavailable` if the browser refuses, ends, or does not answer.
  @discardableResult
  func call(
    _ method: String, _ parameters: [(name: String, value: JSON)] = [],
    of recipient: Recipient = .page
  ) throws(ToolError) -> JSON {
    let limit = recipient == .page ? Self.patienceWithPage : Self.patience
    guard let answer = try answer(method, parameters, of: recipient, within: limit) else {
      guard recipient == .page else {
        throw ToolError(.unavailable, "\(program.name) does not answer \(method)")
      }
      loss = "does not answer"
      throw lost
    }
    if let refusal = answer["error"]["message"].text {
      throw ToolError(.unavailable, "\(program.name) refuses \(method): \(refusal)")
    }
    return answer["result"]
  }

  /// The answer, which may be a refusal; nil if there is none within the time.
  private func answer(
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
  func send(
    _ method: String, _ parameters: [(name: String, value: JSON)] = [],
    of recipient: Recipient = .page
  ) -> Int {
    number += 1
    var message: [(name: String, value: JSON)] = [
      ("id", .number("\(number)")), ("method", .text(method)), ("params", .object(parameters)),
    ]
    if recipient != .browser { message.append(("sessionId", session)) }
    _ = socket.send(Data(JSON.object(message).written().utf8) + [0])
    return number
  }

  /// The value of a script in the page, awaited if it is a promise; null if the page is navigating.
  func evaluate(_ script: String) throws(ToolError) -> JSON {
    guard let value = try evaluate(script, within: Self.patienceWithPage) else {
      loss = "does not answer"
      throw lost
    }
    return value
  }

  /// Nil if there is no answer within the time.
  func evaluate(_ script: String, within limit: Duration) throws(ToolError) -> JSON? {
    try answer(
      "Runtime.evaluate",
      [
        ("expression", .text(script)), ("returnByValue", .flag(true)),
        ("awaitPromise", .flag(true)),
      ], of: .page, within: limit
    )?["result"]["result"]["value"]
  }

  // MARK: The page

  /// The time limit for loading a page; then the recording starts anyway.
  private static let loading = Duration.seconds(30)

  /// Opens a page, with `name` for errors; returns false if it is still loading after the time limit.
  ///
  /// - Throws: `.noInput` if it cannot be reached.
  func open(_ url: String, called name: String) throws(ToolError) -> Bool {
    events["Page.loadEventFired"] = nil
    let answer = try answer("Page.navigate", [("url", .text(url))], of: .page, within: Self.loading)
    guard let opened = answer?["result"] else { return false }
    if let error = opened["errorText"].text, !error.isEmpty {
      let reason =
        opened["isDownload"].flag == true
        ? "it is a download" : error.replacing("net::", with: "")
      throw ToolError(.noInput, "cannot open \(name): \(reason)")
    }
    let isLoaded = try wait(for: "Page.loadEventFired", upTo: Self.loading) != nil
    let status = try evaluate(
      "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0", within: .seconds(2))
    if let status = status?.whole, status >= 400 {
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

  /// Stops the page's scripts, also an endless one, with which the browser would not complete the recording. Nothing waits for
  /// this.
  func stopScripts() {
    send("Emulation.setScriptExecutionDisabled", [("value", .flag(true))])
    send("Runtime.terminateExecution")
  }

  /// The time after which a page that keeps the browser from completing its recording is replaced.
  private static let patienceWithCompletion = Duration.seconds(10)

  /// The event at the end of the recording; nil after a timeout.
  ///
  /// The browser completes the recording of a crashed page only with another one in its place, which may crash, too. Nothing of a
  /// replaced page is lost: the recording has ended.
  func waitForRecording(upTo patience: Duration) throws(ToolError) -> JSON? {
    let start = ContinuousClock.now
    while ContinuousClock.now < start + patience {
      if loss == Self.crash || ContinuousClock.now > start + Self.patienceWithCompletion {
        send("Page.navigate", [("url", .text("about:blank"))])
      }
      // The page may have begun to wait with a window only after that was closed.
      send("Runtime.runIfWaitingForDebugger")
      let trace = try wait(for: "Tracing.tracingComplete", upTo: .seconds(2))
      if let trace { return trace }
    }
    return nil
  }

  /// Adds the permissions that the page has asked for to its attempts.
  func askForPermissionRequests() throws(ToolError) {
    let asked = try evaluate(PermissionRequests.list, within: .seconds(1))
    for text in asked?.elements.compactMap(\.text) ?? [] { attempts.add(.permission, text) }
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
      throw ToolError(.interrupted(by: signal), "interrupted before there was a recording")
    }
    if needsPage, loss != nil { throw lost }
    guard let text = messages.take() else {
      guard let piece = socket.receive() else { return nil }
      if piece.isEmpty { throw ended }
      guard messages.add(piece) else {
        throw ToolError(
          .unavailable, "\(program.name) sends a message of more than \(MessageBuffer.limit) bytes")
      }
      return nil
    }
    // The last message of a browser that crashed may be incomplete.
    guard let message = try? JSON(parsing: Array(text)) else { return nil }
    // Other pages have sessions, too: a new window, or the first page of the browser, which is closed.
    let sender = message["sessionId"].text
    if let method = message["method"].text, sender == nil || sender == session.text {
      events[method] = message["params"]
      observe(method, message["params"])
    }
    return message
  }

  private static let crash = "crashed"

  private func observe(_ event: String, _ parameters: JSON) {
    switch event {
    case "Inspector.targetCrashed": loss = Self.crash
    case "Target.detachedFromTarget" where parameters["sessionId"].text != session.text:
      // A page waits with the window that it opens, even when that is closed.
      send("Runtime.runIfWaitingForDebugger")
    case "Target.detachedFromTarget", "Inspector.detached": loss = "was closed"
    case "Page.javascriptDialogOpening": answerDialog(parameters)
    case "Browser.downloadWillBegin": attempts.add(.download, parameters["url"].text ?? "")
    case "Page.windowOpen": attempts.add(.window, parameters["url"].text ?? "")
    case "Target.attachedToTarget": closeOther(parameters["targetInfo"]["targetId"])
    case "Fetch.requestPaused": answerRequest(parameters)
    default: break
    }
  }

  /// Accepts it, a prompt with its default text.
  private func answerDialog(_ dialog: JSON) {
    let (kind, text) = (dialog["type"].text ?? "", dialog["message"].text ?? "")
    attempts.add(.dialog, text.isEmpty ? kind : "\(kind) \"\(text)\"")
    send(
      "Page.handleJavaScriptDialog",
      [("accept", .flag(true)), ("promptText", .text(dialog["defaultPrompt"].text ?? ""))])
  }

  private func closeOther(_ other: JSON) {
    guard !session.isNull, other.text != target.text else { return }
    send("Target.closeTarget", [("targetId", other)], of: .browser)
  }

  private func answerRequest(_ request: JSON) {
    let url = request["request"]["url"].text ?? ""
    let id: (name: String, value: JSON) = ("requestId", request["requestId"])
    if allows(url) {
      send("Fetch.continueRequest", [id])
    } else {
      attempts.add(.file, url)
      send("Fetch.failRequest", [id, ("errorReason", .text("BlockedByClient"))])
    }
  }

  private var lost: ToolError { ToolError(.unavailable, "the page \(loss ?? "is gone")") }

  private var ended: ToolError {
    let reason = events[GuardProcess.ended]?["reason"].text ?? "its guard was killed"
    return ToolError(.unavailable, "\(program.name) has ended: \(reason)")
  }
}

/// Observes, in the page, the functions that ask a user for a permission; the browser denies all of them in silence.
enum PermissionRequests {
  /// Run in each document before its scripts.
  static let script = """
    (() => {
      const key = Symbol.for("framebudget.permissions");
      let root = self;
      try { if (top.document) root = top; } catch {}
      const asked = root[key] ??= new Set();
      const observe = (owner, names) => {
        for (const name of names) {
          const original = owner?.[name];
          if (typeof original !== "function") continue;
          owner[name] = new Proxy(original, {
            apply(target, self, values) { asked.add(name); return Reflect.apply(target, self, values); },
          });
        }
      };
      observe(self.Notification, ["requestPermission"]);
      observe(self.Geolocation?.prototype, ["getCurrentPosition", "watchPosition"]);
      observe(self.MediaDevices?.prototype, ["getUserMedia", "getDisplayMedia"]);
      observe(self.Clipboard?.prototype, ["read", "readText", "write", "writeText"]);
      observe(self.Navigator?.prototype, ["requestMIDIAccess"]);
      observe(self.StorageManager?.prototype, ["persist"]);
      observe(self.PushManager?.prototype, ["subscribe"]);
      for (const kind of ["Bluetooth", "USB", "HID"]) observe(self[kind]?.prototype, ["requestDevice"]);
      observe(self.Serial?.prototype, ["requestPort"]);
      observe(self, ["queryLocalFonts", "getScreenDetails", "showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker"]);
    })()
    """

  /// The names of the functions that the page has called.
  static let list = #"[...(self[Symbol.for("framebudget.permissions")] ?? [])]"#
}
