/// A mutable object of the app: a gallery, a hasher, a catalogue.
public struct Service: Hashable, Sendable {
  public var name: String
  /// How many records its state has: small structs with strings, which a snapshot copies.
  public var records: Int
  /// Whose data it holds; nil where it is everybody's.
  public var account: AccountIndex?

  public init(name: String, records: Int = 0, account: AccountIndex? = nil) {
    self.name = name
    self.records = records
    self.account = account
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
