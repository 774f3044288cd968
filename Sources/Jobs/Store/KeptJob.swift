/// A job as a persister keeps it.
public struct KeptJob: Hashable, Sendable {
  /// No two jobs of a store have the same; the order in which they were added.
  public var sequence: Int64
  public var id: String
  /// The record as a ``JobSerializer`` has written it.
  public var text: String

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

  public init(_ jobs: [KeptJob], setAside: SetAside? = nil) {
    self.jobs = jobs
    self.setAside = setAside
  }

  public struct SetAside: Hashable, Sendable {
    public var path: String
    public var reason: String

    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }
}
