/// A job in a persister's store.
public struct KeptJob: Hashable, Sendable {
  /// The job's place in the order of adding, unique within a store.
  public var sequence: Int64
  /// The job's id.
  public var id: String
  /// The record, encoded by a ``JobSerializer``.
  public var text: String

  /// - Parameters:
  ///   - sequence: the job's place in the order of adding.
  ///   - id: the job's id.
  ///   - text: the encoded record.
  public init(sequence: Int64, id: String, text: String) {
    self.sequence = sequence
    self.id = id
    self.text = text
  }
}

/// The contents of an opened store.
public struct KeptJobs: Hashable, Sendable {
  /// The kept jobs, in the order of their sequence numbers.
  public var jobs: [KeptJob]
  /// The damaged store that was moved aside, if any.
  public var setAside: SetAside?

  /// - Parameters:
  ///   - jobs: the kept jobs, in the order of their sequence numbers.
  ///   - setAside: the damaged store that was moved aside, if any.
  public init(_ jobs: [KeptJob], setAside: SetAside? = nil) {
    self.jobs = jobs
    self.setAside = setAside
  }

  /// A damaged store, which was moved aside so that nothing is lost.
  public struct SetAside: Hashable, Sendable {
    /// The store's new path.
    public var path: String
    /// The damage, for people.
    public var reason: String

    /// - Parameters:
    ///   - path: the store's new path.
    ///   - reason: the damage, for people.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }
}
