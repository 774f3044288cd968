/// A mutable object of the app: a gallery, a hasher, a catalogue.
public struct Service: Hashable, Sendable {
  /// No two of a scenario have the same.
  public var name: String
  /// The name in its file of the service that it is a copy of; nil where the file has this one itself.
  public var copyOf: String?
  /// What its file calls it, and all copies of it.
  package var fileName: String { copyOf ?? name }
  /// How many records its state has: small structs with strings, which a snapshot copies.
  public var records: Int
  /// Whose data it holds; nil where it is everybody's.
  public var account: AccountIndex?

  /// - Parameters:
  ///   - name: no two of a scenario the same.
  ///   - records: how large its state is.
  ///   - account: whose data it holds, if there are accounts.
  public init(name: String, records: Int = 0, account: AccountIndex? = nil) {
    self.name = name
    self.records = records
    self.account = account
  }
}

/// A place in `Scenario.services`.
public typealias ServiceIndex = TypedIndex<Service>
/// Something for each service of a scenario.
public typealias PerService<Value> = IndexedArray<Service, Value>

/// One read of a service's state by the UI, once in each frame.
public struct UIRead: Hashable, Sendable {
  /// Whose state is read.
  public var service: ServiceIndex
  /// What reading it takes in each frame.
  public var cpu: DurationDistribution

  /// - Parameters:
  ///   - service: whose state is read.
  ///   - cpu: what reading it takes in each frame.
  public init(service: ServiceIndex, cpu: DurationDistribution) {
    self.service = service
    self.cpu = cpu
  }
}
