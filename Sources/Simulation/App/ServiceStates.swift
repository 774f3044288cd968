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

/// Which change of a published service each item under way has made, so that one can say whether a snapshot
/// misses a finished item.
struct ChangeVersions {
  /// The services that are published.
  let published: [ServiceIndex]
  /// By thread and published service: the newest change by the item that runs there; 0 if none.
  private var current: ContiguousArray<Int>
  /// By workload and published service, then by item: for items that went on to another lane.
  private var carried: ContiguousArray<ContiguousArray<Int>>

  init(of published: [ServiceIndex], threads: Int, plan: RunPlan) {
    self.published = published
    current = ContiguousArray(repeating: 0, count: threads * published.count)
    carried = ContiguousArray(repeating: [], count: plan.workloads.count * published.count)
  }

  /// Notes that the item on `thread` made `version` of `service`.
  mutating func note(_ version: Int, of service: ServiceIndex, on thread: ThreadIndex) {
    guard let place = published.firstIndex(of: service) else { return }
    current[thread.position * published.count + place] = version
  }

  /// Keeps what the item on `thread` has changed: it leaves for another lane.
  mutating func carry(_ item: Item, from thread: ThreadIndex) {
    for place in published.indices {
      let version = take(place, on: thread)
      if version == 0 { continue }
      let list = item.workload.position * published.count + place
      let missing = Int(item.number) + 1 - carried[list].count
      if missing > 0 { carried[list].append(contentsOf: repeatElement(0, count: missing)) }
      // Parts of an item leave one after another, and each knows what it has changed itself.
      carried[list][Int(item.number)] = max(carried[list][Int(item.number)], version)
    }
  }

  /// The newest change that `item`, done on `thread`, made of the published service at `place`; 0 if none.
  mutating func newest(of item: Item, on thread: ThreadIndex, at place: Int) -> Int {
    let version = take(place, on: thread)
    let list = item.workload.position * published.count + place
    guard carried[list].indices.contains(Int(item.number)) else { return version }
    return max(version, carried[list][Int(item.number)])
  }

  private mutating func take(_ place: Int, on thread: ThreadIndex) -> Int {
    let index = thread.position * published.count + place
    defer { current[index] = 0 }
    return current[index]
  }
}
