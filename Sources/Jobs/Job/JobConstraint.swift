/// What must hold for a job to start.
public enum JobConstraint: Hashable, Codable, Sendable {
  case network
  /// A network that costs nothing by the byte.
  case unmeteredNetwork
  case charging
  /// A condition of the app's own, by its name.
  case condition(String)

  public func holds(in machine: MachineState) -> Bool {
    switch self {
    case .network: machine.network != .none
    case .unmeteredNetwork: machine.network == .unmetered
    case .charging: machine.isCharging
    case .condition(let name): machine.conditions.contains(name)
    }
  }
}
