/// What the machine offers at the moment, as far as jobs wait for it.
///
/// It is an input: whoever owns the queue watches the machine, or reads a script, and tells the queue each change.
public struct MachineState: Hashable, Sendable {
  public var network: Network
  public var isCharging: Bool
  /// The names of further conditions that hold.
  public var conditions: Set<String>

  public init(
    network: Network = .unmetered, isCharging: Bool = false, conditions: Set<String> = []
  ) {
    self.network = network
    self.isCharging = isCharging
    self.conditions = conditions
  }

  public enum Network: String, Codable, CaseIterable, Sendable { case none, metered, unmetered }
}
