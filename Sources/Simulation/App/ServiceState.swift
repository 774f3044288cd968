internal import FrameBudget

/// A service of the simulated app: who is inside, and what a snapshot of it contains.
struct ServiceState {
  /// Whether the UI reads snapshots of it.
  let isPublished: Bool
  /// What copying and freeing its whole state takes.
  let copying: TimeSpan
  let freeing: TimeSpan
  /// Threads inside; more than one breaks what arrangements promise.
  private var inside = 0
  /// How many changes there were.
  private(set) var version = 0
  private var publishedVersion = 0
  /// What the main thread read last, and keeps.
  private var heldVersion = 0
  private var publishedIn = -1
  /// Whether a snapshot shares the state, so that the next change copies it.
  private var isShared: Bool
  private var newestDone = (version: 0, at: Instant.zero)

  init(_ service: Service, isPublished: Bool, costs: Costs) {
    self.isPublished = isPublished
    copying = costs.copyPerRecord * service.records
    freeing = costs.releasePerRecord * service.records
    isShared = isPublished
  }

  /// A thread enters; returns whether another one is inside.
  mutating func enter() -> Bool {
    inside += 1
    return inside > 1
  }

  mutating func leave() { inside -= 1 }

  /// What the change takes that is about to be made beside the work itself.
  mutating func prepareChange() -> TimeSpan {
    guard isShared else { return .zero }
    isShared = false
    return copying
  }

  mutating func change() { version += 1 }

  /// Publishes what is unpublished, if `rule` allows it in the frame that began at `vsync`; returns what
  /// freeing the old snapshot takes, which the main thread does instead if it still reads that.
  mutating func publish(_ rule: Reading.PublishRule?, in vsync: Int) -> TimeSpan {
    guard isPublished, version != publishedVersion else { return .zero }
    if rule == .perFrame && publishedIn == vsync { return .zero }
    let isLastReference = heldVersion != publishedVersion
    publishedVersion = version
    publishedIn = vsync
    isShared = true
    return isLastReference ? freeing : .zero
  }

  /// Takes the newest snapshot; returns what freeing the one before takes.
  mutating func takeSnapshot() -> TimeSpan {
    guard heldVersion != publishedVersion else { return .zero }
    heldVersion = publishedVersion
    return freeing
  }

  /// Notes that the item is done that made the change `version`.
  mutating func done(_ version: Int, at instant: Instant) {
    if version > newestDone.version { newestDone = (version, instant) }
  }

  /// How long the snapshot that the main thread has taken has missed the newest item that is done.
  func age(at now: Instant) -> TimeSpan {
    newestDone.version > heldVersion ? now - newestDone.at : .zero
  }
}
