internal import Foundation
internal import FrameBudget
internal import Glibc
internal import FrameBudgetRealTime

/// Records one page: opens it in a browser, traces it for a while, and writes the trace as JSON compressed by gzip.
struct PageRecording {
  let page: PageAddress
  let program: BrowserProgram
  /// With a flow, the recording lasts at least until the flow has ended.
  let length: TimeSpan
  let flow: UserFlow?
  let isHeadless: Bool
  /// Whether the page and its flow may open all addresses, or those that `page` allows.
  let isAnyAddress: Bool

  /// The categories in Documentation/Recordings.md.
  private static let categories = [
    "toplevel", "toplevel.flow", "blink.user_timing", "devtools.timeline",
    "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame",
    "__metadata",
  ]

  /// A ring buffer: it keeps the last part of a longer recording.
  private static let bufferKilobytes = 200 * 1024

  /// The time after the end of a flow, for the response to its last step.
  private static let answer = Duration.seconds(1)

  /// The size of the window: that of a desktop, or of the flow. What a page draws beyond its window is never presented.
  private var window: (width: Int, height: Int) {
    let page = flow?.largestViewport ?? (1280, 800)
    // With room for the browser's own parts above the page.
    return (page.width, page.height + 100)
  }

  private var arguments: [String] {
    var arguments = [
      "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
      // In containers /dev/shm is small.
      "--disable-dev-shm-usage",
      // Timers of a page behind another window would be slower.
      "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
      "--disable-backgrounding-occluded-windows",
    ]
    if isHeadless { arguments.append("--headless") }
    let (width, height) = window
    arguments.append("--window-size=\(width),\(height)")
    // For root the browser has no sandbox, and does not start without this.
    if geteuid() == 0 { arguments.append("--no-sandbox") }
    return arguments + ["about:blank"]
  }

  /// Writes to the open `file`. After SIGINT the recording is shorter; other signals also end it, and the caller handles them.
  func write(to file: Int32, showing bar: ProgressLine?, on console: Console) throws(ToolError) {
    LockedFolder.removeLeftovers(on: console)
    bar?.draw("starting \(program.name)")
    let rule: (String) -> Bool = { isAnyAddress || page.allows($0) }
    let browser = try Browser(program, arguments: arguments, allows: rule)
    defer {
      bar?.wipe()
      for note in browser.attempts.notes { console.note("\(page.text): \(note)") }
    }
    bar?.draw("loading \(page.text)")
    try load(browser, showing: bar, on: console)
    try start(browser)
    try pass(browser, showing: bar, on: console)
    try fetch(browser, to: file, showing: bar, on: console)
  }

  private func load(
    _ browser: Browser, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) {
    if page.isFile, !isAnyAddress { try browser.restrictFiles() }
    if let (width, height) = flow?.viewport { try browser.resize(width: width, height: height) }
    if try !browser.open(page.url, called: page.text) {
      bar?.wipe()
      console.note("\(page.text) is still loading; the recording starts anyway")
    }
  }

  /// In the page's session: then the recording has the page's process, and not those of other sites in its frames.
  private func start(_ browser: Browser) throws(ToolError) {
    try browser.call(
      "Tracing.start",
      [
        ("transferMode", .text("ReturnAsStream")), ("streamFormat", .text("json")),
        ("streamCompression", .text("gzip")),
        (
          "traceConfig",
          .object([
            ("recordMode", .text("recordContinuously")),
            ("traceBufferSizeInKb", .number("\(Self.bufferKilobytes)")),
            ("includedCategories", .array(Self.categories.map(JSON.text))),
            ("excludedCategories", .array([.text("*")])),
          ])
        ),
      ], of: .pageInBrowser)
  }

  /// The recording ends early with the first signal, and with the page.
  private func pass(
    _ browser: Browser, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) {
    let start = ContinuousClock.now
    do throws(ToolError) {
      try pass(browser, since: start, showing: bar)
    } catch {
      bar?.wipe()
      if let signal = Interruption.signal {
        if signal == SIGINT {
          console.note("the recording ends here; another Ctrl-C ends the command without it")
        }
      } else if let loss = browser.loss {
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        console.note("\(page.text) \(loss); the recording ends there, after \(seconds) s")
      } else {
        throw error
      }
    }
  }

  private func pass(
    _ browser: Browser, since start: ContinuousClock.Instant, showing bar: ProgressLine?
  ) throws(ToolError) {
    if let flow {
      try FlowPlayer(browser: browser, flow: flow).play { step in
        bar?.draw("recording: step \(step) of \(flow.steps.count)")
      }
    }
    let end = max(
      start + .nanoseconds(length.nanoseconds), flow == nil ? start : .now + Self.answer)
    while ContinuousClock.now < end {
      try browser.receiveMessages()
      guard flow == nil else { continue }
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      bar?.draw("recording: \(seconds) s of \(length)")
    }
  }

  /// The time limit for the browser to complete the recording. Chromium gives up processes that do not answer only after almost a
  /// minute (57 s with Chromium 156 on Linux).
  private static let completion = Duration.seconds(90)
  /// The limit for the bytes of a recording. The browser's buffer is smaller.
  private static let largest = 1 << 30

  private func fetch(
    _ browser: Browser, to file: Int32, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) {
    browser.needsPage = false
    // The signal that has ended the recording does not end its way to the file; the next one does.
    browser.isInterruptible = Interruption.signal == nil
    bar?.draw("completing the recording")
    if browser.loss == nil { try browser.askForPermissionRequests() }
    try browser.call("Tracing.end", of: .pageInBrowser)
    browser.stopScripts()
    guard let trace = try browser.waitForRecording(upTo: Self.completion)
    else {
      throw ToolError(
        .unavailable, "\(program.name) does not complete the recording in \(Self.completion)")
    }
    if trace["dataLossOccurred"].flag == true {
      console.note("the browser's buffer was full; the beginning of the recording is missing")
    }
    var (isWhole, size) = (false, 0)
    while !isWhole {
      let part = try browser.call(
        "IO.read", [("handle", trace["stream"]), ("size", .number("\(1 << 19)"))],
        of: .pageInBrowser)
      let text = part["data"].text ?? ""
      let bytes = part["base64Encoded"].flag == true ? Data(base64Encoded: text) : Data(text.utf8)
      size += bytes?.count ?? 0
      guard size <= Self.largest else {
        throw ToolError(.unavailable, "the recording is larger than \(Self.largest >> 20) MB")
      }
      if let error = FileWriting.write(Array(bytes ?? Data()), to: file) {
        throw ToolError(.cannotWrite, "cannot write the recording: \(error)")
      }
      bar?.draw("fetching the recording: \(size / 1_000_000) MB")
      isWhole = part["eof"].flag != false
    }
  }
}
