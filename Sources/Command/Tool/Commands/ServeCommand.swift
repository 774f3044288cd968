internal import ArgumentParser
internal import FrameBudgetRealTime

/// The process of a `process` lane, which starts it.
struct ServeCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: ServiceProcess.argument,
    abstract: "Answer the calls of a lane; started by run, not by users.", shouldDisplay: false)

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    guard ServiceProcess.serve() else {
      throw ToolError(.usage, "serve is for a lane of carrier process, which starts it itself")
    }
    return .success
  }
}
