internal import FrameBudget

/// The services of the simulated app, and which of their changes the UI can see.
struct ServiceStates {
  private var services: PerService<SimulatedService>
  private var changes: ChangeVersions
  /// When snapshots are published; nil where the UI reads none.
  private let rule: Reading.PublishRule?
  /// The vsync of the frame in which one is published now.
  var vsync = 0
  /// What copying states for snapshots has taken.
  private(set) var copying = TimeSpan.zero
  /// Whether a snapshot has been published since somebody asked.
  private var hasPublished = false
  /// How often a thread entered a service that another one was inside.
  private(set) var exclusionViolations = 0

  init(_ plan: RunPlan, costs: Costs, threads: Int) {
    let published = plan.publishedServices
    services = PerService(
      plan.scenario.services.indexed.map { index, service in
        SimulatedService(service, isPublished: published.contains(index), costs: costs)
      })
    changes = ChangeVersions(of: published, threads: threads, plan: plan)
    rule = plan.arrangement.reading.publishRule
  }

  @inline(__always)
  mutating func enter(_ service: ServiceIndex) {
    if services[service].enter() { exclusionViolations += 1 }
  }

  @inline(__always)
  mutating func leave(_ service: ServiceIndex) { services[service].leave() }

  /// What the change takes that is about to be made beside the work itself.
  mutating func prepareChange(of service: ServiceIndex) -> TimeSpan {
    let span = services[service].prepareChange()
    copying += span
    return span
  }

  /// The item on `thread` has made a change, and leaves.
  @inline(__always)
  mutating func change(_ service: ServiceIndex, by thread: ThreadIndex) {
    services[service].leave()
    services[service].change()
    if services[service].isPublished {
      changes.note(services[service].version, of: service, on: thread)
    }
  }

  /// The item on `thread` leaves for another lane, with what it has changed.
  mutating func carry(_ item: Item, from thread: ThreadIndex) { changes.carry(item, from: thread) }

  /// Notes that `item` is done, on `thread`.
  @inline(__always)
  mutating func done(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    for place in changes.published.indices {
      let version = changes.newest(of: item, on: thread, at: place)
      if version > 0 { services[changes.published[place]].done(version, at: now) }
    }
  }

  // MARK: Snapshots

  /// Publishes `service` behind a step, if that is due; returns what freeing the old snapshot takes.
  @inline(__always)
  mutating func publish(_ service: ServiceIndex) -> TimeSpan {
    guard let rule, services[service].isPublished else { return .zero }
    let before = services[service].publishedVersion
    defer { if services[service].publishedVersion != before { hasPublished = true } }
    return services[service].publish(rule, in: vsync)
  }

  /// Whether a snapshot has been published since this was last asked.
  mutating func takePublished() -> Bool {
    defer { hasPublished = false }
    return hasPublished
  }

  /// Publishes whatever is unpublished of `residents`, whose lane has run out of work.
  mutating func publishAll(_ residents: [ServiceIndex]) -> TimeSpan {
    var freeing = TimeSpan.zero
    for service in residents {
      let before = services[service].publishedVersion
      freeing += services[service].publish(nil, in: vsync)
      if services[service].publishedVersion != before { hasPublished = true }
    }
    return freeing
  }

  /// Takes the newest snapshot for the UI; returns what freeing the one before takes.
  mutating func takeSnapshot(of service: ServiceIndex) -> TimeSpan {
    services[service].takeSnapshot()
  }

  /// How long the snapshot that the UI has taken has missed the newest item that is done.
  func age(of service: ServiceIndex, at now: Instant) -> TimeSpan {
    services[service].age(at: now)
  }
}
