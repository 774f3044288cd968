/// What snapshots of a service have of its changes, and whether it publishes another one: the policy of
/// `Reading.PublishRule`, the same in both engines.
public struct Publication: Sendable {
  /// How many changes there were.
  public private(set) var version = 0
  /// How many of them the newest snapshot has.
  public private(set) var published = 0
  /// The vsync of the frame in which that was published.
  private var publishedIn: Int?
  /// Whether a snapshot shares the state, so that the next change copies it.
  private var isShared: Bool

  /// Of a service that has not changed; `isPublished` is whether there is a snapshot of that.
  public init(isPublished: Bool) { isShared = isPublished }

  /// Whether the change that is about to be made has to copy the state first.
  public mutating func copies() -> Bool {
    defer { isShared = false }
    return isShared
  }

  /// Notes a change.
  public mutating func change() { version += 1 }

  /// Whether a snapshot is published now, in the frame that began at `vsync`: if anything is unpublished and `rule`
  /// allows it. Without a rule the service's lane has run out of work.
  public mutating func publishes(_ rule: Reading.PublishRule?, in vsync: Int) -> Bool {
    guard version != published else { return false }
    if rule == .perFrame && publishedIn == vsync { return false }
    published = version
    publishedIn = vsync
    isShared = true
    return true
  }
}

/// The newest change of a service by an item that is done: what a snapshot of it should have.
public struct NewestDone: Sendable {
  private var version = 0
  private var at = Instant.zero

  /// No item is done.
  public init() {}

  /// Notes that an item was done at `instant` whose newest change is `version`.
  public mutating func done(_ version: Int, at instant: Instant) {
    if version > self.version { (self.version, at) = (version, instant) }
  }

  /// Since when a snapshot with the changes up to `version` has missed it; nil if it has it.
  public func missed(by version: Int) -> Instant? { self.version > version ? at : nil }
}
