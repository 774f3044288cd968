/// What each kind of change counts when the smallest one is looked for.
public struct ChangeWeights: Hashable, Sendable {
  /// A service, or all copies of one, that lives elsewhere.
  public var moved = 1
  /// A lane that there was not.
  public var lane = 1
  /// A lock that there was not.
  public var lock = 2
  /// A rule that changes: who overtakes, where tasks yield, how results return.
  public var policy = 1
  /// A place where a service called another on its own thread, and from now on calls another thread.
  public var split = 1

  /// The usual ones.
  public init() {}

  /// Their names on the command line, in the order of the documentation.
  public enum Kind: String, CaseIterable, Sendable {
    /// As the properties of the same names.
    case moved, lane, lock, policy, split
  }

  /// The weight of that name.
  public subscript(kind: Kind) -> Int {
    get {
      switch kind {
      case .moved: moved
      case .lane: lane
      case .lock: lock
      case .policy: policy
      case .split: split
      }
    }
    set {
      switch kind {
      case .moved: moved = newValue
      case .lane: lane = newValue
      case .lock: lock = newValue
      case .policy: policy = newValue
      case .split: split = newValue
      }
    }
  }

  /// What a weight may be.
  public static let allowed = 0...1000
}
