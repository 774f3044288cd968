internal import CFrameBudgetLinux
internal import FrameBudget
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// The tool's streams: results go to the output, everything else to the diagnostics.
struct Console: Sendable {
  var input: Int32 = STDIN_FILENO
  var output: Int32 = STDOUT_FILENO
  var diagnostics: Int32 = STDERR_FILENO
  /// `NO_COLOR`, `TERM` and `COLUMNS`, if they are set.
  var environment: [String: String] = [:]

  /// The process's own streams.
  static func ofProcess() -> Console {
    reserveStandardStreams()
    var console = Console()
    for name in ["NO_COLOR", "TERM", "COLUMNS"] {
      if let value = unsafe getenv(name) {
        console.environment[name] = unsafe String(cString: value)
      }
    }
    console.setLastWords("interrupted; there is no result")
    clinux_end_on_signals()
    // Ignoring these signals turns a write to a closed pipe, or beyond the size limit of files, into an ordinary error; files
    // are still kept.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    return console
  }

  /// Sets what a signal says that ends the process at once: which result there is. Nil for nothing.
  func setLastWords(_ text: String?) {
    let wiping = progressWidth == nil ? "" : ProgressLine.wiping
    unsafe clinux_set_last_words(text.map { wiping + Self.line($0) })
  }

  /// Writes a complete result.
  func print(_ text: String) throws(ToolError) { try print(bytes: Array(text.utf8)) }

  func print(bytes: [UInt8]) throws(ToolError) {
    setLastWords("interrupted while printing")
    guard let error = FileWriting.write(bytes, to: output) else { return }
    throw ToolError(
      error.number == EPIPE ? .unread : .cannotWrite, "cannot write to standard output: \(error)")
  }

  /// Prints a note. Ignores write errors, which could not be reported either.
  func note(_ text: String) { _ = Self.write(Self.line(text), to: diagnostics) }

  private static func line(_ text: String) -> String { "framebudget: \(printable(text))\n" }

  /// Prints an error. Errors of a file begin with its name.
  func printError(_ message: String) {
    let text = Self.printable(message)
    _ = Self.write(
      text.contains("\n") ? "\(text)\n" : "framebudget: \(text)\n", to: diagnostics)
  }

  /// Escapes control characters, except line breaks: names and contents of files must not affect the terminal.
  private static func printable(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      // The line below an error repeats the file's line, including tabs.
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(\.printable)
        .joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// Draws on the terminal of the diagnostics.
  func draw(_ text: String) { _ = Self.write(text, to: diagnostics) }

  /// Whether the output is a terminal.
  var isTerminal: Bool { isatty(output) == 1 }

  /// Columns of the output: the terminal's; without one `COLUMNS`, or 80.
  var width: Int {
    let columns = Self.columns(of: output) ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80
    return max(40, min(columns, 500))
  }

  /// Columns for drawing a progress bar; nil without a terminal.
  var progressWidth: Int? { isDumb ? nil : Self.columns(of: diagnostics) }

  func isColored(_ choice: ColorChoice) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      (environment["NO_COLOR"] ?? "").isEmpty && !isDumb && isTerminal
    }
  }

  private var isDumb: Bool { environment["TERM"] == nil || environment["TERM"] == "dumb" }

  private static func columns(of stream: Int32) -> Int? {
    guard isatty(stream) == 1 else { return nil }
    var size = winsize()
    let isKnown = unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Opens /dev/null for closed streams, so that no result file gets their numbers. Reading where writing must fail, and vice
  /// versa.
  private static func reserveStandardStreams() {
    let modes = [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ]
    for (stream, mode) in modes where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is this one: lower ones are already in use.
      _ = unsafe open("/dev/null", mode)
    }
  }

  /// Writes all of `text`. Returns the error, if any.
  private static func write(_ text: String, to stream: Int32) -> SystemError? {
    FileWriting.write(Array(text.utf8), to: stream)
  }
}

extension Console {
  /// Warns about items that never arrive in one of `scenarios`, which are variations of one.
  func warn(of scenarios: some Sequence<Scenario>) {
    let doubts = scenarios.flatMap { $0.missedArrivals + $0.keysWithoutEffect }.distinct()
    for doubt in doubts { note("warning: \(doubt)") }
  }

  /// Says what `comparison` leaves out, and warns about its scenarios.
  func warn(of comparison: Comparison) {
    for omission in comparison.omissions { note(omission) }
    warn(of: comparison.runs.lazy.map(\.scenario))
  }

  /// Warns if the assumed costs were measured on another machine than the simulated ones.
  func warn(of calibration: Calibration, on machines: some Sequence<Machine>) {
    let simulated = Set(machines.map(\.cores))
    if let cores = calibration.cores, let other = simulated.first(where: { $0 != cores }) {
      note(
        "warning: the costs are from a machine with \(English.count(cores, "core")), the simulated one has \(other); "
          + "--cores \(cores) simulates as many")
    }
    if let percent = calibration.wakesOnIdle, percent < Self.mostlyOnIdle {
      note(
        "warning: on the machine of the costs, \(percent) % of waking threads get an idle core; "
          + "the simulation assumes 100 %")
    }
  }

  /// In percent; the few others coincide with another wake-up.
  private static var mostlyOnIdle: Int { 90 }

  /// Announces long work in real time: `2 runs in real time: about 21 s`.
  func announce(_ what: String, _ bound: String, _ length: TimeSpan) {
    guard length >= .seconds(5) else { return }
    note("\(what) in real time: \(bound) \(Figure.span(milliseconds: length.inMilliseconds))")
  }
}
