/// A mutable object of the app: a gallery, a hasher, a catalogue.
public struct Service: Hashable, Sendable {
  public var name: String
  /// How many records its state has: small structs with strings, which a snapshot copies.
  public var records: Int

  public init(name: String, records: Int = 0) {
    self.name = name
    self.records = records
  }
}

/// A place in `Scenario.services`.
public typealias ServiceIndex = Int

/// One read of a service's state by the UI, once in each frame.
public struct UIRead: Hashable, Sendable {
  public var service: ServiceIndex
  public var cpu: DurationDistribution

  public init(service: ServiceIndex, cpu: DurationDistribution) {
    self.service = service
    self.cpu = cpu
  }
}
