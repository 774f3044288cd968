/// Why the view cannot be shown.
public enum TerminalProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case noTerminal
  case unknownTerminal(String)
  case incapableTerminal(String)
  case failed

  public var description: String {
    switch self {
    case .noTerminal: "standard input and output are not both a terminal"
    case .unknownTerminal(let name): "TERM='\(name)' is not a terminal that this machine knows"
    case .incapableTerminal(let name): "TERM='\(name)' cannot move its cursor"
    case .failed: "the terminal could not be set up"
    }
  }
}
