internal import FrameBudget
internal import FrameBudgetParsing

extension AttachedPage {
  /// Which page it is.
  var choice: String {
    let title = page.title.isEmpty ? "" : " (\(page.title.printable))"
    let others =
      matches > 1 ? ", the one of \(matches) such pages that was used last" : ""
    return "the page is \(page.address.printable)\(title)\(others)"
  }

  /// Records the page into the open `file`. After SIGINT the recording is shorter; other signals also end it, and the caller handles
  /// them.
  func record(
    for length: TimeSpan, to file: Int32, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) {
    defer { bar?.wipe() }
    console.note(choice)
    try startTracing()
    try trace(page.address.printable, showing: bar, on: console) { start throws(ToolError) in
      try pass(
        from: start, to: start + .nanoseconds(length.nanoseconds), of: length, showing: bar)
    }
    // It would take another page in its place, which is not opened in the browser of a user.
    guard loss == nil else {
      throw ToolError(.unavailable, "the browser keeps no recording of a page that has gone")
    }
    endTracing(showing: bar)
    try markPage()
    // The view that waits for it ends, and the folder with it.
    endsWhenTerminated = true
    try fetchTrace(to: file, showing: bar, on: console) { limit throws(ToolError) in
      try wait(for: Self.complete, upTo: limit)
    }
  }
}
