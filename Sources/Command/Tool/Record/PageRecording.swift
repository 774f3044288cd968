internal import Foundation
internal import FrameBudget
internal import FrameBudgetLearning
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
  /// What is changed in the page before its own scripts.
  var change: PageChange?

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

  /// What is known of a recording beside its file: whether the change has kept a script from loading, and whether the browser has
  /// left out the beginning.
  struct Result {
    let hasBlocked: Bool
    let lacksBeginning: Bool
  }

  /// Writes to the open `file`. After SIGINT the recording is shorter; other signals also end it, and the caller handles them.
  func write(
    to file: Int32, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) -> Result {
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
    try browser.startTracing()
    try browser.trace(page.text, showing: bar, on: console) { start throws(ToolError) in
      try pass(browser, since: start, showing: bar)
    }
    guard browser.loss != DevToolsClient.closed else {
      throw ToolError(.unavailable, "the browser keeps no recording of a page that was closed")
    }
    browser.endTracing(showing: bar)
    if browser.loss == nil { try browser.markPage() }
    try browser.fetchTrace(to: file, showing: bar, on: console) { limit throws(ToolError) in
      // Only now: a page that computes would be recorded for as long as it does not answer.
      if browser.loss == nil { try browser.askForPermissionRequests() }
      browser.stopScripts()
      return try browser.waitForRecording(upTo: limit)
    }
    return Result(hasBlocked: browser.hasBlocked, lacksBeginning: browser.lacksBeginning)
  }

  private func load(
    _ browser: Browser, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) {
    if page.isFile, !isAnyAddress { try browser.restrictFiles() }
    if let change { try browser.make(change) }
    if let (width, height) = flow?.viewport { try browser.resize(width: width, height: height) }
    if try !browser.open(page.url, called: page.text) {
      bar?.wipe()
      console.note("\(page.text) is still loading; the recording starts anyway")
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
    try browser.pass(from: start, to: end, of: flow == nil ? length : nil, showing: bar)
  }
}
