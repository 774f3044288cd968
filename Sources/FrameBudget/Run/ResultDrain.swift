/// Decides which results a frame shows, and as how many updates of the UI: the policy of `Returning`, the same in both
/// engines.
///
/// ```swift
/// drain.open(results.count, at: now)
/// while drain.takesNext(at: now), let item = results.popFirst() {
///   if drain.isUpdate(item.workload) { show(item) }
/// }
/// ```
public struct ResultDrain: Sendable {
  /// For how long a frame takes results; nil where it takes all.
  private let budget: TimeSpan?
  private let coalesces: Bool
  /// Results that were there when the frame's drain began and have not been taken.
  private var left = 0
  private var isFirst = true
  private var began = Instant.zero
  /// Whether this frame has updated the UI with a result of it.
  private var isUpdated: PerWorkload<Bool>

  /// The drain of a run that begins.
  public init(_ plan: RunPlan) {
    let returning = plan.arrangement.returning
    if case .drained(let budget) = returning { self.budget = budget } else { budget = nil }
    coalesces = returning == .coalesced
    isUpdated = PerWorkload(repeating: false, count: plan.workloads.count)
  }

  /// Opens a frame's drain, which begins `now`: `count` results are there, and what comes back later is left.
  public mutating func open(_ count: Int, at now: Instant) {
    left = count
    isFirst = true
    began = now
    if coalesces { for workload in isUpdated.indices { isUpdated[workload] = false } }
  }

  /// Whether the frame takes another result, `now` that those before it are through; if so, that one is taken.
  public mutating func takesNext(at now: Instant) -> Bool {
    guard left > 0 else { return false }
    if let budget, !isFirst, now - began >= budget { return false }
    left -= 1
    isFirst = false
    return true
  }

  /// Whether the frame has left some of those that were there: then another one is wanted.
  public var hasLeft: Bool { left > 0 }

  /// Whether the result of `workload` that was taken is an update of its own; otherwise an earlier one of this frame
  /// has shown it.
  public mutating func isUpdate(_ workload: WorkloadIndex) -> Bool {
    guard coalesces else { return true }
    defer { isUpdated[workload] = true }
    return !isUpdated[workload]
  }
}

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
