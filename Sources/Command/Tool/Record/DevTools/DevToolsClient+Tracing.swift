internal import Foundation
internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetRealTime
internal import Glibc

// A recording of a page: a trace as JSON, compressed by gzip.

extension DevToolsClient {
  /// The categories in Documentation/Recordings.md.
  private static let categories = [
    "toplevel", "toplevel.flow", "blink.user_timing", "devtools.timeline",
    "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame",
    "disabled-by-default-v8.cpu_profiler", "__metadata",
  ]

  /// A ring buffer: it keeps the last part of a longer recording.
  private static let bufferKilobytes = 200 * 1024

  /// Starts the recording in the page's session: then it has the page's process, and not those of other sites in its frames.
  final func startTracing() throws(ToolError) {
    try call(
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

  /// Performs what is recorded, of the page called `page`. The recording ends early with the first signal, and with the page.
  final func trace(
    _ page: String, showing bar: ProgressLine?, on console: Console,
    _ body: (ContinuousClock.Instant) throws(ToolError) -> Void
  ) throws(ToolError) {
    var start = ContinuousClock.now
    do throws(ToolError) {
      // V8's profiler begins with the next script, and holds it up: not one of the page, if the page is idle.
      _ = try evaluate("0", within: .seconds(1))
      start = .now
      try body(start)
    } catch {
      bar?.wipe()
      if let signal = Interruption.signal {
        if signal == SIGINT {
          console.note("the recording ends here; another Ctrl-C ends the command without it")
        }
      } else if let loss {
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        console.note("\(page) \(loss); the recording ends there, after \(seconds) s")
      } else {
        throw error
      }
    }
  }

  /// Lets the page run until `end`; the recording began at `start` and lasts for `length`, if that is known.
  final func pass(
    from start: ContinuousClock.Instant, to end: ContinuousClock.Instant, of length: TimeSpan?,
    showing bar: ProgressLine?
  ) throws(ToolError) {
    while ContinuousClock.now < end {
      try receiveMessages()
      guard let length else { continue }
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      bar?.draw("recording: \(seconds) s of \(length)")
    }
  }

  /// The time limit for the browser to complete the recording. Chromium gives up processes that do not answer only after almost a
  /// minute (57 s with Chromium 156 on Linux).
  private static let completion = Duration.seconds(90)
  /// The limit for the bytes of a recording. The browser's buffer is smaller.
  private static let largest = 1 << 30
  /// The limit for parts without bytes one after another; a browser sends such a part only at the end.
  private static let mostEmpty = 10
  /// The event at the end of a recording.
  static let complete = "Tracing.tracingComplete"

  /// It is short, because the page is still recorded while it computes.
  private static let patienceWithMark = Duration.milliseconds(200)

  /// Marks the page's process, at the end of the recording: a ring buffer has lost which one it is.
  final func markPage() throws(ToolError) {
    let name = PageMark.name
    _ = try evaluate(
      "performance.mark('\(name)'); performance.clearMarks('\(name)')",
      within: Self.patienceWithMark)
  }

  /// From here neither the loss of the page nor a first signal ends the recording's way to the file; a second signal ends the
  /// command.
  final func endTracing(showing bar: ProgressLine?) {
    needsPage = false
    isInterruptible = false
    bar?.draw("completing the recording")
  }

  /// Ends the recording, and writes it to the open `file`. `waiting` returns the event at its end, nil after the given time.
  final func fetchTrace(
    to file: Int32, showing bar: ProgressLine?, on console: Console,
    _ waiting: (Duration) throws(ToolError) -> JSON?
  ) throws(ToolError) {
    try call("Tracing.end", of: .pageInBrowser)
    guard let trace = try waiting(Self.completion) else {
      throw ToolError(
        .unavailable, "\(name) does not complete the recording in \(Self.completion)")
    }
    lacksBeginning = trace["dataLossOccurred"].flag == true
    var (isWhole, size, empty) = (false, 0, 0)
    while !isWhole {
      let part = try call(
        "IO.read", [("handle", trace["stream"]), ("size", .number("\(1 << 19)"))],
        of: .pageInBrowser)
      let text = part["data"].text ?? ""
      let isEncoded = part["base64Encoded"].flag == true
      guard let bytes = isEncoded ? Data(base64Encoded: text) : Data(text.utf8) else {
        throw ToolError(.unavailable, "\(name) sends a part of the recording that is not in base64")
      }
      size += bytes.count
      empty = bytes.isEmpty ? empty + 1 : 0
      guard empty < Self.mostEmpty else {
        throw ToolError(.unavailable, "\(name) sends parts of the recording without bytes")
      }
      guard size <= Self.largest else {
        throw ToolError(.unavailable, "the recording is larger than \(Self.largest >> 20) MB")
      }
      if let error = FileWriting.write(Array(bytes), to: file) {
        throw ToolError(.cannotWrite, "cannot write the recording: \(error)")
      }
      bar?.draw("fetching the recording: \(size / 1_000_000) MB")
      isWhole = part["eof"].flag != false
    }
  }
}
