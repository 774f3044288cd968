internal import CLinux
internal import Glibc
internal import Parsing

/// Where the tool reads and writes: results go to the output, everything else to the diagnostics.
struct Console: Sendable {
  var input: Int32 = STDIN_FILENO
  var output: Int32 = STDOUT_FILENO
  var diagnostics: Int32 = STDERR_FILENO
  /// `NO_COLOR`, `TERM` and `COLUMNS`, as far as they are set.
  var environment: [String: String] = [:]

  /// The process's own streams.
  static func ofProcess() -> Console {
    occupyClosedStreams()
    clinux_end_on_signals()
    // Writing into a pipe that nobody reads, or beyond what files may hold, is then an error like any other, and
    // files are still kept.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    var console = Console()
    for name in ["NO_COLOR", "TERM", "COLUMNS"] {
      if let value = unsafe getenv(name) {
        console.environment[name] = unsafe String(cString: value)
      }
    }
    return console
  }

  /// Writes a result, whole.
  func print(_ text: String) throws(ToolError) { try print(bytes: Array(text.utf8)) }

  func print(bytes: [UInt8]) throws(ToolError) {
    guard let error = FileWriting.write(bytes, to: output) else { return }
    throw ToolError(
      error.number == EPIPE ? .unread : .cannotWrite, "cannot write to standard output: \(error)")
  }

  /// Says something beside the result. If even that cannot be written there is nobody to tell.
  func note(_ text: String) {
    _ = Self.write("framebudget: \(Self.printable(text))\n", to: diagnostics)
  }

  /// Says what went wrong. Errors of a file begin with its name already.
  func complain(_ message: String) {
    let text = Self.printable(message)
    _ = Self.write(
      text.contains("\n") ? "\(text)\n" : "framebudget: \(text)\n", to: diagnostics)
  }

  /// Messages may have several lines; what a file's name or content would do to a terminal is escaped.
  private static func printable(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      // The line below an error repeats the file's, tabs and all.
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(\.printable)
        .joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// Draws on the diagnostics' terminal.
  func draw(_ text: String) { _ = Self.write(text, to: diagnostics) }

  /// Whether somebody reads the output on a screen.
  var isTerminal: Bool { isatty(output) == 1 }

  /// Columns of the output: the terminal's; without one `COLUMNS`, or 80.
  var width: Int {
    let columns = Self.columns(of: output) ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80
    return max(40, min(columns, 500))
  }

  /// Columns for drawing a progress bar; nil where there is nothing to draw on.
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

  /// Puts something harmless in place of streams that were closed, so that no result file gets their number:
  /// one that reads where writing must fail, and the other way round.
  private static func occupyClosedStreams() {
    let modes = [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ]
    for (stream, mode) in modes where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is this one: those before it are taken by now.
      _ = unsafe open("/dev/null", mode)
    }
  }

  /// Writes all of `text`; what went wrong, if it did.
  private static func write(_ text: String, to stream: Int32) -> SystemError? {
    FileWriting.write(Array(text.utf8), to: stream)
  }
}
