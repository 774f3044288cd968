/// What the machine offers at the moment, as far as jobs wait for it.
///
/// It is an input: whoever owns the queue watches the machine, or reads a script, and tells the queue each change.
public struct MachineState: Hashable, Sendable {
  /// What the machine is connected by.
  public var network: Network
  /// Whether it takes its power from outside.
  public var isCharging: Bool
  /// The names of further conditions that hold.
  public var conditions: Set<String>

  /// A machine in this state; without arguments one on which no constraint keeps a job waiting.
  public init(
    network: Network = .unmetered, isCharging: Bool = false, conditions: Set<String> = []
  ) {
    self.network = network
    self.isCharging = isCharging
    self.conditions = conditions
  }

  /// What a machine is connected by.
  public enum Network: String, Codable, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// A network that costs by the byte.
    case metered
    /// A network that costs nothing by the byte.
    case unmetered
  }
}
