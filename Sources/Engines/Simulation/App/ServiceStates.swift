internal import FrameBudget

/// The services of the simulated app, and which of their changes the UI can see.
struct ServiceStates: ~Copyable {
  private var services: OwnedTable<Service, SimulatedService>
  private var changes: ChangeVersions
  /// When snapshots are published; nil if the UI reads none.
  private let rule: Reading.PublishRule?
  /// The vsync of the current frame, in which snapshots are published.
  var vsync = 0
  /// The total time spent copying state for snapshots.
  private(set) var copying = TimeSpan.zero
  /// Whether a snapshot has been published since the last call of `takePublished`.
  private var hasPublished = false
  /// The number of times that a thread entered a service while another one was inside.
  private(set) var exclusionViolations = 0

  init(_ plan: RunPlan, costs: Costs, threads: Int) {
    let published = plan.publishedServices
    services = OwnedTable(
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

  /// The time that the next change takes in addition to the work itself: copying the state for a snapshot.
  mutating func prepareChange(of service: ServiceIndex) -> TimeSpan {
    let span = services[service].prepareChange()
    copying += span
    return span
  }

  /// Records a change by the item on `thread`, which leaves the service.
  @inline(__always)
  mutating func change(_ service: ServiceIndex, by thread: ThreadIndex) {
    services[service].leave()
    services[service].change()
    if services[service].isPublished {
      changes.note(services[service].version, of: service, on: thread)
    }
  }

  /// Keeps the changes of the item on `thread`, which leaves for another lane.
  mutating func carry(_ item: Item, from thread: ThreadIndex) { changes.carry(item, from: thread) }

  /// Records that `item` is done, on `thread`.
  @inline(__always)
  mutating func done(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    for index in changes.published.indices {
      let version = changes.newest(of: item, on: thread, at: index)
      if version > 0 { services[changes.published[index]].done(version, at: now) }
    }
  }

  // MARK: Snapshots

  /// Publishes `service` after a step, if that is due. Returns the time that freeing the old snapshot takes.
  @inline(__always)
  mutating func publish(_ service: ServiceIndex) -> TimeSpan {
    guard let rule, services[service].isPublished else { return .zero }
    let before = services[service].publishedVersion
    defer { if services[service].publishedVersion != before { hasPublished = true } }
    return services[service].publish(rule, in: vsync)
  }

  /// Whether a snapshot has been published since the last call.
  mutating func takePublished() -> Bool {
    defer { hasPublished = false }
    return hasPublished
  }

  /// Publishes the pending changes of `residents`, whose lane has run out of work. Returns the time that freeing old
  /// snapshots takes.
  mutating func publishAll(_ residents: [ServiceIndex]) -> TimeSpan {
    var freeing = TimeSpan.zero
    for service in residents {
      let before = services[service].publishedVersion
      freeing += services[service].publish(nil, in: vsync)
      if services[service].publishedVersion != before { hasPublished = true }
    }
    return freeing
  }

  /// Takes the newest snapshot for the UI. Returns the time that freeing the previous one takes.
  mutating func takeSnapshot(of service: ServiceIndex) -> TimeSpan {
    services[service].takeSnapshot()
  }

  /// Whether the UI has the newest snapshot, which misses no finished item.
  func isNewest(of service: ServiceIndex) -> Bool { services[service].hasNewest }

  /// How long the UI's snapshot has missed the newest finished item.
  func age(of service: ServiceIndex, at now: Instant) -> TimeSpan {
    services[service].age(at: now)
  }
}

/// A service of the simulated app: the number of threads inside, and the content of its snapshot.
struct SimulatedService {
  /// Whether the UI reads snapshots of it.
  let isPublished: Bool
  /// The time that copying and freeing its whole state takes.
  private let copying: TimeSpan
  private let freeing: TimeSpan
  /// The number of threads inside; more than one breaks the guarantee of arrangements.
  private var inside = 0
  private let isExclusive: Bool
  private var publication: Publication
  /// The version of the snapshot that the main thread holds.
  private var heldVersion = 0
  private var newestDone = NewestDone()

  init(_ service: Service, isPublished: Bool, costs: Costs) {
    self.isPublished = isPublished
    isExclusive = service.isExclusive
    copying = costs.copyPerRecord * service.records
    freeing = costs.releasePerRecord * service.records
    publication = Publication(isPublished: isPublished)
  }

  /// The number of changes.
  var version: Int { publication.version }

  /// The number of changes in the newest snapshot.
  var publishedVersion: Int { publication.published }

  /// Enters the service. Returns whether another thread is inside that must not be.
  mutating func enter() -> Bool {
    inside += 1
    return inside > 1 && isExclusive
  }

  mutating func leave() { inside -= 1 }

  /// The time that the next change takes in addition to the work itself: copying the state for a snapshot.
  mutating func prepareChange() -> TimeSpan { publication.beginChange() ? copying : .zero }

  mutating func change() { publication.change() }

  /// Publishes pending changes, if `rule` allows it in the frame that began at `vsync`. Returns the time that freeing the
  /// old snapshot takes; zero if the main thread still reads that one and frees it later.
  mutating func publish(_ rule: Reading.PublishRule?, in vsync: Int) -> TimeSpan {
    let isLastReference = heldVersion != publication.published
    guard isPublished, publication.publish(rule, in: vsync) else { return .zero }
    return isLastReference ? freeing : .zero
  }

  /// Takes the newest snapshot. Returns the time that freeing the previous one takes.
  mutating func takeSnapshot() -> TimeSpan {
    guard heldVersion != publication.published else { return .zero }
    heldVersion = publication.published
    return freeing
  }

  /// Whether the main thread has the newest snapshot, which misses no finished item.
  var hasNewest: Bool {
    heldVersion == publication.published && newestDone.missed(by: heldVersion) == nil
  }

  /// Records that the item that made the change `version` is done.
  mutating func done(_ version: Int, at instant: Instant) { newestDone.done(version, at: instant) }

  /// How long the main thread's snapshot has missed the newest finished item.
  func age(at now: Instant) -> TimeSpan {
    newestDone.missed(by: heldVersion).map { now - $0 } ?? .zero
  }
}

/// Which change of each published service each unfinished item has made. From this follows whether a snapshot misses a
/// finished item.
struct ChangeVersions {
  /// The services that are published.
  let published: [ServiceIndex]
  /// By thread and published service: the newest change by the item that runs there; 0 if none.
  private var current: ContiguousArray<Int>
  /// By workload and published service, then by item: for items that have moved to another lane.
  private var carried: ContiguousArray<ContiguousArray<Int>>

  init(of published: [ServiceIndex], threads: Int, plan: RunPlan) {
    self.published = published
    current = ContiguousArray(repeating: 0, count: threads * published.count)
    carried = ContiguousArray(repeating: [], count: plan.workloads.count * published.count)
  }

  /// Records that the item on `thread` made `version` of `service`.
  mutating func note(_ version: Int, of service: ServiceIndex, on thread: ThreadIndex) {
    guard let index = published.firstIndex(of: service) else { return }
    current[thread.position * published.count + index] = version
  }

  /// Keeps the changes of the item on `thread`, which leaves for another lane.
  mutating func carry(_ item: Item, from thread: ThreadIndex) {
    for index in published.indices {
      let version = take(index, on: thread)
      if version == 0 { continue }
      let list = item.workload.position * published.count + index
      let missing = Int(item.number) + 1 - carried[list].count
      if missing > 0 { carried[list].append(contentsOf: repeatElement(0, count: missing)) }
      // Parts of an item leave one after another, and each has its own changes.
      carried[list][Int(item.number)] = max(carried[list][Int(item.number)], version)
    }
  }

  /// The newest change of the published service at `index` that `item`, done on `thread`, has made; 0 if none.
  mutating func newest(of item: Item, on thread: ThreadIndex, at index: Int) -> Int {
    let version = take(index, on: thread)
    let list = item.workload.position * published.count + index
    guard carried[list].indices.contains(Int(item.number)) else { return version }
    return max(version, carried[list][Int(item.number)])
  }

  private mutating func take(_ index: Int, on thread: ThreadIndex) -> Int {
    let slot = thread.position * published.count + index
    defer { current[slot] = 0 }
    return current[slot]
  }
}
