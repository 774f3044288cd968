internal import Glibc

/// How the tool ended, as scripts see it; where there is one, the number of BSD's sysexits.h.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case failed = 1
  case inconclusive = 2
  case usage = 64
  case badInput = 65
  case noInput = 66
  case unavailable = 69
  case invalidRun = 70
  case cannotCreate = 73
  case cannotWrite = 74
  // 128 and the signal's number, as shells report it.
  case hungUp = 129
  case interrupted = 130
  /// Nobody reads the output any more, as behind `| head`: no fault, and nothing to say.
  case unread = 141
  case terminated = 143

  /// In the words of the manual and of commands' help.
  var meaning: String {
    switch self {
    case .success: "Done; expectations held; no regression."
    case .failed:
      "An expectation of the scenario, or the comparison, failed; nothing meets the aims; a frame can be dropped; a replay is poor."
    case .inconclusive:
      "Inconclusive: too noisy to say; neither proven nor refuted; a replay that is fair, or too short to judge."
    case .usage: "Wrong usage."
    case .badInput: "Bad input: a scenario, results or a log."
    case .noInput: "An input cannot be opened."
    case .unavailable: "Something needed is missing, or not permitted."
    case .invalidRun: "The run broke an invariant."
    case .cannotCreate: "An output cannot be created; what is there already is never overwritten."
    case .cannotWrite: "An output cannot be written."
    case .hungUp, .interrupted, .terminated:
      "Ended by signal \(rawValue - 128); what was measured is kept."
    case .unread: "Nobody reads the output any more."
    }
  }

  /// What each of `statuses` means, for a command's help.
  static func meanings(_ statuses: ExitStatus...) -> String {
    statuses.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: " ")
  }

  /// How a run ends that `signal` interrupted.
  static func interrupted(by signal: Int32) -> ExitStatus {
    switch signal {
    case SIGHUP: .hungUp
    case SIGTERM: .terminated
    default: .interrupted
    }
  }
}

/// What kept a command from its end, and the exit status that says so.
struct ToolError: Error, Equatable {
  let status: ExitStatus
  /// One line a person can act on; a scenario's error also shows the line it is about.
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
