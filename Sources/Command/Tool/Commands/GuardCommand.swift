internal import ArgumentParser

/// Turns this process into a guard of what `record` starts.
protocol GuardCommand: ToolCommand {
  static var name: String { get }
  /// The name of the guarded process, for the help.
  static var guarded: String { get }

  /// Guards until the end; returns false at once if `record` did not start this process.
  static func run() -> Bool
}

extension GuardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: "Guard \(guarded); started by record, not by users.",
      shouldDisplay: false)
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    guard Self.run() else {
      throw ToolError(.usage, "\(Self.name) is for record, which starts it itself")
    }
    return .success
  }
}

struct GuardBrowserCommand: GuardCommand {
  static let name = "guard-browser"
  static let guarded = "a browser"

  static func run() -> Bool { BrowserGuard.run() }
}

struct GuardProgramCommand: GuardCommand {
  static let name = "guard-program"
  static let guarded = "a program"

  static func run() -> Bool { ProgramGuard.run() }
}
