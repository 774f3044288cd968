internal import ArgumentParser

/// Becomes the process that guards a program; `record` starts it, nobody else does.
struct GuardProgramCommand: ToolCommand {
  static let name = "guard-program"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Guard a program; started by record, not by people.", shouldDisplay: false)

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    guard ProgramGuard.run() else {
      throw ToolError(.usage, "\(Self.name) is for record, which starts it by itself")
    }
    return .success
  }
}
