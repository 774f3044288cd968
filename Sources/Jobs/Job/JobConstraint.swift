/// A condition for the start of a job.
public enum JobConstraint: Hashable, Codable, Sendable {
  /// A network, metered or not.
  case network
  /// An unmetered network.
  case unmeteredNetwork
  /// External power.
  case charging
  /// A condition of the app, by name.
  case condition(String)

  /// Whether the constraint holds for this state of the machine.
  public func holds(in machine: MachineState) -> Bool {
    switch self {
    case .network: machine.network != .none
    case .unmeteredNetwork: machine.network == .unmetered
    case .charging: machine.isCharging
    case .condition(let name): machine.conditions.contains(name)
    }
  }
}
