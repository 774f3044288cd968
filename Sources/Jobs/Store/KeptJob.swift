/// A job as a persister keeps it.
public struct KeptJob: Hashable, Sendable {
  /// No two jobs of a store have the same; the order in which they were added.
  public var sequence: Int64
  /// The job's id.
  public var id: String
  /// The record as a ``JobSerializer`` has written it.
  public var text: String

  /// - Parameters:
  ///   - sequence: the job's place in the order of adding.
  ///   - id: the job's id.
  ///   - text: what the serializer made of its record.
  public init(sequence: Int64, id: String, text: String) {
    self.sequence = sequence
    self.id = id
    self.text = text
  }
}

/// What a persister found when it opened its store.
public struct KeptJobs: Hashable, Sendable {
  /// In the order of their sequence numbers.
  public var jobs: [KeptJob]
  /// Where a damaged store was moved to, and why.
  public var setAside: SetAside?

  /// - Parameters:
  ///   - jobs: in the order of their sequence numbers.
  ///   - setAside: what could not be read, if there was such a thing.
  public init(_ jobs: [KeptJob], setAside: SetAside? = nil) {
    self.jobs = jobs
    self.setAside = setAside
  }

  /// A store that could not be read and was moved out of the way, so that nothing is lost.
  public struct SetAside: Hashable, Sendable {
    /// Where it is now.
    public var path: String
    /// For people: what was wrong with it.
    public var reason: String

    /// - Parameters:
    ///   - path: where it is now.
    ///   - reason: for people: what was wrong with it.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }
}
