/// Decides which results a frame shows, and in how many updates of the UI: the policy of `Returning`, shared by both engines.
///
/// ```swift
/// drain.open(results.count, at: now)
/// while drain.takeNext(at: now), let item = results.popFirst() {
///   if drain.beginUpdate(item.workload) { show(item) }
/// }
/// ```
public struct ResultDrain: Sendable {
  /// The time in which a frame runs results; nil if it runs all.
  private let budget: TimeSpan?
  /// Whether a frame updates the UI once for all results of a workload, including those of items that ended on the main thread.
  public let coalesces: Bool
  /// Results that were there when the frame's drain began and have not run.
  private var left = 0
  private var isFirst = true
  private var began = Instant.zero
  /// By workload: whether this frame has updated the UI with a result.
  private var isUpdated: PerWorkload<Bool>

  /// Creates the drain of a run.
  public init(_ plan: RunPlan) {
    let returning = plan.arrangement.returning
    if case .drained(let budget) = returning { self.budget = budget } else { budget = nil }
    coalesces = returning == .coalesced
    isUpdated = PerWorkload(repeating: false, count: plan.workloads.count)
  }

  /// Opens a frame's drain at `now` with `count` results; later ones wait for the next frame.
  public mutating func open(_ count: Int, at now: Instant) {
    left = count
    isFirst = true
    began = now
    if coalesces { for workload in isUpdated.indices { isUpdated[workload] = false } }
  }

  /// Takes the next result for the frame at `now`, after the previous ones. Returns whether the frame runs it.
  public mutating func takeNext(at now: Instant) -> Bool {
    guard left > 0 else { return false }
    if let budget, !isFirst, now - began >= budget { return false }
    left -= 1
    isFirst = false
    return true
  }

  /// Whether the frame has left some of those results; then another frame is wanted.
  public var hasLeft: Bool { left > 0 }

  /// Begins a UI update for the taken result of `workload`. Returns false if an earlier update of this frame has shown it.
  public mutating func beginUpdate(_ workload: WorkloadIndex) -> Bool {
    guard coalesces else { return true }
    defer { isUpdated[workload] = true }
    return !isUpdated[workload]
  }
}

/// The changes of a service that snapshots contain, and when it publishes another one: the policy of `Reading.PublishRule`,
/// shared by both engines.
public struct Publication: Sendable {
  /// The number of changes.
  public private(set) var version = 0
  /// The number of changes in the newest snapshot.
  public private(set) var published = 0
  /// The vsync of the frame in which that snapshot was published.
  private var publishedIn: Int?
  /// Whether a snapshot shares the state, so that the next change copies it.
  private var isShared: Bool

  /// A service without changes; `isPublished` is whether there is a snapshot of its state.
  public init(isPublished: Bool) { isShared = isPublished }

  /// Begins a change. Returns whether it has to copy the state first. Call it before `change()`.
  public mutating func beginChange() -> Bool {
    defer { isShared = false }
    return isShared
  }

  /// Records a change.
  public mutating func change() { version += 1 }

  /// Publishes a snapshot in the frame that began at `vsync` if there are unpublished changes and `rule` allows it. Returns
  /// whether it did. Without a rule, the service's lane has run out of work.
  public mutating func publish(_ rule: Reading.PublishRule?, in vsync: Int) -> Bool {
    guard version != published else { return false }
    if rule == .perFrame && publishedIn == vsync { return false }
    published = version
    publishedIn = vsync
    isShared = true
    return true
  }
}

/// The newest change of a service by a finished item, which a snapshot should contain.
public struct NewestDone: Sendable {
  private var version = 0
  private var at = Instant.zero

  /// No item is done yet.
  public init() {}

  /// Records that an item was done at `instant`; `version` is its newest change.
  public mutating func done(_ version: Int, at instant: Instant) {
    if version > self.version { (self.version, at) = (version, instant) }
  }

  /// Since when a snapshot with the changes up to `version` has missed it; nil if the snapshot has it.
  public func missed(by version: Int) -> Instant? { self.version > version ? at : nil }
}
