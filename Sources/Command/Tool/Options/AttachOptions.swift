internal import ArgumentParser
internal import Glibc

/// What runs already, and is watched or recorded.
enum AttachTarget: Sendable {
  /// A page of a browser.
  case browser(AttachPlace)
  /// A client of Wayland, by the number of its process.
  case process(pid_t)

  /// The value of an option.
  static func parse(_ text: String) throws -> AttachTarget {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return .browser(try AttachPlace.parse(text))
    }
    guard let number = WindowProcess.number(text) else {
      throw ValidationError("there is no process of that number; allowed: 1 to \(Int32.max)")
    }
    return .process(number)
  }

  fileprivate var process: pid_t? {
    if case .process(let number) = self { number } else { nil }
  }

  var browser: AttachPlace? { if case .browser(let place) = self { place } else { nil } }
}

/// The option of commands that watch or record what runs already.
struct AttachOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Use a browser of this machine that runs already: chrome, chrome:PORT of --remote-debugging-port, or chrome:PROFILE, the \
      folder that has its DevToolsActivePort; for live also the PID of a Wayland client.
      """, valueName: "browser"),
    completion: .list(["chrome", "chrome:9222"]), transform: AttachTarget.parse)
  var attach: AttachTarget?

  @Option(
    name: .customLong("function"),
    help: ArgumentHelp(
      "Name work of a Wayland client: a function of its program or libraries, by its symbol; repeatable.",
      valueName: "name"))
  var functions: [String] = []

  /// The process of `attach`.
  var process: pid_t? { attach?.process }

  func requireNoFunctions(unless isWindow: Bool) throws {
    guard !functions.isEmpty else { return }
    if !isWindow {
      throw ValidationError("--function is for a Wayland client that runs; leave it out")
    }
    if functions.contains("") { throw ValidationError("--function names no function") }
  }
}
