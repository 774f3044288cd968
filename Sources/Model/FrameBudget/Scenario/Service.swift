/// A mutable object of the app: a gallery, a hasher, a catalogue.
public struct Service: Hashable, Sendable {
  /// The name; unique in a scenario.
  public var name: String
  /// The file's name of the service that this one is a copy of; nil if it is not a copy.
  public var copyOf: String?
  /// The name in the file, which all copies share.
  package var fileName: String { copyOf ?? name }
  /// The number of records of its state: small structs with strings, which a snapshot copies.
  public var records: Int
  /// The account that it belongs to; nil if it belongs to all.
  public var account: AccountIndex?
  /// Whether advice leaves it in place, such as the platform's own work.
  public var isKept: Bool
  /// Whether only one thread may be inside at a time. A service without state, such as a decoder, lets any number in.
  public var isExclusive = true

  /// - Parameters:
  ///   - name: the name; unique in a scenario.
  ///   - records: the number of records of its state.
  ///   - account: the account that it belongs to, if there are accounts.
  ///   - isKept: whether advice leaves it in place.
  public init(
    name: String, records: Int = 0, account: AccountIndex? = nil, isKept: Bool = false
  ) {
    self.name = name
    self.records = records
    self.account = account
    self.isKept = isKept
  }
}

/// An index of `Scenario.services`.
public typealias ServiceIndex = TypedIndex<Service>
/// A value for each service of a scenario.
public typealias PerService<Value> = IndexedArray<Service, Value>

/// A read of a service's state by the UI, once per frame.
public struct UIRead: Hashable, Sendable {
  /// The service that is read.
  public var service: ServiceIndex
  /// The duration of the read in each frame.
  public var cpu: DurationDistribution

  /// - Parameters:
  ///   - service: the service that is read.
  ///   - cpu: the duration of the read in each frame.
  public init(service: ServiceIndex, cpu: DurationDistribution) {
    self.service = service
    self.cpu = cpu
  }
}

/// The real work of a step on a file, on the real engine, instead of using processor time for a stated duration.
///
/// The item at index `n` of its workload works on file `n` of the workload's folder; after the last file it continues with the
/// first.
public enum FileTask: String, CaseIterable, Sendable {
  /// Reads the file's size.
  case stat
  /// Reads the whole file.
  case readFile = "read-file"
  /// Reads the file and computes its SHA-256.
  case sha256
  /// Inserts or replaces a row in a database, with the results of the earlier steps.
  case sqliteInsert = "sqlite-insert"
}

/// The measured costs of a step with real work.
public struct StepMeasurement: Hashable, Sendable {
  /// The workload of the step.
  public let workload: WorkloadIndex
  /// Its index among the workload's steps.
  public let step: Int
  /// Processor time, in no particular order.
  public let costs: [TimeSpan]

  /// - Parameters:
  ///   - workload: the workload of the step.
  ///   - step: its index among the workload's steps.
  ///   - costs: the processor time of each item.
  public init(workload: WorkloadIndex, step: Int, costs: [TimeSpan]) {
    self.workload = workload
    self.step = step
    self.costs = costs
  }
}
