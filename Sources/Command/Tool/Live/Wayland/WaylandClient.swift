internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import Glibc

/// A Wayland client that is started for the view, and ends with it; its log arrives here.
///
/// The client writes to a socket instead of a terminal: libwayland its log, and the client its own words. A guard starts it,
/// and ends it and its descendants however this process ends.
final class WaylandClient {
  /// The name of the program.
  let name: String
  private let socket: SocketEnd
  private let guardian: Int32
  private var text = WaylandText()
  /// Messages that came before the view.
  private var first: [WaylandLine] = []
  /// The process whose main thread draws; nil if it is not known.
  private var process: ClientThread?
  /// When to look for it again; nil once it is known.
  private var search: ContinuousClock.Instant? = .now
  /// How the client has ended by itself; nil while it runs.
  private(set) var ending: String?
  private var isClosed = false

  /// The time to connect to the compositor.
  private static let patience = Duration.seconds(10)
  /// The time that the guard has to end the client.
  private static let farewell = Duration.seconds(5)
  /// Pieces of the log that are read at once, however fast the client writes.
  private static let most = 64

  /// Starts the client, with its arguments, and waits for the first message of its log. A name is searched in PATH.
  ///
  /// - Throws: `.noInput` if there is no such program, `.unavailable` if there is no compositor or no log.
  init(_ command: [String], in environment: [String: String]) throws(ToolError) {
    name = String((command.first ?? "").prefix(100))
    if let missing = WaylandPlace.missing(in: environment) {
      throw ToolError(.unavailable, missing)
    }
    guard let path = ProgramPath.find(command.first ?? "", in: environment["PATH"] ?? "") else {
      throw ToolError(.noInput, "cannot start \(name): no such program exists")
    }
    // The word `1` would also make a nested compositor write the log of its clients.
    (socket, guardian) = try GuardProcess.start(
      GuardProgramCommand.name, of: name,
      [ProgramGuard.socket, "WAYLAND_DEBUG=client", ProgramGuard.end, path] + command.dropFirst())
    let deadline = ContinuousClock.now + Self.patience
    while first.isEmpty, !isClosed, ContinuousClock.now < deadline, Interruption.signal == nil {
      first = receive(atMost: 1)
    }
    guard first.isEmpty else {
      socket.setTimeout(.milliseconds(1))
      return
    }
    stop()
    throw failure
  }

  /// Why there is no log.
  private var failure: ToolError {
    if let signal = Interruption.signal {
      return ToolError(.interrupted(by: signal), "interrupted; \(name) is ended")
    }
    let last = text.words.last.map { "; its last words: \($0)" } ?? ""
    let how = ending.map { "\($0) without a Wayland log" }
    return ToolError(
      .unavailable,
      (how ?? "\(name) wrote no Wayland log in \(Self.patience)") + last
        + "; a toolkit can need GDK_BACKEND=wayland or QT_QPA_PLATFORM=wayland")
  }

  /// The messages that have arrived. It does not wait for more.
  func messages() -> [WaylandLine] {
    defer { first = [] }
    return first + (ending == nil ? receive(atMost: Self.most) : [])
  }

  private func receive(atMost pieces: Int) -> [WaylandLine] {
    var lines: [WaylandLine] = []
    for _ in 0..<pieces where !isClosed {
      guard let piece = socket.receive() else { break }
      isClosed = piece.isEmpty
      text.add(piece) { lines.append($0) }
    }
    if let end = text.end {
      ending = Self.ending(end, of: name)
    } else if isClosed {
      ending = "\(name) was ended with its guard"
    }
    return lines
  }

  /// The end of the client, from the guard's event.
  private static func ending(_ end: JSON, of name: String) -> String {
    let status = end["status"].whole.map { " with status \($0)" } ?? ""
    guard let left = end["left"].whole, left > 0 else { return "\(name) has ended\(status)" }
    let others = left == 1 ? "the process" : "the \(left) processes"
    return "\(name) has ended\(status), and \(others) that it left with it"
  }

  /// What the main thread does; nil if the system does not say it.
  func thread() -> ClientThread? {
    if let search, ContinuousClock.now >= search {
      let found = ClientThread.ofClient(startedBy: guardian)
      process = found?.thread
      self.search = found?.isCertain == true ? nil : .now + .seconds(1)
    }
    return process
  }

  /// Ends the client, unless it has ended, and waits until it has.
  func stop() {
    let hasEnded = ending != nil
    socket.endSending()
    let deadline = ContinuousClock.now + Self.farewell
    while !isClosed, text.end == nil, ContinuousClock.now < deadline { _ = receive(atMost: 1) }
    if !hasEnded { ending = nil }
    socket.close()
    GuardProcess.reap(guardian)
  }

  /// What to say after the view: the end of the client, and its own words.
  var report: [String] {
    let end = ending ?? "\(name) was ended with the view"
    guard !text.words.isEmpty else { return [end] }
    let omitted = text.omitted > 0 ? " (\(text.omitted) earlier lines are left out)" : ""
    return [end, "\(name) wrote\(omitted):\n" + text.words.joined(separator: "\n")]
  }
}

/// What a Wayland client writes: messages of its log, its own words, and the event of its guard.
struct WaylandText {
  /// The last lines that are no messages.
  private(set) var words: [String] = []
  /// The number of lines before them.
  private(set) var omitted = 0
  /// The guard's event about the end of the client.
  private(set) var end: JSON?
  private var line: [UInt8] = []

  /// In bytes; a longer line is cut into several.
  private static let longest = 1 << 16
  private static let mostWords = 40
  private static let longestWords = 500

  /// Adds a piece of the text, and reports the messages in it.
  mutating func add(_ piece: some Collection<UInt8>, _ report: (WaylandLine) -> Void) {
    for byte in piece {
      // The guard's event stands between zeros.
      if byte == UInt8(ascii: "\n") || byte == 0 {
        take(report)
      } else {
        line.append(byte)
        if line.count == Self.longest { take(report) }
      }
    }
  }

  private mutating func take(_ report: (WaylandLine) -> Void) {
    defer { line.removeAll(keepingCapacity: true) }
    if let (message, before) = WaylandLine.last(in: line) {
      keep(before)
      report(message)
    } else if line.first == UInt8(ascii: "{"), let event = try? JSON(parsing: line),
      event["method"].text == GuardProcess.ended
    {
      end = event["params"]
    } else {
      keep(line[...])
    }
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes.prefix(Self.longestWords), as: UTF8.self)
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    words.append(text)
    guard words.count > Self.mostWords else { return }
    words.removeFirst()
    omitted += 1
  }
}

/// Where a Wayland compositor listens.
enum WaylandPlace {
  /// What is missing for a client in that environment; nil if it can connect.
  static func missing(in environment: [String: String]) -> String? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let start = "start one, such as 'weston', or name its socket in WAYLAND_DISPLAY"
    let display = value("WAYLAND_DISPLAY")
    let name = display ?? "wayland-0"
    guard name.hasPrefix("/") || value("XDG_RUNTIME_DIR") != nil else {
      return "no Wayland compositor: XDG_RUNTIME_DIR is not set; \(start)"
    }
    let path = name.hasPrefix("/") ? name : "\(value("XDG_RUNTIME_DIR") ?? "")/\(name)"
    guard unsafe access(path, F_OK) == 0 else {
      let variable = display == nil ? "WAYLAND_DISPLAY is not set, and " : ""
      return "no Wayland compositor: \(variable)\(path) does not exist; \(start)"
    }
    return nil
  }
}
