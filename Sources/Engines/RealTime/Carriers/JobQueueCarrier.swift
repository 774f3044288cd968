internal import SchedulableThreads
internal import Foundation
public import FrameBudget
internal import SchedulableJobs

/// A lane on the library `SchedulableJobs`: each event is a job, which the lane's persister stores.
///
/// A closure cannot be stored. The job's parameter is the number of its event, which identifies the closure.
public final class JobQueueCarrier: Carrier {
  private let lane: Lane
  private let folder: TemporaryFolder
  private let events = Locked<[Int: PostedEvent]>([:])
  private let state = Locked(State())

  private struct State {
    var queue: JobQueue?
    var posted = 0
    /// Events that will never run.
    var lost = 0
    var failure: String?
  }

  /// Prepares a store with jobs of earlier runs; `launch` restores them.
  public init(_ lane: Lane) throws(CarrierError) {
    self.lane = lane
    do {
      folder = try TemporaryFolder("jobs")
      try fillStore()
    } catch {
      throw CarrierError("\(error)")
    }
    // With nothing to restore it starts before time 0 like any lane, so that a refused thread is an error at once.
    if lane.keptJobs == 0, queue() == nil {
      throw CarrierError(state.withLock { $0.failure } ?? "no queue")
    }
  }

  public func launch() { _ = queue() }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    offer(PostedEvent(event))
  }

  /// Adds an event. Returns whether it was accepted; counts it as lost otherwise.
  @discardableResult
  private func offer(_ event: PostedEvent) -> Bool {
    let number = state.withLock { state in
      state.posted += 1
      return state.posted
    }
    events.withLock { $0[number] = event }
    do {
      if let queue = queue() {
        var job = try Job("event", number)
        // Nothing restarts this lane, so a start need not be stored.
        job.maximumStarts = nil
        try queue.add(job)
        return true
      }
    } catch {
      state.withLock { $0.failure = "\(error)" }
    }
    // Released here, outside the lock: an event's captures may run code when they are released.
    _ = events.withLock { $0.removeValue(forKey: number) }
    state.withLock { $0.lost += 1 }
    return false
  }

  public var loss: String? {
    state.withLock { state in
      guard state.lost > 0 else { return nil }
      let reason = state.failure ?? "it has stopped"
      return "lane '\(lane.name)': \(state.lost) events are lost: \(reason)"
    }
  }

  public func stop() {
    let reached = OneShotSignal()
    // Even if some were refused: the accepted ones before it still run.
    if offer(PostedEvent { reached.set() }) {
      reached.wait()
    } else {
      state.withLock { $0.lost -= 1 }
    }
    state.withLock { $0.queue }?.shutdownBlocking()
    let left = events.withLock { events in
      defer { events = [:] }
      return events
    }
    state.withLock { $0.lost += left.count }
  }

  // MARK: The queue

  /// The queue, created by the first caller.
  private func queue() -> JobQueue? {
    state.withLock { state in
      if state.queue == nil && state.failure == nil {
        do throws(JobError) {
          state.queue = try makeQueue()
        } catch {
          state.failure = "\(error)"
        }
      }
      return state.queue
    }
  }

  private func makeQueue() throws(JobError) -> JobQueue {
    var options = JobQueueOptions()
    options.width = lane.width
    options.nice = lane.nice
    options.restoring = lane.restoresInBackground ? .inBackground : .onCreatingThread
    var types = JobTypes()
    types.register("event") { [events] (number: Int, _) in
      events.withLock { $0.removeValue(forKey: number) }?.run()
    }
    return try JobQueue(lane.name, types: types, keptBy: persister(), options: options)
  }

  private func persister() -> (any JobPersister)? {
    let path = folder.url.appending(component: "jobs").path(percentEncoded: false)
    let keeper: JobKeeper = lane.options.choice(.persister)
    return switch keeper {
    case .none: nil
    case .file: FilePersister(path: path)
    case .sqlite: SQLitePersister(path: path)
    }
  }

  /// Stores jobs like those of the run, which wait for a condition that never holds.
  private func fillStore() throws {
    guard lane.keptJobs > 0, let persister = persister() else { return }
    _ = try persister.load()
    let kept = try (1...lane.keptJobs).map { number in
      var job = try Job("event", -number)
      job.constraints = [.condition("never")]
      let record = JobRecord(job, sequence: Int64(number), addedAt: .now)
      return KeptJob(
        sequence: record.sequence, id: job.id, text: try JobSerializer.json.encode(record))
    }
    try persister.change(keeping: kept, removing: [])
  }
}
