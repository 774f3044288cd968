internal import ArgumentParser

/// Becomes the process that guards a browser; `record` starts it, nobody else does.
struct GuardBrowserCommand: ToolCommand {
  static let name = "guard-browser"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Guard a browser; started by record, not by people.", shouldDisplay: false)

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    guard BrowserGuard.run() else {
      throw ToolError(.usage, "\(Self.name) is for record, which starts it by itself")
    }
    return .success
  }
}
