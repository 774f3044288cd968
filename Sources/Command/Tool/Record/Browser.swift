internal import Foundation
internal import FrameBudget
internal import Glibc
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetRealTime

/// A browser with one page, which ends with this value. Its commands go over DevTools' pipe.
///
/// It answers the page's dialogs, and denies downloads, permissions, windows, and addresses beyond the rule of `PageAddress`.
final class Browser: DevToolsClient {
  private let profile: LockedFolder
  private let socket: SocketEnd
  /// The process id of `BrowserGuard`.
  private let guardian: Int32
  /// The page.
  private var target = JSON.null
  /// Whether an address may be opened.
  private let allows: (String) -> Bool
  private(set) var attempts = PageAttempts()
  /// Whether a change has kept a script from loading.
  private(set) var hasBlocked = false

  /// - Throws: `.unavailable` if it does not start, `.interrupted` after a signal.
  init(
    _ program: BrowserProgram, arguments: [String], allows: @escaping (String) -> Bool
  ) throws(ToolError) {
    self.allows = allows
    let profile = LockedFolder.new(longest: LockedFolder.longestOfBrowser)
    self.profile = profile
    (socket, guardian) = try GuardProcess.start(
      GuardBrowserCommand.name, of: program.name,
      [profile.path, program.path, "--remote-debugging-pipe"] + arguments)
    super.init(PipeChannel(socket), to: program.name)
    try openPage()
  }

  deinit {
    // The guard ends when nothing more can come.
    socket.hangUp()
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

  /// Denies files that `allows` does not accept, also as parts of the page. Servers' pages cannot open files.
  func restrictFiles() throws(ToolError) {
    let files = JSON.object([("urlPattern", .text("file://*"))])
    try call("Fetch.enable", [("patterns", .array([files]))])
  }

  // MARK: The page

  /// The time limit for loading a page; then the recording starts anyway.
  private static let loading = Duration.seconds(30)
  /// The times after which a question is dropped that a page need not answer: it may compute for long.
  private static let patienceWithAnswer = Duration.seconds(10)
  private static let patienceWithRequests = Duration.seconds(1)

  /// Opens a page, with `name` for errors; returns false if it is still loading after the time limit.
  ///
  /// - Throws: `.noInput` if it cannot be reached.
  func open(_ url: String, called name: String) throws(ToolError) -> Bool {
    forget(Self.loaded)
    // The new document does not know of them.
    try askForPermissionRequests()
    let answer = try answer("Page.navigate", [("url", .text(url))], of: .page, within: Self.loading)
    if let refusal = answer?["error"]["message"].text {
      throw ToolError(.noInput, "cannot open \(name): \(refusal)")
    }
    guard let opened = answer?["result"] else { return false }
    if let error = opened["errorText"].text, !error.isEmpty {
      let reason =
        opened["isDownload"].flag == true
        ? "it is a download" : error.replacing("net::", with: "")
      throw ToolError(.noInput, "cannot open \(name): \(reason)")
    }
    // Within the same document, as with another hash, nothing is loaded.
    if opened["loaderId"].isNull { return true }
    let isLoaded = try wait(for: Self.loaded, upTo: Self.loading) != nil
    let status = try evaluate(
      "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0",
      within: Self.patienceWithAnswer)
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
      let trace = try wait(for: Self.complete, upTo: .seconds(2))
      if let trace { return trace }
    }
    return nil
  }

  /// Adds the permissions that the page has asked for to its attempts, unless it computes for long.
  func askForPermissionRequests() throws(ToolError) {
    let asked = try evaluate(PermissionRequests.list, within: Self.patienceWithRequests)
    for text in asked?.elements.compactMap(\.text) ?? [] { attempts.add(.permission, text) }
  }

  // MARK: Changes

  /// Makes a change in all documents that are opened from now on.
  func make(_ change: PageChange) throws(ToolError) {
    switch change.kind {
    case .without(let file):
      try call("Network.enable")
      try call(
        "Network.setBlockedURLs",
        [("urls", .array([.text("*/\(file)"), .text("*/\(file)?*")]))])
    case .newest(let event, let rule):
      try call(
        "Page.addScriptToEvaluateOnNewDocument",
        [("source", .text(ListenerLimits.script(of: event, by: rule)))])
    }
  }

  // MARK: Events

  override func observe(_ event: String, _ parameters: JSON) {
    super.observe(event, parameters)
    switch event {
    case "Target.detachedFromTarget" where parameters["sessionId"].text != session.text:
      // A page waits with the window that it opens, even when that is closed.
      send("Runtime.runIfWaitingForDebugger")
    case "Target.detachedFromTarget": loss = Self.closed
    case "Page.javascriptDialogOpening": answerDialog(parameters)
    case "Browser.downloadWillBegin": attempts.add(.download, parameters["url"].text ?? "")
    case "Page.windowOpen": attempts.add(.window, parameters["url"].text ?? "")
    case "Target.attachedToTarget": closeOther(parameters["targetInfo"]["targetId"])
    case "Fetch.requestPaused": answerRequest(parameters)
    case "Network.loadingFailed" where parameters["blockedReason"].text == "inspector":
      hasBlocked = true
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

  override var ended: ToolError {
    let reason = events[GuardProcess.ended]?["reason"].text ?? "its guard was killed"
    return ToolError(.unavailable, "\(name) has ended: \(reason)")
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

  /// The names of the functions that the page has called: a few short texts, because the page can change the list.
  static let list = """
    (() => {
      const names = [];
      const asked = self[Symbol.for("framebudget.permissions")];
      for (const name of asked ?? []) {
        if (names.push(String(name).slice(0, 80)) >= 20) break;
      }
      asked?.clear?.();
      return names;
    })()
    """
}
