/// How the command ended, with the numbers of `framebudget compare`.
enum CommandStatus: Int32, CaseIterable {
  case success = 0
  case failed = 1
  case inconclusive = 2
  case usage = 64
  case badInput = 65
  case noInput = 66
  case unavailable = 69
  case cannotCreate = 73
  case cannotWrite = 74
}

/// What kept the command from its end.
struct CommandError: Error {
  let status: CommandStatus
  /// One line a person can act on.
  let message: String

  init(_ status: CommandStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
