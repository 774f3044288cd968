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
  /// Whether advice leaves it where it is, as it does the platform's own work.
  public var isKept: Bool

  /// - Parameters:
  ///   - name: no two of a scenario the same.
  ///   - records: how large its state is.
  ///   - account: whose data it holds, if there are accounts.
  ///   - isKept: whether advice leaves it where it is.
  public init(
    name: String, records: Int = 0, account: AccountIndex? = nil, isKept: Bool = false
  ) {
    self.name = name
    self.records = records
    self.account = account
    self.isKept = isKept
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

/// What a step really does with a file on the real engine, instead of using up a processor for a stated time.
///
/// The item at place `n` of its workload works on file `n` of the workload's folder, again from the first one once
/// all had their turn.
public enum FileTask: String, CaseIterable, Sendable {
  /// Asks for its size.
  case stat
  /// Reads it from its begin to its end.
  case readFile = "read-file"
  /// Reads it and works out its SHA-256.
  case sha256
  /// Inserts a row with what the steps before have found out into a database, or replaces it.
  case sqliteInsert = "sqlite-insert"
}

/// What one step that really worked cost, each time it did.
public struct StepMeasurement: Hashable, Sendable {
  /// Whose step it is.
  public let workload: WorkloadIndex
  /// Its place among the workload's steps.
  public let step: Int
  /// Processor time, in no particular order.
  public let costs: [TimeSpan]

  /// - Parameters:
  ///   - workload: whose step it is.
  ///   - step: its place among the workload's steps.
  ///   - costs: by item, what it took.
  public init(workload: WorkloadIndex, step: Int, costs: [TimeSpan]) {
    self.workload = workload
    self.step = step
    self.costs = costs
  }
}
