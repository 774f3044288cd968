internal import SchedulableThreads
internal import FrameBudget
internal import Synchronization

/// The services of a run, and the work of steps and reads in them.
final class LiveServices: Sendable {
  private let all: PerService<LiveService>
  private let clock: RunClock
  private let burner: Burner
  /// Nil if no step does real work.
  private let files: FileWork?
  /// When steps publish snapshots; nil if the UI reads none.
  private let rule: Reading.PublishRule?
  private let vsync = Atomic<Int>(0)
  private let copying = Atomic<Int64>(0)
  private let collisions = Atomic<Int>(0)

  init(_ plan: RunPlan, files: FileWork?, clock: RunClock) {
    let published = plan.publishedServices
    let steps = plan.scenario.workloads.flatMap(\.steps)
    all = PerService(
      plan.scenario.services.indexed.map { index, service in
        let memory = steps.filter { $0.service == index }.compactMap(\.touchedBytes).max() ?? 0
        return LiveService(service, memory: memory, isPublished: published.contains(index))
      })
    self.clock = clock
    burner = Burner(for: plan)
    self.files = files
    rule = plan.arrangement.reading.publishRule
  }

  /// The snapshots of `service`; nil if the UI reads none.
  func board(of service: ServiceIndex) -> SnapshotBoard? { all[service].board }

  /// Does the work of `step` for `item` inside its service.
  func perform(_ step: StepPlan, of item: LiveItem) {
    let cost = step.cost(item: item.number, run: item.run)
    let version = all[step.service].enter { state in
      if let task = step.task, let files {
        files.perform(task, for: item)
      } else {
        burner.burn(cost, as: step.load, over: &state.memory)
      }
      let wait = step.wait(item: item.number, run: item.run)
      if wait > .zero { clock.sleep(for: wait) }
      let copied = state.change(for: item.number, clock: clock)
      if copied > .zero { copying.add(copied.nanoseconds, ordering: .relaxed) }
      return state.version
    }
    if let version {
      all[step.service].board?.changed(by: item, version: version)
    } else {
      collisions.add(1, ordering: .relaxed)
      Burner.burn(cost)
    }
  }

  /// Reads a service in place, for the UI.
  func read(_ service: ServiceIndex, _ cost: TimeSpan) {
    let entered: Void? = all[service].enter { _ in Burner.burn(cost) }
    if entered == nil { collisions.add(1, ordering: .relaxed) }
  }

  /// Records that the last step of `item` ended; returns when.
  func done(_ item: LiveItem) -> Instant {
    let now = clock.now
    for service in all { service.board?.done(item, at: now) }
    return now
  }

  /// Forgets the changes of `item`, which was replaced.
  func forget(_ item: LiveItem) {
    for service in all { service.board?.forget(item) }
  }

  // MARK: Publication

  /// Makes later publications count for the frame that began at `vsync`.
  func frameBegan(_ vsync: Int) { self.vsync.store(vsync, ordering: .relaxed) }

  /// Publishes a step's changes if the rule allows it now; returns whether it did.
  func publish(_ service: ServiceIndex) -> Bool {
    guard let rule else { return false }
    return all[service].publish(rule, in: vsync.load(ordering: .relaxed))
  }

  /// Publishes all changes of `residents`, whose lane is idle; returns whether there were any.
  @discardableResult
  func publishAll(_ residents: [ServiceIndex]) -> Bool {
    let now = vsync.load(ordering: .relaxed)
    var hasPublished = false
    for service in residents where all[service].publish(nil, in: now) { hasPublished = true }
    return hasPublished
  }

  /// Time spent copying state for snapshots.
  var copyingTime: TimeSpan { TimeSpan(nanoseconds: copying.load(ordering: .relaxed)) }

  func count(in totals: inout RunTotals) {
    totals.publishing = copyingTime
    totals.exclusionViolations = collisions.load(ordering: .relaxed)
    totals.stepMeasurements = files?.measurements ?? []
  }
}

/// A service of the app under test, with real state.
final class LiveService: Sendable {
  /// Held by the thread inside. No thread waits for it: contention would mean two threads in the service at once, which
  /// arrangements must prevent.
  private let inside: Locked<ServiceState>
  /// Of a service that lets several threads in: the memory that no thread inside uses; nil otherwise.
  private let spare: Locked<[ServiceState]>?
  /// Its snapshots; nil if the UI reads none.
  let board: SnapshotBoard?
  private let memory: Int

  init(_ service: Service, memory: Int, isPublished: Bool) {
    let state = ServiceState(
      records: service.records, memory: memory, isPublished: isPublished)
    board = isPublished ? SnapshotBoard(state.snapshot) : nil
    inside = Locked(state)
    self.memory = memory
    spare = service.isExclusive ? nil : Locked([])
  }

  /// Runs `body` inside the service; nil if another thread is inside.
  func enter<Result>(_ body: (inout ServiceState) -> sending Result) -> Result? {
    guard let spare else { return inside.withLockIfAvailable { body(&$0) } }
    var state = spare.withLock { $0.popLast() } ?? ServiceState(records: 0, memory: memory)
    let result = body(&state)
    let left = state
    spare.withLock { $0.append(left) }
    return result
  }

  /// Publishes a snapshot if there are unpublished changes and `rule` allows it in this frame; returns whether it did.
  @discardableResult
  func publish(_ rule: Reading.PublishRule?, in vsync: Int) -> Bool {
    guard let board else { return false }
    let snapshot = inside.withLockIfAvailable { $0.publish(rule, in: vsync) }
    guard case .some(.some(let snapshot)) = snapshot else { return false }
    board.publish(snapshot)
    return true
  }
}

