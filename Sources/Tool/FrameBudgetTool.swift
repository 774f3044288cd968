internal import ArgumentParser
internal import Glibc

/// The entry: parses the arguments, performs the command, and ends with its exit status.
///
/// It is synchronous because the frame loop must run on the process's main thread.
@main
struct FrameBudgetTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "framebudget",
    abstract: "Measures what moving business logic off the main thread does to dropped frames.",
    discussion: """
      A scenario says what an app does and what it shows; a strategy says what runs on which thread. \
      framebudget runs strategies on a scenario and compares them.

      EXAMPLES:
        framebudget run camera-upload
        framebudget limit camera-upload
        framebudget list strategies
        framebudget doctor
      """,
    version: version,
    subcommands: [
      RunCommand.self, LiveCommand.self, LimitCommand.self, CompareCommand.self, ReportCommand.self,
      ImportCommand.self, BenchCommand.self, CheckCommand.self, ListCommand.self,
      DoctorCommand.self, MakeFilesCommand.self, ServeCommand.self,
    ])

  static let version = "0.1.0"

  static func main() {
    let console = Console.ofProcess()
    Glibc.exit(run(Array(CommandLine.arguments.dropFirst()), on: console).rawValue)
  }

  /// Performs `arguments` and returns how it ended; whatever is wrong has been said by then.
  static func run(_ arguments: [String], on console: Console) -> ExitStatus {
    do {
      return try perform(arguments, on: console)
    } catch {
      console.complain(error.message)
      return error.status
    }
  }

  private static func perform(
    _ arguments: [String], on console: Console
  ) throws(ToolError) -> ExitStatus {
    do {
      var command = try parseAsRoot(arguments)
      if let command = command as? any ToolCommand { return try command.perform(on: console) }
      try command.run()
      return .success
    } catch let error as ToolError {
      throw error
    } catch {
      guard exitCode(for: error).isSuccess else { throw usageError(error) }
      // Help and the version are results that somebody asked for.
      try console.print(fullMessage(for: error, columns: min(console.width, 100)) + "\n")
      return .success
    }
  }

  private static func usageError(_ error: any Error) -> ToolError {
    var message = message(for: error).split { $0.isNewline }.joined(separator: " ")
    if message.last == "." { message.removeLast() }
    return ToolError(.usage, "\(message); framebudget --help says what is allowed")
  }
}

/// A command that performs on a console and says how it ended.
protocol ToolCommand: ParsableCommand {
  func perform(on console: Console) throws(ToolError) -> ExitStatus
}
