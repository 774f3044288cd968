internal import Foundation
internal import FrameBudget
internal import Glibc
internal import RealTime

/// Records one page: opens it in a browser, traces it for a while, and writes the trace as JSON compressed by gzip.
struct PageRecording {
  let page: PageAddress
  let program: BrowserProgram
  /// With a flow, the recording lasts at least until the flow has ended.
  let length: TimeSpan
  let flow: UserFlow?
  let isHeadless: Bool

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
    // For root the browser has no sandbox, and does not start without this.
    if geteuid() == 0 { arguments.append("--no-sandbox") }
    return arguments + ["about:blank"]
  }

  /// Writes to the open `file`. After SIGINT the recording is shorter; other signals also end it, and the caller handles them.
  func write(to file: Int32, showing bar: ProgressLine?, on console: Console) throws(ToolError) {
    bar?.draw("starting \(program.name)")
    let browser = try Browser(program, arguments: arguments)
    bar?.draw("loading \(page.text)")
    try load(browser, on: console)
    browser.isInterruptible = false
    try start(browser)
    try pass(browser, showing: bar)
    bar?.draw("fetching the recording")
    try fetch(browser, to: file, on: console)
  }

  private func load(_ browser: Browser, on console: Console) throws(ToolError) {
    if let (width, height) = flow?.viewport { try browser.resize(width: width, height: height) }
    if try !browser.open(page.url, called: page.text) {
      console.note("\(page.text) is still loading; the recording starts anyway")
    }
  }

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
      ], ofBrowser: true)
  }

  private func pass(_ browser: Browser, showing bar: ProgressLine?) throws(ToolError) {
    let start = ContinuousClock.now
    if let flow {
      try FlowPlayer(browser: browser, flow: flow).play {
        Interruption.signal != nil
      } showing: { step in
        bar?.draw("recording: step \(step) of \(flow.steps.count)")
      }
    }
    let end = max(
      start + .nanoseconds(length.nanoseconds), flow == nil ? start : .now + Self.answer)
    while ContinuousClock.now < end, Interruption.signal == nil {
      try browser.receiveMessages()
      guard flow == nil else { continue }
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      bar?.draw("recording: \(seconds) s of \(length)")
    }
  }

  private func fetch(
    _ browser: Browser, to file: Int32, on console: Console
  ) throws(ToolError) {
    try browser.call("Tracing.end", ofBrowser: true)
    guard let trace = try browser.wait(for: "Tracing.tracingComplete", upTo: .seconds(120)) else {
      throw ToolError(.unavailable, "\(program.name) does not return the recording")
    }
    if trace["dataLossOccurred"].flag == true {
      console.note("the browser's buffer was full; the beginning of the recording is missing")
    }
    var isWhole = false
    while !isWhole {
      let part = try browser.call(
        "IO.read", [("handle", trace["stream"]), ("size", .number("\(1 << 19)"))], ofBrowser: true)
      let text = part["data"].text ?? ""
      let bytes = part["base64Encoded"].flag == true ? Data(base64Encoded: text) : Data(text.utf8)
      if let error = FileWriting.write(Array(bytes ?? Data()), to: file) {
        throw ToolError(.cannotWrite, "cannot write the recording: \(error)")
      }
      isWhole = part["eof"].flag != false
    }
  }
}
