internal import FrameBudget

/// Records a page of a browser that runs already.
struct AttachedRecording {
  let page: AttachedPage
  let length: TimeSpan

  /// Writes to the open `file`. After SIGINT the recording is shorter; other signals also end it, and the caller handles them.
  func write(to file: Int32, showing bar: ProgressLine?, on console: Console) throws(ToolError) {
    defer { bar?.wipe() }
    try page.startTracing()
    try page.trace(page.page.address, showing: bar, on: console) { start throws(ToolError) in
      try page.pass(
        from: start, to: start + .nanoseconds(length.nanoseconds), of: length, showing: bar)
    }
    // It would take another page in its place, which is not opened in the browser of a user.
    guard page.loss == nil else {
      throw ToolError(.unavailable, "the browser keeps no recording of a page that has gone")
    }
    page.endTracing(showing: bar)
    try page.fetchTrace(to: file, showing: bar, on: console) { limit throws(ToolError) in
      try page.wait(for: AttachedPage.complete, upTo: limit)
    }
  }
}
