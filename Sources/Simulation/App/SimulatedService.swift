internal import FrameBudget

/// A service of the simulated app: who is inside, and what a snapshot of it contains.
struct SimulatedService {
  /// Whether the UI reads snapshots of it.
  let isPublished: Bool
  /// What copying and freeing its whole state takes.
  private let copying: TimeSpan
  private let freeing: TimeSpan
  /// Threads inside; more than one breaks what arrangements promise.
  private var inside = 0
  private var publication: Publication
  /// What the main thread read last, and keeps.
  private var heldVersion = 0
  private var newestDone = NewestDone()

  init(_ service: Service, isPublished: Bool, costs: Costs) {
    self.isPublished = isPublished
    copying = costs.copyPerRecord * service.records
    freeing = costs.releasePerRecord * service.records
    publication = Publication(isPublished: isPublished)
  }

  /// How many changes there were.
  var version: Int { publication.version }

  /// How many of them the newest snapshot has.
  var publishedVersion: Int { publication.published }

  /// A thread enters; returns whether another one is inside.
  mutating func enter() -> Bool {
    inside += 1
    return inside > 1
  }

  mutating func leave() { inside -= 1 }

  /// What the change takes that is about to be made beside the work itself.
  mutating func prepareChange() -> TimeSpan { publication.copies() ? copying : .zero }

  mutating func change() { publication.change() }

  /// Publishes what is unpublished, if `rule` allows it in the frame that began at `vsync`; returns what
  /// freeing the old snapshot takes, which the main thread does instead if it still reads that.
  mutating func publish(_ rule: Reading.PublishRule?, in vsync: Int) -> TimeSpan {
    let isLastReference = heldVersion != publication.published
    guard isPublished, publication.publishes(rule, in: vsync) else { return .zero }
    return isLastReference ? freeing : .zero
  }

  /// Takes the newest snapshot; returns what freeing the one before takes.
  mutating func takeSnapshot() -> TimeSpan {
    guard heldVersion != publication.published else { return .zero }
    heldVersion = publication.published
    return freeing
  }

  /// Notes that the item is done that made the change `version`.
  mutating func done(_ version: Int, at instant: Instant) { newestDone.done(version, at: instant) }

  /// How long the snapshot that the main thread has taken has missed the newest item that is done.
  func age(at now: Instant) -> TimeSpan {
    newestDone.missed(by: heldVersion).map { now - $0 } ?? .zero
  }
}