/// A record of a service's state, like a photo or a file of an app: a few numbers, and strings too long for inline storage, so
/// that a copy retains each.
struct Record: Codable, Sendable {
  let id: Int
  let name: String
  let album: String
  let path: String
  let checksum: String
  var revision: Int

  init(id: Int) {
    self.id = id
    name = "a photo of a long summer, number \(id)"
    album = "the album of month \(id / 100)"
    path = "/photos/of/a/long/summer/\(id).jpeg"
    checksum = "checksum-\(UInt64(bitPattern: Int64(id)) &* 0x9e37_79b9_7f4a_7c15)"
    revision = 0
  }
}

/// An immutable copy of a service's state. Making it is cheap; the next change pays for the copy.
struct Snapshot: Sendable {
  let records: [Record]
  /// The number of changes it contains.
  let version: Int
}

/// The state of a service; only the thread inside may access it.
struct ServiceState: Sendable {
  private var records: [Record]
  private var publication: Publication
  var memory: WorkMemory

  /// `isPublished`: whether a snapshot of this state exists.
  init(records count: Int, memory bytes: Int, isPublished: Bool = false) {
    records = (0..<count).map(Record.init)
    publication = Publication(isPublished: isPublished)
    memory = WorkMemory(bytes: bytes)
  }

  /// The number of changes.
  var version: Int { publication.version }

  var snapshot: Snapshot { Snapshot(records: records, version: version) }

  /// Changes the record of `item`; returns the time for copying if a snapshot shared the state.
  mutating func change(for item: Int, clock: RunClock) -> TimeSpan {
    let copies = publication.beginChange()
    publication.change()
    guard !records.isEmpty else { return .zero }
    let began = copies ? clock.now : .zero
    records[item % records.count].revision += 1
    return copies ? clock.now - began : .zero
  }

  /// The snapshot to publish in the frame that began at `vsync`; nil if `rule` forbids it or nothing changed.
  mutating func publish(_ rule: Reading.PublishRule?, in vsync: Int) -> Snapshot? {
    publication.publish(rule, in: vsync) ? snapshot : nil
  }
}

/// The newest snapshot of a service, from its lane to the UI.
///
/// Also knows which finished items a snapshot misses.
final class SnapshotBoard: Sendable {
  private struct Content {
    var snapshot: Snapshot
    /// By running item: the version with its newest change.
    var changes: [LiveItem: Int] = [:]
    var newestDone = NewestDone()
  }

  private let content: Locked<Content>

  init(_ first: Snapshot) { content = Locked(Content(snapshot: first)) }

  func publish(_ snapshot: Snapshot) {
    // Released outside the lock: this may be the last reference.
    let old = content.withLock { content in
      let old = content.snapshot
      content.snapshot = snapshot
      return old
    }
    withExtendedLifetime(old) {}
  }

  func changed(by item: LiveItem, version: Int) {
    content.withLock { $0.changes[item.atStart] = version }
  }

  func done(_ item: LiveItem, at instant: Instant) {
    content.withLock { content in
      guard let version = content.changes.removeValue(forKey: item.atStart) else { return }
      content.newestDone.done(version, at: instant)
    }
  }

  func forget(_ item: LiveItem) {
    content.withLock { _ = $0.changes.removeValue(forKey: item.atStart) }
  }

  /// Whether `snapshot` misses the change of a finished item.
  func hasChanged(since snapshot: Snapshot) -> Bool {
    content.withLock { $0.newestDone.missed(by: snapshot.version) != nil }
  }

  /// The newest snapshot, and since when it misses the newest finished item.
  func read() -> (snapshot: Snapshot, missesSince: Instant?) {
    content.withLock { ($0.snapshot, $0.newestDone.missed(by: $0.snapshot.version)) }
  }
}

extension LiveItem {
  /// The identity of the item, independent of its next step.
  fileprivate var atStart: LiveItem { at(0) }
}

/// The state that the UI shows, and its age at each read.
struct ShownState {
  private(set) var ages = StateAges()
  /// By read: the shown snapshot, held until the next frame replaces it.
  private var snapshots: [Snapshot?]
  /// By read: the last read in place.
  private var readInPlace: [Instant]

  init(_ plan: RunPlan) {
    snapshots = Array(repeating: nil, count: plan.reads.count)
    readInPlace = Array(repeating: .zero, count: plan.reads.count)
  }

  /// Discards all ages and reserves memory for this number of frames.
  mutating func restart(frames: Int) {
    ages = StateAges()
    ages.reserve(snapshots.count * frames)
  }

  /// The newest snapshot on `board`; records its age.
  mutating func look(at board: SnapshotBoard, clock: RunClock) -> Snapshot {
    let (snapshot, missesSince) = board.read()
    ages.append(missesSince.map { clock.now - $0 } ?? .zero)
    return snapshot
  }

  /// Replaces the shown snapshot.
  mutating func show(_ snapshot: Snapshot, at read: Int) { snapshots[read] = snapshot }

  /// Records a read in place.
  mutating func beganInPlace(_ read: Int, at now: Instant) {
    readInPlace[read] = now
    ages.append(.zero)
  }

  /// Records the age of the state on the screen if the run ends in a hang, which no read follows.
  mutating func noteHang(
    of plan: RunPlan, _ services: LiveServices, _ items: borrowing ItemLedger, at end: Instant
  ) {
    for (index, read) in plan.reads.enumerated() {
      let newest = items.newestDone(in: read.service, of: plan, by: end)
      let isMissed =
        if let board = services.board(of: read.service) {
          snapshots[index].map(board.hasChanged) ?? false
        } else {
          newest.map { $0 > readInPlace[index] } ?? false
        }
      ages.append(isMissed ? newest.map { end - $0 } ?? .zero : .zero)
    }
  }
}
