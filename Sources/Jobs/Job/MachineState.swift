/// The state of the machine that constraints of jobs depend on.
///
/// It is an input: the owner of the queue observes the machine, and passes each change to the queue.
public struct MachineState: Hashable, Sendable {
  /// The network connection.
  public var network: Network
  /// Whether the machine has external power.
  public var isCharging: Bool
  /// The names of the app's conditions that hold.
  public var conditions: Set<String>

  /// Creates a state. By default the machine has an unmetered network, no external power, and no condition holds.
  public init(
    network: Network = .unmetered, isCharging: Bool = false, conditions: Set<String> = []
  ) {
    self.network = network
    self.isCharging = isCharging
    self.conditions = conditions
  }

  /// The network connection of a machine.
  public enum Network: String, Codable, CaseIterable, Sendable {
    /// No network.
    case none
    /// A network with a price per byte.
    case metered
    /// A network without a price per byte.
    case unmetered
  }
}
