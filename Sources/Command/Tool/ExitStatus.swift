internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetScenarios

/// The exit status of the tool, by BSD's sysexits.h if it has a number for it.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case failed = 1
  case inconclusive = 2
  case usage = 64
  case badInput = 65
  case noInput = 66
  case unavailable = 69
  case brokenInvariant = 70
  case cannotCreate = 73
  case cannotWrite = 74
  /// For `git bisect run`, which skips the commit.
  case skipped = 125
  /// For `git bisect run`, which ends: the error is not the commit's.
  case stopped = 128
  // 128 and the signal's number, as shells report it.
  case hungUp = 129
  case interrupted = 130
  /// The reader of the output has closed it, like `| head`. Not an error, and no message.
  case unread = 141
  case terminated = 143

  /// In the words of the manual.
  var meaning: String {
    switch self {
    case .success: "Done; expectations held; no regression."
    case .failed:
      "An expectation of the scenario, or the comparison, failed; nothing meets the aims; a frame can be dropped; a replay is poor."
    case .inconclusive:
      "Inconclusive: too noisy for a verdict; neither proven nor refuted; a replay that is fair, or too short to judge."
    case .usage: "Wrong usage."
    case .badInput: "Bad input: a scenario, results or a log."
    case .noInput: "An input cannot be opened."
    case .unavailable: "Something needed is missing, or not permitted."
    case .brokenInvariant: "The run broke an invariant, or the system has no /proc."
    case .cannotCreate: "An output cannot be created; existing files are never overwritten."
    case .cannotWrite: "An output cannot be written."
    case .skipped: "Undecided, with --skip-undecided."
    case .stopped: "With --skip-undecided, an error that is not the new result's."
    case .hungUp, .interrupted, .terminated:
      "Ended by signal \(rawValue - 128); measurements so far are kept."
    case .unread: "The reader of the output has closed it."
    }
  }

  /// The status of a run that `signal` interrupted.
  static func interrupted(by signal: Int32) -> ExitStatus {
    switch signal {
    case SIGHUP: .hungUp
    case SIGTERM: .terminated
    default: .interrupted
    }
  }
}

/// The meaning of the statuses 0, 1 and 2 of a command, in one of its forms.
struct CommandOutcomes {
  /// `learn`, `learn --compare-with`
  let form: String
  let success: String
  /// Nil if the command, in this form, does not end with 1.
  var failed: String?
  /// Nil if it does not end with 2.
  var inconclusive: String?

  /// `Exit status 0: no regression; 1: …`, for help.
  var sentence: String {
    let meanings = [success, failed, inconclusive].enumerated().compactMap { status, meaning in
      meaning.map { "\(status): \($0)" }
    }
    return "Exit status \(meanings.joined(separator: "; ")). \(Self.page) has all statuses."
  }

  /// The page with all statuses of all commands.
  static let page = "Documentation/Output.md"
}

/// The error of a command, with its exit status.
struct ToolError: Error, Equatable {
  let status: ExitStatus
  /// One line with the problem and its remedy; an error of a scenario also shows the line of the file.
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

extension ToolError {
  /// Converts the error of an input.
  static func reading<Value: ~Copyable>(
    _ body: () throws(InputError) -> Value
  ) throws(ToolError) -> Value {
    do throws(InputError) {
      return try body()
    } catch {
      throw ToolError(error)
    }
  }

  /// Converts the error of a scenario.
  static func reading<Value>(_ body: () throws(ScenarioError) -> Value) throws(ToolError) -> Value {
    do throws(ScenarioError) {
      return try body()
    } catch {
      throw ToolError(error)
    }
  }

  /// Reads the file at `path` with a progress bar, and converts its error.
  static func reading<Value: ~Copyable>(
    _ path: String, showing bar: ReadingBar?,
    _ body: (ByteSource.Progress?) throws(InputError) -> Value
  ) throws(ToolError) -> Value {
    defer { bar?.wipe() }
    return try reading { () throws(InputError) in try body(bar?.progress(of: path)) }
  }
}
