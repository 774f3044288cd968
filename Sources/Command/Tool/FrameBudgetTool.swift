internal import ArgumentParser
internal import CFrameBudgetNcurses
internal import FrameBudget
internal import Glibc

/// The entry: parses the arguments, performs the command, and ends with its exit status.
///
/// It is synchronous because the frame loop must run on the process's main thread.
@main
struct FrameBudgetTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "framebudget",
    abstract: "Measure how moving business logic off the main thread changes dropped frames.",
    discussion: """
      A scenario describes the work of an app and its screen; a strategy assigns the work to threads. \
      framebudget runs strategies on a scenario and compares them. \(CommandOutcomes.page) explains exit statuses and JSON.

      EXAMPLES:
        framebudget run camera-upload
        framebudget init my-app
        framebudget limit camera-upload
        framebudget list strategies
        framebudget doctor
      """,
    version: version,
    subcommands: [
      InitCommand.self, RunCommand.self, MeasureCommand.self, LiveCommand.self, LimitCommand.self,
      ProveCommand.self, AdviseCommand.self, ExplainCommand.self, CompareCommand.self,
      HistoryCommand.self, BisectCommand.self, MergeCommand.self, ReportCommand.self,
      ImportCommand.self, RecordCommand.self, LearnCommand.self, BenchCommand.self,
      CheckCommand.self, ListCommand.self,
      DoctorCommand.self, MakeFilesCommand.self,
      MakeManualCommand.self, ServeCommand.self, GuardBrowserCommand.self,
      GuardProgramCommand.self,
    ])

  /// The version of the package and its libraries; releases are tagged with it.
  private static let number = "0.3.0"

  /// With the commit, if the build set it: `0.3.0 (1a2b3c4)`.
  static let version: String = {
    let commit = unsafe String(cString: framebudget_commit())
    return commit.isEmpty ? number : "\(number) (\(commit))"
  }()

  static func main() {
    let console = Console.ofProcess()
    // Without /proc a program gets no arguments, not even its name: a gate would pass with a page of help.
    guard !CommandLine.arguments.isEmpty else {
      console.printError("the system tells no arguments, because /proc is not mounted")
      Glibc.exit(ExitStatus.brokenInvariant.rawValue)
    }
    Glibc.exit(run(Array(CommandLine.arguments.dropFirst()), on: console).rawValue)
  }

  /// Performs `arguments`, prints errors, and returns the exit status.
  static func run(_ arguments: [String], on console: Console) -> ExitStatus {
    do {
      return try perform(arguments, on: console)
    } catch {
      if error.status != .unread { console.printError(error.message) }
      let performed = arguments.first.flatMap(command) as? any ToolCommand.Type
      return performed?.status(of: error, arguments) ?? error.status
    }
  }

  private static func perform(
    _ arguments: [String], on console: Console
  ) throws(ToolError) -> ExitStatus {
    if arguments == ["--version"] {
      // Without the parser, which first makes the help of all commands.
      try console.print("\(version)\n")
      return .success
    }
    try requireCommand(arguments.first == "help" ? arguments.dropFirst().first : arguments.first)
    do {
      var command = try parseAsRoot(arguments)
      if let command = command as? any ToolCommand {
        // The processes of lanes and guards end with the one that started them, and say nothing.
        if !type(of: command).configuration.shouldDisplay { console.setLastWords(nil) }
        return try command.perform(on: console)
      }
      try command.run()
      return .success
    } catch let error as ToolError {
      throw error
    } catch {
      guard exitCode(for: error).isSuccess else {
        throw usageError(error, of: arguments.first)
      }
      // Help and the version are results, not errors.
      try console.print(fullMessage(for: error, columns: min(console.width, 100)) + "\n")
      return .success
    }
  }

  /// The first argument names a command, or is an option of the tool itself.
  private static func requireCommand(_ word: String?) throws(ToolError) {
    guard let word, !word.hasPrefix("-"), word != "help", command(word) == nil else { return }
    let names = commands.filter { $0.configuration.shouldDisplay }.map { name($0) }
    let remedy = Spelling.suggestion(for: word, among: names)
    throw ToolError(.usage, "'\(word)' is not a command\(remedy)")
  }

  private static func usageError(_ error: any Error, of word: String?) -> ToolError {
    var message = Self.oneLine(message(for: error))
    if message.last == "." { message.removeLast() }
    let help = ["framebudget", word.flatMap { command($0) }.map { name($0) }, "--help"].compactMap(
      \.self)
    return ToolError(.usage, "\(message); '\(help.joined(separator: " "))' shows what is allowed")
  }

  /// The parser lists more than a few values on separate lines.
  private static func oneLine(_ message: String) -> String {
    let lines = message.split { $0.isNewline }
    let values = lines.filter { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
    let words = lines.filter { !$0.hasPrefix("  - ") }.joined(separator: " ")
    return values.isEmpty ? words : "\(words) \(values.joined(separator: ", "))"
  }

  private static var commands: [any ParsableCommand.Type] { configuration.subcommands }

  private static func command(_ word: String) -> (any ParsableCommand.Type)? {
    commands.first { name($0) == word }
  }

  private static func name(_ command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? ""
  }
}

/// A command that runs on a console and returns its exit status.
protocol ToolCommand: ParsableCommand {
  /// The meaning of its exit statuses, by its forms; empty if it ends with 0 or with the status of an error.
  static var outcomes: [CommandOutcomes] { get }

  /// The exit status for an error, also for one of the arguments.
  static func status(of error: ToolError, _ arguments: [String]) -> ExitStatus

  func perform(on console: Console) throws(ToolError) -> ExitStatus
}

extension ToolCommand {
  static var outcomes: [CommandOutcomes] { [] }

  static func status(of error: ToolError, _ arguments: [String]) -> ExitStatus { error.status }
}
