internal import ArgumentParser
internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing
internal import Glibc

/// Where a browser that runs already listens for DevTools: a port of this machine.
struct AttachPlace: Sendable {
  private enum Port {
    /// One that a browser's usual profile names, or the usual one.
    case usual
    case number(UInt16)
    /// The one in the file of this profile.
    case of(profile: String)
  }

  /// As given.
  let text: String
  private let port: Port

  /// The place on a port.
  init(port: UInt16) { self.init("\(Self.kind):\(port)", .number(port)) }

  private init(_ text: String, _ port: Port) { (self.text, self.port) = (text, port) }

  private static let kind = "chrome"
  /// The port in Chromium's own examples.
  private static let usual: UInt16 = 9222

  /// The value of an option: `chrome`, `chrome:9222` or `chrome:PROFILE`.
  static func parse(_ text: String) throws -> AttachPlace {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0] == kind, parts.last?.isEmpty == false else {
      throw ValidationError(
        "it is chrome, chrome:PORT or chrome:PROFILE, as in 'chrome:9222', or for live a PID")
    }
    guard parts.count == 2 else { return AttachPlace(text, .usual) }
    guard parts[1].allSatisfy(\.isNumber) else {
      return AttachPlace(text, .of(profile: String(parts[1])))
    }
    guard let number = InputNumber.whole(parts[1], in: 1...Int(UInt16.max)) else {
      throw ValidationError("the port is out of range; allowed: 1 to \(UInt16.max)")
    }
    return AttachPlace(text, .number(UInt16(number)))
  }

  /// The browser at this place.
  func connect() throws(ToolError) -> DebuggingPort {
    switch port {
    case .number(let number): return try DebuggingPort(number)
    case .of(let profile): return try DebuggingPort(Self.number(in: profile))
    case .usual:
      // A browser that was killed leaves its file.
      for profile in Self.profiles {
        guard let number = try? Self.number(in: profile) else { continue }
        if let port = try? DebuggingPort(number) { return port }
      }
      return try DebuggingPort(Self.usual)
    }
  }

  private static let file = "DevToolsActivePort"

  private static func number(in profile: String) throws(ToolError) -> UInt16 {
    let path = "\(FilePath.trimmed(profile))/\(file)"
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try InputBytes.read(path)
    } catch {
      throw ToolError(
        .noInput,
        "cannot open \(path): \(error); a browser writes it if it is started with --remote-debugging-port"
      )
    }
    guard let number = port(inFile: bytes) else {
      throw ToolError(.badInput, "\(path): its first line is not a port")
    }
    return number
  }

  /// The port in the first line of `DevToolsActivePort`.
  static func port(inFile bytes: [UInt8]) -> UInt16? {
    let line = bytes.prefix(while: { $0 != UInt8(ascii: "\n") }).prefix(16)
    return InputNumber.whole(String(decoding: line, as: UTF8.self), in: 1...Int(UInt16.max)).map {
      UInt16($0)
    }
  }

  /// The usual profiles of this user's browsers.
  private static var profiles: [String] {
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
    let names = ["chromium", "google-chrome", "microsoft-edge", "BraveSoftware/Brave-Browser"]
    return home.isEmpty ? [] : names.map { "\(home)/.config/\($0)" }
  }
}
