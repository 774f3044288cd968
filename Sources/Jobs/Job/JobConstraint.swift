/// What must hold for a job to start.
public enum JobConstraint: Hashable, Codable, Sendable {
  /// Runs only while there is a network; a metered one counts.
  case network
  /// A network that costs nothing by the byte.
  case unmeteredNetwork
  /// Runs only while the machine is charging.
  case charging
  /// A condition of the app's own, by its name.
  case condition(String)

  /// Whether the machine is such that a job with this constraint may run.
  public func holds(in machine: MachineState) -> Bool {
    switch self {
    case .network: machine.network != .none
    case .unmeteredNetwork: machine.network == .unmetered
    case .charging: machine.isCharging
    case .condition(let name): machine.conditions.contains(name)
    }
  }
}
